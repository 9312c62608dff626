-- The tables of the connection `warehouse`.
CREATE TYPE currency AS ENUM ('EUR', 'USD', 'GBP');
CREATE TABLE invoices (
  invoice_id bigint PRIMARY KEY,
  issued_on date,
  currency currency NOT NULL,
  total numeric(12, 2) NOT NULL,
  is_paid boolean NOT NULL DEFAULT false
);
