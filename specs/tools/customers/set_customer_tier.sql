/*
---
name: set_customer_tier
description: Change a customer's tier. Writes to the customers table.
arguments:
  inline:
    customer_id: int
    tier: CustomerTier
    # Never asked of the model: the host takes it from the session.
    actor_id:
      type: string
      from_context: app.user.id
mcp:
  title: Set customer tier
---
*/
UPDATE customers
SET tier = :tier, changed_by = :actor_id
WHERE customer_id = :customer_id
