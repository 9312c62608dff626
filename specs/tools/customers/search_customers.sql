/*
---
name: search_customers
description: Find customers by part of the name, by tier or by activity.
when_to_use: Use when the customer number is not known.
arguments:
  entity_ref: Page
  inline:
    query: { type: string, required: false, minLength: 2, description: Part of the name }
    tier: { type: CustomerTier, required: false }
    active_only: { type: bool, default: true }
returns: Customer[]
tags: [customers, search]
---
*/
-- A filter counts only when it is given: an absent argument is bound as NULL.
SELECT customer_id, name, email, tier, is_active, created_at
FROM customers
WHERE (:query IS NULL OR name LIKE '%' || :query || '%')
  AND (:tier IS NULL OR tier = :tier)
  AND (NOT :active_only OR is_active)
ORDER BY customer_id
LIMIT :limit OFFSET :offset
