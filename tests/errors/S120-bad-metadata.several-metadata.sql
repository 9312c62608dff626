/*
---
type: sql_function
name: probe
--- # the next one
name: second
---
*/
SELECT 1
