CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    email TEXT NOT NULL,
    tier TEXT NOT NULL,
    is_active INTEGER NOT NULL,
    created_at TEXT NOT NULL,
    changed_by TEXT
);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY,
    customer_id INTEGER NOT NULL REFERENCES customers,
    status TEXT NOT NULL,
    total NUMERIC NOT NULL,
    placed_at TEXT NOT NULL,
    note TEXT,
    changed_by TEXT
);
CREATE TABLE order_notes (
    order_id INTEGER NOT NULL REFERENCES orders,
    note TEXT NOT NULL,
    follow_up_on TEXT,
    author TEXT NOT NULL
);
CREATE TABLE products (
    sku TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    price REAL NOT NULL,
    in_stock INTEGER NOT NULL
);
INSERT INTO customers VALUES
    (1, 'Ada Lovelace', 'ada@example.com', 'gold', 1, '2024-03-01 09:00:00.000000', NULL),
    (2, 'Alan Turing', 'alan@example.com', 'basic', 1, '2025-06-23 12:30:00.000000', NULL),
    (3, 'Grace Hopper', 'grace@example.com', 'silver', 0, '2023-12-09 00:00:00.000000', NULL);
INSERT INTO orders VALUES
    (10, 1, 'shipped', 12.50, '2026-01-18 05:00:00.000000', NULL, NULL),
    (11, 1, 'shipped', 99.99, '2026-02-01 00:00:00.000000', 'gift', NULL),
    (12, 1, 'pending', 7, '2026-03-05 17:45:00.250000', NULL, NULL),
    (13, 2, 'shipped', 40, '2026-03-06 08:00:00.000000', NULL, NULL);
INSERT INTO products VALUES
    ('AB-1234', 'Lamp', 'lighting', 49.9, 1),
    ('AB-1235', 'Shade', 'lighting', 19.5, 0),
    ('CD-0001', 'Chair', 'furniture', 120, 1);
