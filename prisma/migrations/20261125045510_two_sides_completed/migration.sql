-- Movements of old get their counterparts here where they are few. Where they are many, that would be minutes in one
-- transaction: a job does it while the service runs (src/slices/balance/completion.jobs.ts).
DO $$
DECLARE
    _most CONSTANT integer := 100000;
    _company integer;
BEGIN
    IF (SELECT count(*) FROM (SELECT FROM "balance_movements" WHERE "counterpart_id" IS NULL LIMIT _most + 1) AS m) <= _most THEN
        FOR _company IN SELECT "id" FROM "companies" ORDER BY "id" LOOP
            WHILE "complete_movements"(_company, _most) > 0 LOOP
                NULL;
            END LOOP;
        END LOOP;
    END IF;
END
$$;
