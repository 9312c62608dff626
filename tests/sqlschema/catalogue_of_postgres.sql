-- functions
WITH p AS (
    SELECT p.proname, p.prokind, p.proretset, p.proisstrict, p.pronargdefaults,
           p.provariadic <> 0 AS spreads, t.typname AS result,
           ARRAY(SELECT ty.typname FROM unnest(p.proargtypes) WITH ORDINALITY AS u(o, n)
                 JOIN pg_type ty ON ty.oid = u.o ORDER BY n) AS arguments,
           coalesce(obj_description(p.oid, 'pg_proc'), '') NOT LIKE 'implementation of %'
           AND p.proname !~ '^(pg_stat_get|_|.*_(support|larger|smaller|accum|combine)$)'
               AS is_offered
    FROM pg_proc p JOIN pg_type t ON t.oid = p.prorettype
    WHERE p.pronamespace = 'pg_catalog'::regnamespace
)
SELECT proname, prokind, proretset, proisstrict, pronargdefaults, spreads, result, arguments,
       bool_or(is_offered) OVER (PARTITION BY proname)
FROM p
WHERE NOT result || arguments && ARRAY['internal', 'cstring']::name[]
  AND result !~ '(_handler|trigger)$' AND proname !~ '^binary_upgrade'
ORDER BY proname, prokind, arguments
-- operators
SELECT o.oprname, l.typname, r.typname, t.typname
FROM pg_operator o LEFT JOIN pg_type l ON l.oid = o.oprleft
JOIN pg_type r ON r.oid = o.oprright JOIN pg_type t ON t.oid = o.oprresult
ORDER BY 1, 2 NULLS FIRST, 3
-- casts
SELECT s.typname, t.typname, c.castcontext
FROM pg_cast c JOIN pg_type s ON s.oid = c.castsource JOIN pg_type t ON t.oid = c.casttarget
ORDER BY 1, 2
-- outputs
SELECT DISTINCT p.proname,
    (SELECT string_agg(a.name || ':' || ty.typname, ',' ORDER BY a.n)
     FROM unnest(p.proargnames, p.proargmodes, p.proallargtypes)
         WITH ORDINALITY AS a(name, mode, type, n)
     JOIN pg_type ty ON ty.oid = a.type
     WHERE a.mode IN ('o', 't', 'b'))
FROM pg_proc p
WHERE p.pronamespace = 'pg_catalog'::regnamespace AND p.proargmodes && '{o,t,b}'
  AND NOT EXISTS (
      SELECT 1 FROM pg_proc o WHERE o.proname = p.proname AND o.proargmodes IS NULL)
ORDER BY 1, 2
-- types
SELECT t.typname, t.typcategory, t.typispreferred
FROM pg_type t
WHERE t.typnamespace = 'pg_catalog'::regnamespace AND t.typtype IN ('b', 'r', 'm', 'p')
  AND t.typname !~ '^_'
ORDER BY 1
