/*
---
name: add_order_note
description: Attach a dated note to an order. Writes to the order_notes table.
bundle: order_desk
args:
  inline:
    order_id: int
    note: { type: string, maxLength: 2000 }
    follow_up_on: date?
    actor_id: { type: string, from_context: app.user.id }
---
*/
INSERT INTO order_notes (order_id, note, follow_up_on, author)
VALUES (:order_id, :note, :follow_up_on, :actor_id)
