/*
---
name: get_customer
description: Look up one customer by number.
arguments:
  inline:
    customer_id: int
returns: Customer
---
*/
SELECT customer_id, name, email, tier, is_active, created_at
FROM customers
WHERE customer_id = :customer_id
