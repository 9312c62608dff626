-- One statement about the shop a line; after -- stand the dialects that take it, if not all do.
SELECT * FROM customers WHERE id = :id
SELECT id, name, email FROM customers WHERE email = :email
SELECT name FROM customers ORDER BY name LIMIT :limit OFFSET :offset
SELECT c.*, o.total FROM customers c JOIN orders o ON o.customer_id = c.id
SELECT c.id, o.id AS order_id, o.total FROM customers c LEFT JOIN orders o ON o.customer_id = c.id
SELECT c.name, o.total FROM orders o LEFT JOIN customers c ON c.id = o.customer_id WHERE c.active
SELECT c.name, o.total FROM orders o RIGHT JOIN customers c ON c.id = o.customer_id
SELECT c.name, o.total, i.quantity FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN items i ON i.order_id = o.id
SELECT c.name, o.total, i.quantity FROM customers c LEFT JOIN orders o ON o.customer_id = c.id LEFT JOIN items i ON i.order_id = o.id WHERE i.line = 1
SELECT c.name, o.total FROM customers c FULL JOIN orders o ON o.customer_id = c.id -- sqlite duckdb postgres
SELECT name, total FROM customers CROSS JOIN orders
SELECT i.note, p.title FROM items i JOIN products p USING (sku, region)
SELECT * FROM items JOIN products USING (sku, region)
SELECT sku, region, quantity, title FROM items LEFT JOIN products USING (sku, region)
SELECT * FROM items LEFT JOIN products USING (sku, region) -- sqlite duckdb postgres
SELECT * FROM items NATURAL JOIN products
SELECT sku, title FROM items FULL JOIN products USING (sku, region) -- sqlite duckdb postgres
SELECT s.name, b.name AS boss, b.salary FROM staff s LEFT JOIN staff b ON b.id = s.boss_id
SELECT s.name, b.name AS boss FROM staff s JOIN staff b ON b.id = s.boss_id
SELECT o.id, x.name FROM orders o, customers x WHERE x.id = o.customer_id
SELECT o.id, o.customer_id FROM orders o JOIN customers c ON c.id = o.customer_id
SELECT o.customer_id FROM orders o WHERE o.customer_id > 0
SELECT email FROM customers WHERE email IS NOT NULL
SELECT email, notes FROM customers WHERE email IS NOT NULL OR notes IS NOT NULL
SELECT email FROM customers WHERE email LIKE :pattern
SELECT email, credit FROM customers WHERE NOT (email IS NULL OR credit IS NULL)
SELECT credit FROM customers WHERE credit BETWEEN :low AND :high
SELECT credit FROM customers WHERE credit IN (1, 2, 10.5)
SELECT id FROM customers WHERE id IN (:ids)
SELECT credit FROM customers WHERE credit NOT IN (SELECT total FROM orders)
SELECT credit FROM customers WHERE credit IN (SELECT total FROM orders)
SELECT name FROM customers WHERE (:name IS NULL OR name = :name) AND (:country IS NULL OR country = :country)
SELECT name FROM customers WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = customers.id AND total > :total)
SELECT count(*) FROM customers
SELECT count(*), count(email), count(DISTINCT country) FROM customers
SELECT sum(total), avg(total), min(total), max(total) FROM orders
SELECT sum(quantity), avg(quantity), min(quantity), max(quantity) FROM items
SELECT sum(stock), sum(sold), avg(sold), max(sold) FROM products
SELECT sum(weight), avg(weight), min(weight) FROM products
SELECT min(name), max(joined), min(born) FROM customers
SELECT country, count(*) AS n FROM customers GROUP BY country
SELECT country, sum(credit) AS c, max(email) AS e FROM customers GROUP BY country
SELECT country, avg(score) AS s, min(joined) AS j FROM customers GROUP BY country HAVING count(*) > :n
SELECT customer_id, sum(total) AS t, count(discount) AS d FROM orders GROUP BY customer_id
SELECT c.id, c.name, sum(o.total) AS t FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id, c.name
SELECT c.id, count(o.id) AS n FROM customers c LEFT JOIN orders o ON o.customer_id = c.id GROUP BY c.id
SELECT max(total) FROM orders WHERE customer_id = :c
SELECT coalesce(max(total), 0) FROM orders
SELECT coalesce(sum(quantity), 0) AS q FROM items
SELECT coalesce(email, name) AS e FROM customers
SELECT coalesce(email, notes) AS e FROM customers
SELECT coalesce(credit, 0) AS c FROM customers
SELECT coalesce(score, 0.0) AS s FROM customers
SELECT coalesce(sold, 0) AS s FROM products
SELECT nullif(country, 'de') AS c FROM customers
SELECT nullif(quantity, 0) AS q FROM items
SELECT CASE WHEN credit > 0 THEN 'rich' ELSE 'poor' END AS label FROM customers
SELECT CASE WHEN credit > 0 THEN 'rich' END AS label FROM customers
SELECT CASE WHEN credit IS NULL THEN 0 ELSE credit END AS c FROM customers
SELECT CASE WHEN email IS NOT NULL THEN email ELSE name END AS c FROM customers
SELECT CASE WHEN email IS NOT NULL THEN email ELSE notes END AS c FROM customers
SELECT CASE country WHEN 'de' THEN 1 WHEN 'fr' THEN 2 ELSE 0 END AS n FROM customers
SELECT CASE WHEN active THEN id END AS n FROM customers
SELECT id + 1 AS a, id * 2 AS b, id - :less AS c FROM customers -- postgres
SELECT id + 1 AS a, id * 2 AS b, -id AS c FROM customers
SELECT total + discount AS a, total - 1 AS b, total * 2 AS c FROM orders
SELECT quantity + 1.5 AS a, quantity * 2.5 AS b FROM items
SELECT score + 1 AS a, score * credit AS b FROM customers -- sqlite duckdb mysql
SELECT score + 1 AS a, score * 2.5 AS b FROM customers
SELECT stock + sold AS a, stock * quantity AS b FROM products JOIN items USING (sku, region)
SELECT quantity / 2 AS a, quantity % 2 AS b FROM items
SELECT total / 3 AS a, score / 2 AS b FROM orders JOIN customers ON customers.id = customer_id
SELECT total / quantity AS a FROM orders JOIN items ON order_id = id WHERE quantity > 0
SELECT quantity > 1 AS a, quantity = 2 AS b, note IS NULL AS c, note = 'x' AS d FROM items
SELECT active AND vip AS a, active OR vip AS b, NOT active AS c FROM customers
SELECT active = vip AS a FROM customers
SELECT name || '!' AS a, name || notes AS b FROM customers -- sqlite duckdb postgres
SELECT concat(name, '!') AS a FROM customers
SELECT concat(name, notes) AS a FROM customers
SELECT upper(name) AS a, lower(email) AS b, length(name) AS c, trim(notes) AS d FROM customers
SELECT replace(name, 'a', 'b') AS a, substr(name, 1, 2) AS b FROM customers
SELECT substring(name, 1, 2) AS b FROM customers
SELECT round(total) AS a, round(total, 1) AS b, abs(total) AS c FROM orders
SELECT round(score) AS a, abs(score) AS b FROM customers
SELECT floor(score) AS a, ceil(score) AS b FROM customers
SELECT abs(quantity) AS a FROM items
SELECT greatest(id, 3) AS a, least(total, 5) AS b FROM orders -- duckdb postgres mysql
SELECT greatest(total, discount) AS a FROM orders -- duckdb postgres mysql
SELECT cast(id AS decimal(10,2)) AS a, cast(name AS char(10)) AS b FROM customers -- duckdb postgres mysql
SELECT cast(total AS integer) AS a, cast(id AS text) AS b FROM orders -- sqlite duckdb postgres
SELECT cast(total AS signed) AS a FROM orders -- mysql
SELECT cast(:n AS integer) AS a FROM orders -- sqlite duckdb postgres
SELECT cast(placed AS date) AS a FROM orders -- duckdb postgres mysql
SELECT current_date AS a, current_timestamp AS b FROM customers
SELECT 1 AS a, 'x' AS b, NULL AS c, 1.5 AS d -- sqlite postgres mysql
SELECT 1 AS a, 'x' AS b, 1.5 AS d, true AS e
SELECT DISTINCT country FROM customers
SELECT DISTINCT country, vip FROM customers WHERE vip IS NOT NULL
SELECT id FROM customers UNION SELECT id FROM orders
SELECT id, email FROM customers UNION ALL SELECT id, name FROM staff
SELECT id, name FROM customers UNION ALL SELECT id, NULL FROM staff
SELECT id FROM customers INTERSECT SELECT customer_id FROM orders
SELECT customer_id FROM orders EXCEPT SELECT id FROM customers
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders
SELECT total FROM orders UNION SELECT quantity FROM items
SELECT x.n FROM (SELECT count(*) AS n FROM orders) x
SELECT x.t, x.c FROM (SELECT customer_id AS c, sum(total) AS t FROM orders GROUP BY customer_id) x WHERE x.t > :t
SELECT c.name, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c
SELECT c.name, (SELECT max(o.total) FROM orders o WHERE o.customer_id = c.id) AS m FROM customers c
SELECT c.name, (SELECT o.status FROM orders o WHERE o.id = :id) AS s FROM customers c
WITH big AS (SELECT id, customer_id, total FROM orders WHERE total > :min) SELECT c.name, b.total FROM customers c JOIN big b ON b.customer_id = c.id
WITH big AS (SELECT id, customer_id FROM orders) SELECT c.name, b.id FROM customers c LEFT JOIN big b ON b.customer_id = c.id
WITH t AS (SELECT country, count(*) AS n FROM customers GROUP BY country) SELECT max(n) AS m FROM t
WITH RECURSIVE up(id, boss_id, depth) AS (SELECT id, boss_id, 0 FROM staff WHERE id = :id UNION ALL SELECT s.id, s.boss_id, up.depth + 1 FROM staff s JOIN up ON up.boss_id = s.id) SELECT id, boss_id, depth FROM up
WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5) SELECT x FROM n
WITH RECURSIVE n(x, y) AS (SELECT 1, 1 UNION ALL SELECT x + 1, nullif(x, 2) FROM n WHERE x < 5) SELECT x, y FROM n
SELECT id, row_number() OVER (ORDER BY id) AS r, rank() OVER (PARTITION BY status ORDER BY total) AS k FROM orders
SELECT id, sum(total) OVER (PARTITION BY customer_id) AS s, avg(discount) OVER (ORDER BY id) AS a FROM orders
SELECT id, lag(total) OVER (ORDER BY id) AS p, lead(total) OVER (ORDER BY id) AS n FROM orders
SELECT id, first_value(total) OVER (ORDER BY id) AS f, last_value(discount) OVER (ORDER BY id) AS l FROM orders
SELECT id, count(*) OVER () AS n, ntile(4) OVER (ORDER BY id) AS q FROM orders
SELECT id, sum(total) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND 1 PRECEDING) AS s FROM orders
SELECT id, sum(total) OVER w AS s FROM orders WINDOW w AS (ORDER BY id)
SELECT customer, total FROM open_orders WHERE id = :id
SELECT * FROM open_orders
SELECT o.customer, c.email FROM open_orders o JOIN customers c ON c.name = o.customer
SELECT status, count(*) AS n FROM orders WHERE status = :status GROUP BY status
SELECT id FROM orders WHERE status IN ('open', 'paid') AND placed >= :since
SELECT id FROM orders WHERE paid IS NULL ORDER BY placed DESC LIMIT 1
SELECT id, paid FROM orders WHERE paid > placed
SELECT o.id FROM orders o JOIN customers c ON c.id = o.customer_id WHERE c.id = :cid AND o.id = :oid
SELECT i.quantity FROM items i JOIN orders o ON o.id = i.order_id WHERE o.id = :o AND i.line = :l
SELECT name FROM customers c WHERE credit > (SELECT avg(credit) FROM customers)
SELECT sku, sum(quantity) AS q FROM items GROUP BY sku ORDER BY q DESC LIMIT 3
SELECT extra FROM products WHERE sku = :sku AND region = :region
SELECT photo FROM products WHERE sku = :sku
SELECT c.country, o.status, count(*) AS n, sum(o.total) AS t FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.country, o.status ORDER BY 1, 2
SELECT sum(CASE WHEN status = 'paid' THEN total ELSE 0 END) AS paid FROM orders
SELECT count(CASE WHEN status = 'paid' THEN 1 END) AS paid FROM orders
SELECT sum(quantity * 2) AS a, sum(quantity * price) AS b FROM items JOIN products USING (sku, region)
SELECT avg(quantity * price) AS a FROM items JOIN products USING (sku, region)
SELECT count(*) AS n FROM orders GROUP BY status HAVING sum(total) > :t
SELECT min(quantity) AS a, max(note) AS b FROM items GROUP BY order_id
SELECT order_id, max(quantity) - min(quantity) AS spread FROM items GROUP BY order_id
INSERT INTO customers (id, name, active, joined, credit, email) VALUES (:id, :name, :active, :joined, :credit, :email) -- sqlite duckdb postgres mysql
INSERT INTO customers (id, name, active, joined) VALUES (:id, :name, :active, :joined) RETURNING id, email, country, credit -- sqlite duckdb postgres
INSERT INTO staff (id, name, hired) SELECT id + 1000, name, :day FROM customers
UPDATE customers SET credit = :credit, notes = :notes WHERE id = :id
UPDATE customers SET credit = coalesce(:credit, credit) WHERE id = :id RETURNING id, credit -- sqlite duckdb postgres
UPDATE orders SET discount = 0 WHERE discount IS NULL RETURNING id, discount, parent_id -- sqlite duckdb postgres
UPDATE orders SET paid = NULL WHERE paid IS NOT NULL RETURNING paid -- sqlite duckdb postgres
DELETE FROM items WHERE order_id = :o AND line = :l
DELETE FROM items WHERE note IS NOT NULL RETURNING note, quantity -- sqlite duckdb postgres
SELECT count(*) FILTER (WHERE status = 'paid') AS n, sum(total) FILTER (WHERE status = 'paid') AS t FROM orders -- sqlite duckdb postgres
SELECT customer_id, sum(total) FILTER (WHERE status = 'paid') AS t FROM orders GROUP BY customer_id -- sqlite duckdb postgres
SELECT c.name, l.total FROM customers c LEFT JOIN LATERAL (SELECT total FROM orders o WHERE o.customer_id = c.id ORDER BY id LIMIT 1) l ON true -- postgres duckdb
SELECT c.name, l.total FROM customers c CROSS JOIN LATERAL (SELECT max(total) AS total FROM orders o WHERE o.customer_id = c.id) l -- postgres duckdb
SELECT name FROM customers WHERE id = ANY(:ids) -- postgres duckdb
SELECT string_agg(name, ',') AS n FROM customers GROUP BY country -- sqlite duckdb postgres
SELECT group_concat(name) AS n FROM customers GROUP BY country -- sqlite mysql
SELECT array_agg(id) AS ids, array_agg(email ORDER BY id) AS e FROM customers -- postgres
SELECT country, array_agg(id) AS ids FROM customers GROUP BY country -- postgres duckdb
SELECT date_trunc('month', placed) AS m, count(*) AS n FROM orders GROUP BY 1 -- postgres duckdb
SELECT extract(year FROM placed) AS y, extract(epoch FROM paid) AS e FROM orders -- postgres
SELECT extract(year FROM placed) AS y FROM orders -- duckdb mysql
SELECT placed + interval '1 day' AS d, paid - placed AS w, placed::date - born AS n FROM orders JOIN customers ON customers.id = customer_id -- postgres
SELECT now() - placed AS age, to_char(placed, 'YYYY') AS y FROM orders -- postgres
SELECT extra->>'a' AS a, extra->'b' AS b, extra->'b'->0 AS c FROM products -- postgres duckdb
SELECT extra->>'$.a' AS a FROM products -- sqlite
SELECT json_extract(extra, '$.a') AS a FROM products -- sqlite mysql duckdb
SELECT jsonb_build_object('id', id, 'name', name) AS j, to_jsonb(c) AS w FROM customers c -- postgres
SELECT jsonb_agg(name) AS n, jsonb_object_agg(id, name) AS m FROM customers -- postgres
SELECT g FROM generate_series(1, 3) g -- postgres
SELECT d.day, count(o.id) AS n FROM generate_series(date '2024-01-01', date '2024-01-03', interval '1 day') AS d(day) LEFT JOIN orders o ON o.placed::date = d.day GROUP BY d.day -- postgres
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total) AS m, mode() WITHIN GROUP (ORDER BY status) AS s FROM orders -- postgres
SELECT bool_and(active) AS a, bool_or(vip) AS o FROM customers -- postgres duckdb
SELECT id FROM customers WHERE joined > now() - interval '7 days' AND name ILIKE :q -- postgres
SELECT DISTINCT ON (customer_id) customer_id, total FROM orders ORDER BY customer_id, placed DESC -- postgres duckdb
SELECT v.a, v.b FROM (VALUES (1, 'x'), (2, NULL)) AS v(a, b) -- postgres duckdb
INSERT INTO customers (id, name, active, joined) VALUES (:id, :name, :active, :joined) ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING * -- postgres sqlite duckdb
UPDATE orders SET total = total + :more FROM customers c WHERE c.id = orders.customer_id AND c.email = :email RETURNING orders.id, c.name -- postgres
DELETE FROM orders USING customers c WHERE c.id = orders.customer_id AND c.country = :country RETURNING orders.id, c.email -- postgres
WITH gone AS (DELETE FROM items WHERE quantity = 0 RETURNING *) SELECT count(*) AS n FROM gone -- postgres
SELECT id FROM orders WHERE (status, total) = ('open', :total) -- postgres duckdb
SELECT array_length(array_agg(id), 1) AS n, cardinality(array_agg(id)) AS c FROM customers -- postgres
SELECT unnest(ARRAY[1, 2]) AS n -- postgres
SELECT position('a' IN name) AS p, left(name, 2) AS l, split_part(name, 'a', 1) AS s, repeat(name, 2) AS r FROM customers -- postgres
SELECT make_date(2024, 1, 1) AS d, age(placed) AS a, date_part('hour', placed) AS h FROM orders -- postgres
SELECT country, grouping(country) AS g, count(*) AS n FROM customers GROUP BY ROLLUP (country) -- postgres
SELECT total::text AS t, status::text AS s, id::text::int AS i FROM orders -- postgres
SELECT ifnull(email, '') AS e, iif(active, 1, 2) AS i, total(credit) AS t FROM customers GROUP BY id -- sqlite
SELECT date(joined) AS d, strftime('%Y', joined) AS y, julianday(joined) AS j, typeof(credit) AS t FROM customers -- sqlite
SELECT rowid, id FROM orders -- sqlite
SELECT e.value FROM products, json_each(products.extra) e -- sqlite
SELECT name, count(*) AS n FROM customers -- sqlite
SELECT ifnull(email, '') AS e, if(active, 1, 0) AS i, date(joined) AS d, year(born) AS y, datediff(joined, born) AS n FROM customers -- mysql
SELECT date_format(joined, '%Y') AS y, date_add(joined, INTERVAL 1 DAY) AS d, timestampdiff(DAY, born, joined) AS n FROM customers -- mysql
SELECT quantity DIV 2 AS a, quantity <=> NULL AS b, left(note, 1) AS c FROM items -- mysql
SELECT sum(active) AS a, sum(quantity > 1) AS b FROM customers JOIN items -- mysql
SELECT list(id) AS l, first(name) AS f, median(score) AS m, arg_max(name, score) AS x FROM customers -- duckdb
SELECT strftime(joined, '%Y') AS y, date_diff('day', born, date '2024-01-01') AS n, year(joined) AS yy FROM customers -- duckdb
SELECT quantity // 2 AS a, * EXCLUDE (note) FROM items -- duckdb
SELECT id, total FROM orders QUALIFY row_number() OVER (PARTITION BY customer_id ORDER BY total) = 1 -- duckdb
SELECT joined + INTERVAL 1 DAY AS a, born + 1 AS b, joined - joined AS c FROM customers -- duckdb
SELECT e.key, e.value FROM products p CROSS JOIN LATERAL jsonb_each(p.extra) e -- postgres
SELECT p.sku, x.value FROM products p, jsonb_array_elements(p.extra->'b') x -- postgres
SELECT k FROM products p, jsonb_object_keys(p.extra) k -- postgres
SELECT unnest(array_agg(id)) AS n, id % 2 AS odd FROM customers GROUP BY id % 2 -- postgres
SELECT id, sum(discount) OVER w AS s FROM orders WINDOW w AS (ORDER BY id ROWS 1 PRECEDING)
SELECT country, vip, sum(credit) AS c FROM customers GROUP BY (country, vip) -- duckdb postgres
SELECT sum(quantity) AS q, count(*) AS n FROM items GROUP BY () -- duckdb postgres
SELECT country, vip, sum(id) AS s FROM customers GROUP BY ALL -- duckdb
SELECT sum(id) AS s, 1 AS one FROM customers GROUP BY ALL -- duckdb
SELECT count_if(vip) AS n FROM customers -- duckdb
SELECT country, count_if(active) AS n, count_if(vip) AS m FROM customers GROUP BY country -- duckdb
SELECT c.country, sum(o.total) AS s, count(DISTINCT o.customer_id) AS n FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.country HAVING sum(o.total) > 1
SELECT CASE WHEN discount IS NULL THEN total ELSE total - discount END AS net FROM orders
SELECT CASE status WHEN 'open' THEN 1 WHEN 'paid' THEN 2 END AS place FROM orders
SELECT coalesce(discount, 0) AS d, coalesce(parent_id, id) AS p, nullif(total, 0) AS t FROM orders
SELECT coalesce(email, notes) AS e, coalesce(email, notes, name) AS n FROM customers
SELECT name FROM customers WHERE email IS NULL AND credit > :least ORDER BY credit DESC, name
SELECT id, (SELECT count(*) FROM orders o WHERE o.customer_id = c.id) AS n FROM customers c
SELECT id, (SELECT o.total FROM orders o WHERE o.customer_id = c.id ORDER BY o.id LIMIT 1) AS t FROM customers c
SELECT id, EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id) AS e FROM customers c
SELECT max(c.born) AS b, min(c.joined) AS j, max(c.email) AS e FROM customers c WHERE c.active
SELECT customer_id, max(total) AS m FROM orders WHERE customer_id IS NOT NULL GROUP BY customer_id
SELECT x.n, x.m FROM (SELECT count(*) AS n, max(quantity) AS m FROM items) x
SELECT x.country, x.n FROM (SELECT country, count(*) AS n FROM customers GROUP BY country) x WHERE x.n > :n
WITH big AS (SELECT customer_id, sum(total) AS t FROM orders GROUP BY customer_id) SELECT c.name, b.t FROM customers c LEFT JOIN big b ON b.customer_id = c.id
WITH a AS (SELECT id, name FROM customers), b AS (SELECT id FROM a WHERE name = :name) SELECT a.name, b.id FROM a JOIN b ON a.id = b.id
WITH RECURSIVE up (id, boss, depth) AS (SELECT id, boss_id, 0 FROM staff WHERE id = :id UNION ALL SELECT s.id, s.boss_id, up.depth + 1 FROM staff s JOIN up ON up.boss = s.id) SELECT id, boss, depth FROM up
SELECT name FROM customers UNION SELECT title FROM products
SELECT email FROM customers UNION ALL SELECT note FROM items
SELECT id, total FROM orders UNION ALL SELECT id, credit FROM customers
SELECT id FROM customers EXCEPT SELECT customer_id FROM orders -- sqlite duckdb postgres
SELECT customer_id FROM orders INTERSECT SELECT id FROM customers -- sqlite duckdb postgres
SELECT id, row_number() OVER (PARTITION BY customer_id ORDER BY placed) AS r, rank() OVER (ORDER BY total) AS k FROM orders
SELECT id, lag(total) OVER (ORDER BY id) AS l, lead(total) OVER (ORDER BY id) AS d FROM orders
SELECT id, first_value(total) OVER (PARTITION BY customer_id ORDER BY id) AS f FROM orders
SELECT id, sum(quantity) OVER (PARTITION BY order_id) AS s FROM (SELECT order_id AS id, order_id, quantity FROM items) q
SELECT id, count(*) OVER () AS n, avg(total) OVER () AS a FROM orders
SELECT upper(name) AS u, lower(email) AS l, length(notes) AS n, trim(name) AS t FROM customers
SELECT replace(name, 'a', 'b') AS r, substr(name, 1, 2) AS s, abs(credit) AS a FROM customers
SELECT round(price, 1) AS r, price * stock AS p, stock + sold AS s, -weight AS w FROM products
SELECT price > 10 AS b, title LIKE 'a%' AS l, stock BETWEEN 1 AND 5 AS i, sold IS NULL AS n FROM products
SELECT quantity + 1 AS a, quantity * 2 AS b, quantity - line AS c FROM items
SELECT CAST(total AS CHAR(20)) AS t FROM orders
SELECT CAST(name AS CHAR(3)) AS n, CAST(:x AS DECIMAL(10, 2)) AS x FROM customers -- duckdb postgres mysql
SELECT c.name, p.title FROM customers c JOIN orders o ON o.customer_id = c.id JOIN items i ON i.order_id = o.id JOIN products p ON p.sku = i.sku AND p.region = i.region
SELECT c.name, i.note FROM customers c LEFT JOIN (orders o JOIN items i ON i.order_id = o.id) ON o.customer_id = c.id
SELECT c.name, o.discount FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.discount > 0
SELECT c.name, o.id FROM customers c LEFT JOIN orders o ON o.customer_id = c.id AND o.total > :least
SELECT s.name, b.name AS boss, t.name AS top FROM staff s LEFT JOIN staff b ON b.id = s.boss_id LEFT JOIN staff t ON t.id = b.boss_id
SELECT DISTINCT country, vip FROM customers ORDER BY country
SELECT name FROM customers WHERE id IN (SELECT customer_id FROM orders WHERE total > :least)
SELECT name FROM customers WHERE id NOT IN (SELECT customer_id FROM orders WHERE customer_id IS NOT NULL)
SELECT id FROM orders WHERE status = :status AND placed >= :since AND (discount IS NULL OR discount < :most)
SELECT id, discount FROM orders WHERE discount IS NOT NULL AND paid IS NOT NULL
SELECT id, paid FROM orders WHERE coalesce(paid, placed) > :since
SELECT name, born FROM customers WHERE (born IS NOT NULL AND vip) OR born > :after
SELECT name, vip FROM customers WHERE vip
SELECT name, vip FROM customers WHERE NOT vip
SELECT name, score FROM customers WHERE score = :score OR score <> 1
SELECT max(id) AS i FROM orders WHERE id = :id
SELECT sum(i.quantity * p.price) AS s FROM items i JOIN products p ON p.sku = i.sku AND p.region = i.region WHERE i.order_id = :id
SELECT count(*) AS n, sum(CASE WHEN vip THEN 1 ELSE 0 END) AS v, sum(CASE WHEN active THEN credit END) AS c FROM customers
SELECT country, count(*) AS n FROM customers GROUP BY country ORDER BY n DESC LIMIT 3
INSERT INTO staff (id, name, hired) VALUES (:id, :name, :hired)
UPDATE customers SET credit = coalesce(credit, 0) + :more WHERE id = :id
UPDATE orders SET discount = NULL, paid = :paid WHERE status = 'open' AND customer_id IN (:ids)
DELETE FROM items WHERE order_id IN (SELECT id FROM orders WHERE status = :status)
SELECT 1 AS a, 'x' AS b, NULL AS c, 1.5 AS d
SELECT sku, region, stock FROM products WHERE (sku = :sku AND region = :region) OR stock > :least
SELECT p.sku, coalesce(sum(i.quantity), 0) AS q FROM products p LEFT JOIN items i ON i.sku = p.sku AND i.region = p.region GROUP BY p.sku, p.region
SELECT date_trunc('day', placed) AS d, sum(total) AS s FROM orders GROUP BY date_trunc('day', placed) -- postgres duckdb
SELECT id, placed::date AS d, (total * 100)::bigint AS c FROM orders -- postgres duckdb
SELECT concat(name, ' ', email) AS n, concat_ws('-', name, email) AS w FROM customers -- postgres duckdb mysql
SELECT greatest(total, discount) AS g, least(total, 5) AS l FROM orders -- postgres duckdb
SELECT id FROM orders WHERE placed BETWEEN :a AND :b ORDER BY placed DESC NULLS LAST -- sqlite duckdb postgres
SELECT count(*) FILTER (WHERE vip) AS v, max(credit) FILTER (WHERE active) AS c FROM customers -- sqlite duckdb postgres
INSERT INTO staff (id, name, hired) SELECT id + 1000, name, hired FROM staff RETURNING id, name, boss_id -- sqlite duckdb postgres
UPDATE products SET stock = stock - 1 WHERE sku = :sku RETURNING sku, stock, extra -- sqlite duckdb postgres
DELETE FROM orders WHERE id = :id RETURNING id, discount, paid -- sqlite duckdb postgres
SELECT x.country, c.name FROM (SELECT DISTINCT country FROM customers) x JOIN customers c USING (country)
