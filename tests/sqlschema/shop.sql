CREATE TABLE customers (
    id {int} PRIMARY KEY,
    name {name} NOT NULL,
    email {name} UNIQUE,
    country {name} NOT NULL DEFAULT 'de',
    credit {decimal},
    active {bool} NOT NULL,
    vip {bool},
    born {date},
    joined {moment} NOT NULL,
    score {float},
    notes {text}
);
CREATE TABLE products (
    sku {name} NOT NULL,
    region {int} NOT NULL,
    title {text} NOT NULL,
    price {decimal} NOT NULL,
    weight {float},
    stock {small} NOT NULL DEFAULT 0,
    sold {big},
    extra {json},
    photo {bytes},
    PRIMARY KEY (sku, region)
);
CREATE TABLE orders (
    id {big} NOT NULL PRIMARY KEY,
    customer_id {int},
    status {status} NOT NULL,
    placed {moment} NOT NULL,
    paid {moment},
    total {decimal} NOT NULL,
    discount {decimal},
    parent_id {big}
);
CREATE TABLE items (
    order_id {big} NOT NULL,
    line {small} NOT NULL,
    sku {name} NOT NULL,
    region {int} NOT NULL,
    quantity {int} NOT NULL,
    note {text},
    PRIMARY KEY (order_id, line)
);
CREATE TABLE staff (
    id {int} NOT NULL PRIMARY KEY,
    boss_id {int},
    name {name} NOT NULL,
    salary {int},
    hired {date} NOT NULL
);
CREATE VIEW open_orders AS
SELECT o.id, o.total, c.name AS customer, o.discount
FROM orders o LEFT JOIN customers c ON c.id = o.customer_id
WHERE o.status = 'open';
-- rows
INSERT INTO customers VALUES
 (1, 'Ann', 'ann@x', 'de', 10.50, {true}, {true}, '1990-01-02', '2024-01-01 10:00:00', 1.5, 'n'),
 (2, 'Bob', NULL, 'fr', NULL, {false}, NULL, NULL, '2024-02-01 10:00:00', NULL, NULL),
 (3, '', 'c@x', 'de', 0, {true}, {false}, '2000-12-31', '2024-03-01 10:00:00', 0, ''),
 (4, 'Dan', 'd@x', 'us', -3.25, {false}, {true}, NULL, '2024-03-02 10:00:00', -2.5, 'x y');
INSERT INTO products VALUES
 ('a', 1, 'Apple', 1.25, 0.5, 10, 5, '{{"a": 1, "b": [1, 2]}}', NULL),
 ('a', 2, 'Apfel', 1.50, NULL, 0, NULL, NULL, NULL),
 ('b', 1, 'Ball', 9.99, 1.25, 3, 0, '{{"a": null}}', NULL);
INSERT INTO orders VALUES
 (10, 1, 'open', '2024-04-01 10:00:00', NULL, 20.00, NULL, NULL),
 (11, 1, 'paid', '2024-04-02 10:00:00', '2024-04-03 10:00:00', 30.00, 5.00, 10),
 (12, NULL, 'open', '2024-04-04 10:00:00', NULL, 0, 0, 99),
 (13, 3, 'done', '2024-05-01 10:00:00', '2024-05-02 10:00:00', 7.50, NULL, 11);
INSERT INTO items VALUES
 (10, 1, 'a', 1, 2, NULL), (10, 2, 'b', 1, 1, 'gift'), (11, 1, 'zz', 9, 3, NULL),
 (13, 1, 'a', 2, 0, '');
INSERT INTO staff VALUES
 (1, NULL, 'Root', 100, '2020-01-01'), (2, 1, 'Kim', NULL, '2021-01-01'),
 (3, 2, 'Lee', 50, '2022-01-01'), (4, 77, 'Max', NULL, '2023-01-01');
