/*
---
type: sql_function
name: two
---
*/
SELECT 2
