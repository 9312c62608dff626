/*
---
type: sql_function
name: probe
*/
SELECT 1
