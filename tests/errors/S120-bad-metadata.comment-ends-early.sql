/*
---
type: sql_function
name: probe
description: all of docs/*/
---
*/
SELECT 1
