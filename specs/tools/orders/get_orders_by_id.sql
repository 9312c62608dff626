/*
---
name: get_orders_by_id
description: Fetch several orders at once.
bundle: order_desk
arguments:
  inline:
    order_ids: { type: "int[]", minItems: 1, maxItems: 200, uniqueItems: true }
returns: OrderSummary[]
---
*/
SELECT order_id, customer_id, status, total, placed_at, note
FROM orders
WHERE order_id IN (:order_ids)
ORDER BY order_id
