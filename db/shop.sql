-- The tables of the shop. The statements of specs/ are checked against them.
CREATE TABLE customers (
  customer_id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE,
  tier TEXT NOT NULL DEFAULT 'basic' CHECK (tier IN ('basic', 'silver', 'gold')),
  is_active BOOLEAN NOT NULL DEFAULT TRUE,
  created_at TEXT NOT NULL,
  changed_by TEXT
);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY,
  customer_id INTEGER NOT NULL REFERENCES customers,
  status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'shipped', 'cancelled')),
  total DECIMAL(12, 2) NOT NULL,
  placed_at TEXT NOT NULL,
  note TEXT,
  changed_by TEXT
);
CREATE TABLE order_notes (
  note_id INTEGER PRIMARY KEY,
  order_id INTEGER NOT NULL REFERENCES orders,
  note TEXT NOT NULL,
  follow_up_on TEXT,
  author TEXT NOT NULL
);
CREATE TABLE products (
  sku TEXT PRIMARY KEY NOT NULL,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  price REAL NOT NULL,
  in_stock BOOLEAN NOT NULL
);
