/*
---
name: cancel_order
description: Cancel an order that was not shipped yet. Writes to the orders table.
arguments:
  inline:
    order_id: int
    reason: { type: string, minLength: 1, maxLength: 500, description: Why the customer cancels }
    actor_id: { type: string, from_context: app.user.id }
mcp:
  title: Cancel an order
---
*/
UPDATE orders
SET status = 'cancelled', note = :reason, changed_by = :actor_id
WHERE order_id = :order_id AND status = 'pending'
