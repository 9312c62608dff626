-- The tables behind the tools: brimgen checks every statement against them.
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL,
  status TEXT NOT NULL,
  total NUMERIC(10, 2) NOT NULL,
  placed_at DATETIME NOT NULL
);
