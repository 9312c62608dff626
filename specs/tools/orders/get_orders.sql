/*
---
name: get_orders
description: List a customer's orders, newest first.
when_to_use: Use for questions about what was ordered, when, and for how much.
bundle: order_desk
arguments:
  entity_ref: Page
  inline:
    customer_id: int
    status: { type: OrderStatus, default: shipped }
    min_total: { type: decimal, required: false, minimum: 0, description: Smallest total to list }
    placed_after: datetime?
returns: OrderSummary[]
---
*/
SELECT order_id, customer_id, status, total, placed_at, note
FROM orders
WHERE customer_id = :customer_id
  AND status = :status
  AND (:min_total IS NULL OR total >= :min_total)
  AND (:placed_after IS NULL OR placed_at > :placed_after)
ORDER BY placed_at DESC
LIMIT :limit OFFSET :offset
