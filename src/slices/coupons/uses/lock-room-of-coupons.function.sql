-- Locks what coupons have left to give. Whoever gives uses or holds back locks it alone; whoever leaves coupons out because they
-- have too little left locks it together with others like that: so what is given back is seen before the decision, or comes
-- after it. These are no locks of rows, since of a coupon that is used up everybody would wait for everybody, and whoever gives
-- back for all of them. It is taken behind the order, before campaigns and coupons (see "use_coupon"), in the order of the keys.
CREATE OR REPLACE FUNCTION "lock_room_of_coupons"(_company integer, _coupons integer[], _gives_back boolean) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM CASE WHEN _gives_back THEN pg_advisory_xact_lock(k."key") ELSE pg_advisory_xact_lock_shared(k."key") END
      FROM (
          SELECT DISTINCT hashtextextended(
                     'room of coupons:' || _company || coalesce(':campaign ' || c."campaign_id", ':coupon ' || c."id"), 0
                 ) AS "key"
            FROM "coupons" c WHERE c."company_id" = _company AND c."id" = ANY (_coupons)
           ORDER BY 1
      ) k;
END
$$;
