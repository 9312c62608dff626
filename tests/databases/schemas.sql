-- every dialect
CREATE TABLE people (id INTEGER PRIMARY KEY NOT NULL, name VARCHAR(40) NOT NULL, born DATE,
  email VARCHAR(80) UNIQUE, score NUMERIC(8, 2) DEFAULT 0, CHECK (score >= 0));
CREATE TABLE visits (person INTEGER NOT NULL REFERENCES people (id), moment TIMESTAMP NOT NULL,
  note TEXT, "when" INTEGER, PRIMARY KEY (person, moment));
ALTER TABLE people ADD COLUMN nick VARCHAR(10);
ALTER TABLE visits RENAME COLUMN note TO remark;
ALTER TABLE people RENAME TO persons;
CREATE TABLE gone (a INTEGER);
DROP TABLE gone;
CREATE TABLE IF NOT EXISTS persons (never INTEGER);
-- postgres
ALTER TABLE persons ALTER COLUMN born SET NOT NULL, DROP COLUMN nick;
CREATE DOMAIN code AS char(3) NOT NULL;
CREATE TABLE parts (id bigserial, code code, n int GENERATED ALWAYS AS IDENTITY,
  tags text[] NOT NULL DEFAULT '{}', PRIMARY KEY (id));
CREATE TABLE more (extra text NOT NULL) INHERITS (parts);
CREATE TABLE copied (LIKE persons INCLUDING ALL);
-- mysql
ALTER TABLE persons MODIFY born DATE NOT NULL, ADD first INT FIRST, ADD then_ INT AFTER id;
ALTER TABLE persons CHANGE nick alias VARCHAR(12) NOT NULL DEFAULT '';
CREATE TABLE parts (id SERIAL, kind ENUM('a', 'b') NOT NULL, flag BOOL, `key` INT,
  KEY by_kind (kind), UNIQUE KEY (`key`));
CREATE TABLE copied LIKE parts;
-- duckdb
ALTER TABLE persons ALTER COLUMN born SET NOT NULL;
-- sqlite
ALTER TABLE persons DROP COLUMN nick;
CREATE TABLE keyed (a TEXT PRIMARY KEY, b INT) WITHOUT ROWID;
CREATE TABLE loose (a TEXT PRIMARY KEY, b INT);
