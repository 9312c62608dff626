sqlite: SELECT nmae FROM customers
sqlite: SELECT c.nmae FROM customers c
sqlite: SELECT * FROM custmers
sqlite: SELECT x.name FROM customers c
sqlite: SELECT id FROM customers JOIN orders ON customer_id = customers.id
sqlite: SELECT name FROM customers JOIN orders USING (customer_id)
sqlite: SELECT substr(name) FROM customers
sqlite: SELECT round(score, 1, 2) FROM customers
sqlite: SELECT id, name FROM customers UNION SELECT id FROM staff
sqlite: SELECT * FROM customers WHERE id IN (SELECT id, name FROM staff)
sqlite: SELECT sum(max(total)) FROM orders
sqlite: SELECT name FROM customers WHERE count(*) > 1
sqlite: SELECT row_number() FROM orders
sqlite: SELECT id FROM customers ORDER BY 3
sqlite: WITH a(x, y) AS (SELECT 1) SELECT * FROM a
sqlite: INSERT INTO staff (id, name) VALUES (1, 'x', 3)
sqlite: INSERT INTO staff (id, nmae, hired) VALUES (1, 'x', '2024-01-01')
sqlite: INSERT INTO staff (id, name) VALUES (1, 'x')
sqlite: INSERT INTO staff (id, name, hired) VALUES (1, NULL, '2024-01-01')
sqlite: UPDATE staff SET hired = NULL WHERE id = 1
sqlite: UPDATE customers SET country = NULL WHERE id = 1
sqlite: SELECT name FRM customers
duckdb: SELECT nmae FROM customers
duckdb: SELECT * FROM custmers
duckdb: SELECT x.name FROM customers c
duckdb: SELECT id FROM customers JOIN orders ON customer_id = customers.id
duckdb: SELECT upperr(name) FROM customers
duckdb: SELECT substr(name) FROM customers
duckdb: SELECT sum(name) FROM customers
duckdb: SELECT * FROM customers WHERE id = 'one'
duckdb: SELECT * FROM orders WHERE status = 'closed'
duckdb: SELECT country, name, count(*) FROM customers GROUP BY country
duckdb: SELECT name FROM customers WHERE count(*) > 1
duckdb: SELECT max(count(*)) FROM customers GROUP BY country
duckdb: SELECT id, name FROM customers UNION SELECT id FROM staff
duckdb: SELECT id FROM customers ORDER BY 3
duckdb: INSERT INTO staff (id, name, hired) VALUES (1, 'x')
duckdb: INSERT INTO staff (id, name) VALUES (1, 'x')
duckdb: INSERT INTO orders (id, status, placed, total) VALUES (1, 'new', now(), 0)
duckdb: UPDATE staff SET name = NULL WHERE id = 1
duckdb: SELECT name + 1 FROM customers WHERE born > active
duckdb: SELECT name FROM customers WEHRE id = 1
mysql: SELECT nmae FROM customers
mysql: SELECT c.nmae FROM customers c
mysql: SELECT * FROM custmers
mysql: SELECT x.name FROM customers c
mysql: SELECT id FROM customers JOIN orders ON customer_id = customers.id
mysql: SELECT name FROM customers JOIN orders USING (customer_id)
mysql: SELECT name AS label FROM customers WHERE label = 'x'
mysql: SELECT id, name FROM customers UNION SELECT id FROM staff
mysql: SELECT * FROM customers WHERE id IN (SELECT id, name FROM staff)
mysql: SELECT name FROM customers WHERE count(*) > 1
mysql: SELECT max(count(*)) FROM customers GROUP BY country
mysql: INSERT INTO staff (id, name, hired) VALUES (1, 'x')
mysql: INSERT INTO staff (id, name) VALUES (1, 'x')
mysql: INSERT INTO staff (id, nmae, hired) VALUES (1, 'x', now())
mysql: INSERT INTO orders (id, status, placed, total) VALUES (1, 'new', now(), 0)
mysql: UPDATE staff SET name = NULL WHERE id = 1
mysql: SELECT upperr(name) FROM customers
mysql: SELECT substr(name) FROM customers
mysql: SELECT name FROM customers GRUOP BY name
mysql: DELETE FROM customers WHERE idd = 1
