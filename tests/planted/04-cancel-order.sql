/*
---
type: sql_function
name: cancel_order
arguments:
  inline:
    order_id: int
    reason: string
    actor: { type: string, from_context: session.user }  ⟵ R352 session.user
returns: Ordr  ⟵ R311 Ordr
---
*/
UPDATE orders
SET status = 'cancelled', note = :reason, changed_by = :actor
WHERE order_id = :oder_id  ⟵ SQL001 :oder_id
  AND order_id <> :order_id
