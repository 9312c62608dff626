/*
---
type: sql_function
name: find_orders
connection: warehose  ⟵ R381 warehose
arguments:
  inline:
    customer_id: int
    since: { type: date, default: 2026-02-30 }  ⟵ R331 2026-02-30
    limit: { type: int, default: "10" }  ⟵ R331 "10"
returns: object[]
---
*/
SELECT order_id, total
FROM orders
WHERE customer_id = :customer_id AND created >= :since
LIMIT :limit
