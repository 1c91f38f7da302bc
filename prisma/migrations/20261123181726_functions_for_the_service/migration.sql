-- Functions are for the service's role, no longer for everybody. A role that serves already, which may add rows, goes on.
DO $$
DECLARE
    _routine record;
    _role text;
BEGIN
    FOR _routine IN
        SELECT p.oid::regprocedure AS signature, p.prorettype = 'trigger'::regtype AS is_trigger FROM pg_proc AS p
         WHERE p.pronamespace = 'public'::regnamespace AND p.prokind <> 'a' AND pg_has_role(p.proowner, 'MEMBER')
           AND NOT EXISTS (
               SELECT FROM pg_depend AS d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
    LOOP
        FOR _role IN
            SELECT DISTINCT quote_ident(pg_get_userbyid(a.grantee)) FROM pg_class AS c, aclexplode(c.relacl) AS a
             WHERE c.relnamespace = 'public'::regnamespace AND a.privilege_type = 'INSERT' AND a.grantee NOT IN (0, c.relowner)
        LOOP
            IF NOT _routine.is_trigger THEN
                EXECUTE format('GRANT EXECUTE ON ROUTINE %s TO %s', _routine.signature, _role);
            END IF;
        END LOOP;
        EXECUTE format('REVOKE EXECUTE ON ROUTINE %s FROM PUBLIC', _routine.signature);
    END LOOP;
END
$$;

ALTER DEFAULT PRIVILEGES REVOKE EXECUTE ON FUNCTIONS FROM PUBLIC;
