/*
---
name: get_orders
description: List a customer's orders, newest first.
arguments:
  inline:
    customer_id: { type: int, description: Number of the customer }
    status: OrderStatus?
    limit: { type: int, default: 10, minimum: 1, maximum: 100, description: How many to list }
returns: Order[]
---
*/
SELECT order_id, status, total, placed_at
FROM orders
WHERE customer_id = :customer_id
  AND (:status IS NULL OR status = :status)
ORDER BY placed_at DESC
LIMIT :limit
