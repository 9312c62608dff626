/*
---
type: sql_function
name: find_orders
description: Finds the orders of some customers.
arguments:
  inline: {customers: int[], since: date}
---
*/
SELECT 1
