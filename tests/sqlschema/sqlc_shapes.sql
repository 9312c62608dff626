-- tables of authors
CREATE TABLE authors (id {big} NOT NULL PRIMARY KEY, name {name} NOT NULL, bio {text});
-- rows of authors
INSERT INTO authors VALUES (1, 'Ann', NULL), (2, 'Bob', 'b')
-- statements of authors
SELECT * FROM authors WHERE id = :id LIMIT 1;
SELECT * FROM authors ORDER BY name;
INSERT INTO authors (id, name, bio) VALUES (:new, :name, :bio);
UPDATE authors SET name = :name, bio = :bio WHERE id = :id;
DELETE FROM authors WHERE id = :id;

-- tables of booktest
CREATE TABLE authors (author_id {int} NOT NULL PRIMARY KEY, name {name} NOT NULL);
CREATE TABLE books (
    book_id {int} NOT NULL PRIMARY KEY,
    author_id {int} NOT NULL REFERENCES authors (author_id),
    isbn {name} NOT NULL UNIQUE,
    book_type {book_type} NOT NULL,
    title {text} NOT NULL,
    year {int} NOT NULL,
    available {moment} NOT NULL,
    tags {name} NOT NULL
);
-- rows of booktest
INSERT INTO authors VALUES (1, 'Ann'), (2, 'Bob');
INSERT INTO books VALUES (1, 1, 'x1', 'FICTION', 'T', 2001, '2024-01-01 00:00:00', 'cool,unique'), (2, 1, 'x2', 'NONFICTION', 'U', 2002, '2024-01-01 00:00:00', '')
-- statements of booktest
SELECT * FROM authors WHERE author_id = :author;
SELECT * FROM books WHERE book_id = :book;
SELECT * FROM books WHERE title = :title AND year = :year;
SELECT book_id, title, name, isbn, tags FROM books LEFT JOIN authors ON books.author_id =
    authors.author_id WHERE tags = :tags;
SELECT book_id, title, authors.name FROM authors LEFT JOIN books ON books.author_id =
    authors.author_id;
SELECT b.book_type, count(*) AS n FROM books b WHERE b.book_type = :type GROUP BY b.book_type;
DELETE FROM books WHERE book_id = :book;
UPDATE books SET title = :title, tags = :tags WHERE book_id = :book;
UPDATE books SET title = :title, book_type = :type WHERE book_id = :book AND isbn = :isbn;
INSERT INTO authors (author_id, name) VALUES (:new, :name);
INSERT INTO books (book_id, author_id, isbn, book_type, title, year, available, tags) VALUES
    (:new, :author, :isbn, :type, :title, :year, :available, :tags);

-- tables of jets
CREATE TABLE pilots (id {int} NOT NULL PRIMARY KEY, name {text} NOT NULL);
CREATE TABLE jets (
    id {int} NOT NULL PRIMARY KEY, pilot_id {int} NOT NULL REFERENCES pilots (id),
    age {int} NOT NULL, name {text} NOT NULL, color {text} NOT NULL
);
CREATE TABLE languages (id {int} NOT NULL PRIMARY KEY, language {text} NOT NULL);
CREATE TABLE pilot_languages (
    pilot_id {int} NOT NULL REFERENCES pilots (id),
    language_id {int} NOT NULL REFERENCES languages (id),
    PRIMARY KEY (pilot_id, language_id)
);
-- rows of jets
INSERT INTO pilots VALUES (1, 'a'), (2, 'b'); INSERT INTO jets VALUES (1, 1, 3, 'j', 'red');
INSERT INTO languages VALUES (1, 'de'); INSERT INTO pilot_languages VALUES (1, 1)
-- statements of jets
SELECT count(*) FROM pilots;
SELECT * FROM pilots LIMIT 5;
DELETE FROM pilot_languages WHERE pilot_id = :id;
SELECT p.name, j.name AS jet, j.age FROM pilots p LEFT JOIN jets j ON j.pilot_id = p.id;
SELECT p.name, l.language FROM pilots p JOIN pilot_languages pl ON pl.pilot_id = p.id JOIN
    languages l ON l.id = pl.language_id;
SELECT p.name, count(l.language_id) AS n FROM pilots p LEFT JOIN pilot_languages l ON l.pilot_id
    = p.id GROUP BY p.id, p.name;
SELECT l.language FROM pilot_languages pl JOIN languages l ON l.id = pl.language_id WHERE
    pl.pilot_id = :p AND pl.language_id = :l;

-- tables of ondeck
CREATE TABLE city (slug {name} NOT NULL PRIMARY KEY, name {text} NOT NULL);
CREATE TABLE venue (
    id {int} NOT NULL PRIMARY KEY, status {venue_status} NOT NULL, slug {name} NOT NULL UNIQUE,
    name {name} NOT NULL, city {name} NOT NULL REFERENCES city (slug),
    spotify_playlist {name} NOT NULL, songkick_id {text}, created_at {moment} NOT NULL
);
-- rows of ondeck
INSERT INTO city VALUES ('ber', 'Berlin'), ('muc', 'M');
INSERT INTO venue VALUES (1, 'open', 'v1', 'V', 'ber', 's', NULL, '2024-01-01 00:00:00'), (2, 'closed', 'v2', 'W', 'ber', 's', 'k', '2024-01-01 00:00:00')
-- statements of ondeck
SELECT * FROM city ORDER BY name;
SELECT * FROM city WHERE slug = :slug;
INSERT INTO city (name, slug) VALUES (:name, :new);
UPDATE city SET name = :name WHERE slug = :slug;
SELECT * FROM venue WHERE city = :city ORDER BY name;
DELETE FROM venue WHERE slug = :slug;
SELECT * FROM venue WHERE slug = :slug AND city = :city;
UPDATE venue SET name = :name WHERE slug = :slug;
SELECT city, count(*) AS venues FROM venue GROUP BY 1 ORDER BY 1;
SELECT c.name, count(v.id) AS venues, max(v.songkick_id) AS last FROM city c LEFT JOIN venue v
    ON v.city = c.slug GROUP BY c.slug, c.name;
SELECT id FROM venue WHERE status = :status AND created_at > :since;
INSERT INTO venue (id, slug, name, city, created_at, spotify_playlist, status, songkick_id)
    VALUES (:new, :slug, :name, :city, :at, :list, :status, :kick);
