-- One statement a line that PostgreSQL refuses; after -- stands the mistake, or none where it is not found.
SELECT nmae FROM customers -- unknown-column
SELECT c.nmae FROM customers c -- unknown-column
SELECT * FROM custmers -- unknown-table
SELECT x.name FROM customers c -- unknown-table
SELECT customers.name FROM customers c -- unknown-table
SELECT x.* FROM customers c -- unknown-table
SELECT * FROM shop2.customers -- unknown-table
SELECT id FROM customers JOIN orders ON customer_id = customers.id -- ambiguous-column
SELECT name FROM customers JOIN orders USING (customer_id) -- unknown-column
SELECT total FROM orders o JOIN customers c ON c.id = o.customr_id -- unknown-column
SELECT name FROM customers WHERE orders.id = 1 -- unknown-table
SELECT upperr(name) FROM customers -- unknown-function
SELECT ifnull(email, '') FROM customers -- unknown-function
SELECT date_format(joined, '%Y') FROM customers -- unknown-function
SELECT lower(id) FROM customers -- wrong-arguments
SELECT round(score, 2) FROM customers -- wrong-arguments
SELECT substr(name) FROM customers -- wrong-arguments
SELECT length(born) FROM customers -- wrong-arguments
SELECT date_trunc(joined, 'month') FROM customers -- wrong-arguments
SELECT sum(name) FROM customers -- wrong-arguments
SELECT avg(active) FROM customers -- wrong-arguments
SELECT string_agg(name) FROM customers -- wrong-arguments
SELECT count(id, name) FROM customers -- wrong-arguments
SELECT to_char(joined) FROM customers -- wrong-arguments
SELECT now('utc') -- wrong-arguments
SELECT * FROM customers WHERE name = 1 -- mismatched-types
SELECT * FROM customers WHERE id = name -- mismatched-types
SELECT * FROM customers WHERE active = 1 -- mismatched-types
SELECT * FROM customers WHERE born > joined::text -- mismatched-types
SELECT * FROM customers WHERE id = 'one' -- bad-literal
SELECT * FROM customers WHERE born = 'yesterdays' -- bad-literal
SELECT * FROM customers WHERE active = 'maybe' -- bad-literal
SELECT * FROM orders WHERE status = 'closed' -- unknown-label
SELECT * FROM orders WHERE status IN ('open', 'payed') -- unknown-label
SELECT * FROM orders WHERE status = 'open'::text -- mismatched-types
SELECT * FROM orders WHERE status LIKE 'o%' -- mismatched-types
SELECT * FROM customers WHERE id LIKE '1%' -- mismatched-types
SELECT * FROM customers WHERE id IN ('a', 'b') -- bad-literal
SELECT * FROM customers WHERE id IN (SELECT name FROM staff) -- mismatched-types
SELECT * FROM customers WHERE id IN (SELECT id, name FROM staff) -- column-count
SELECT * FROM customers WHERE id = (SELECT id, name FROM staff) -- column-count
SELECT name + 1 FROM customers -- mismatched-types
SELECT joined + 1 FROM customers -- mismatched-types
SELECT joined - born + name FROM customers -- mismatched-types
SELECT active + active FROM customers -- mismatched-types
SELECT -name FROM customers -- mismatched-types
SELECT id || id FROM customers -- mismatched-types
SELECT extra->>'a' + 1 FROM products -- bad-literal
SELECT name->>'a' FROM customers -- mismatched-types
SELECT country, name, count(*) FROM customers GROUP BY country -- not-grouped
SELECT name, count(*) FROM customers -- not-grouped
SELECT country FROM customers GROUP BY country HAVING name = 'x' -- not-grouped
SELECT country FROM customers GROUP BY country ORDER BY name -- not-grouped
SELECT * FROM customers GROUP BY country -- not-grouped
SELECT name FROM customers WHERE count(*) > 1 -- misplaced-aggregate
SELECT max(count(*)) FROM customers GROUP BY country -- misplaced-aggregate
SELECT country FROM customers GROUP BY max(country) -- misplaced-aggregate
UPDATE orders SET total = max(total) -- misplaced-aggregate
SELECT id FROM orders WHERE row_number() OVER (ORDER BY id) = 1 -- misplaced-window
SELECT sum(total) OVER w FROM orders -- not-allowed
SELECT row_number() FROM orders -- not-allowed
SELECT name FROM customers WHERE id -- not-boolean
SELECT name FROM customers WHERE active AND name -- not-boolean
SELECT CASE WHEN id THEN 1 END FROM customers -- not-boolean
SELECT name FROM customers HAVING 'x' || name -- not-boolean
SELECT CASE WHEN active THEN 1 ELSE 'one' END FROM customers -- bad-literal
SELECT CASE WHEN active THEN id ELSE name END FROM customers -- mismatched-types
SELECT coalesce(credit, name) FROM customers -- mismatched-types
SELECT greatest(id, born) FROM customers -- mismatched-types
SELECT id FROM customers UNION SELECT name FROM staff -- mismatched-types
SELECT id, name FROM customers UNION SELECT id FROM staff -- column-count
SELECT id FROM customers ORDER BY nmae -- unknown-column
SELECT id FROM customers ORDER BY 3 -- not-allowed
SELECT name AS label FROM customers WHERE label = 'x' -- unknown-column
SELECT born::int FROM customers -- not-castable
SELECT active::date FROM customers -- not-castable
SELECT CAST(name AS strng) FROM customers -- unknown-type
SELECT 'abc'::int -- bad-literal
SELECT date '2024-13-45' -- bad-literal
SELECT interval 'one dya' -- bad-literal
SELECT * FROM customers LIMIT 'ten' -- bad-literal
SELECT * FROM customers LIMIT id -- not-allowed
SELECT * FROM customers c, orders c -- repeated-name
WITH a AS (SELECT 1), a AS (SELECT 2) SELECT * FROM a -- repeated-name
WITH a(x, y) AS (SELECT 1) SELECT * FROM a -- column-count
SELECT * FROM (SELECT id FROM orders) o JOIN items i ON i.order_id = o.order_id -- unknown-column
SELECT * FROM orders o, (SELECT * FROM items WHERE order_id = o.id) i -- unknown-table
INSERT INTO staff (id, name) VALUES (1, 'x', 3) -- column-count
INSERT INTO staff (id, name, hired) VALUES (1, 'x') -- column-count
INSERT INTO staff (id, nmae, hired) VALUES (1, 'x', now()) -- unknown-column
INSERT INTO staff (id, id, hired) VALUES (1, 2, now()) -- repeated-name
INSERT INTO staff (id, name, hired) VALUES ('one', 'x', now()) -- bad-literal
INSERT INTO staff (id, name, hired) VALUES (1, 'x', 5) -- mismatched-types
INSERT INTO staff (id, name, hired) SELECT id, name FROM customers -- column-count
INSERT INTO staff (id, name, hired) SELECT id, name, active FROM customers -- mismatched-types
INSERT INTO orders (id, status, placed, total) VALUES (1, 'new', now(), 0) -- unknown-label
UPDATE customers SET nmae = 'x' -- unknown-column
UPDATE customers SET active = 'x' WHERE id = 1 -- bad-literal
UPDATE customers SET credit = name -- mismatched-types
UPDATE customers SET name = 'x', name = 'y' -- repeated-name
UPDATE customers SET (name, notes) = ('x') -- column-count
UPDATE orders SET status = 'shipped' WHERE id = 1 -- unknown-label
UPDATE customers c SET c.name = 'x' -- unknown-column
DELETE FROM customers WHERE idd = 1 -- unknown-column
DELETE FROM custmers -- unknown-table
INSERT INTO staff (id, name, hired) VALUES (1, 'x', now()) ON CONFLICT (id) DO UPDATE SET name = exluded.name -- unknown-table
INSERT INTO staff (id, name, hired) VALUES (1, 'x', now()) RETURNING nmae -- unknown-column
SELECT * FROM unnest(1) u -- wrong-arguments
SELECT name[1] FROM customers -- mismatched-types
SELECT * FROM customers WHERE (id, name) = (1, 'a', 2) -- column-count
SELECT ARRAY[1, 'x'] -- bad-literal
SELECT * FROM customers WHERE id = ANY(5) -- mismatched-types
SELECT * FROM customers WHERE id BETWEEN 'a' AND 'b' -- bad-literal
SELECT DISTINCT name FROM customers ORDER BY id -- not-allowed
SELECT count(*) FILTER (WHERE id) FROM customers -- not-boolean
SELECT nullif(id, 'x') FROM customers -- bad-literal
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE customr_id = 1) -- unknown-column
INSERT INTO staff (id, name, hired) VALUES (1, 'x', now()) ON CONFLICT DO UPDATE SET name = 'y' -- no-unique-key
SELECT rank() OVER w FROM staff WINDOW w AS (ORDER BY nmae) -- unknown-column
