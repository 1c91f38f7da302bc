-- The uses of gift cards from before movements were kept with uses. A movement and its use were written in one transaction under
-- the lock of the coupon, so both have their ids in the same order: of the same coupon, client and amount, the first is of the
-- first. Where there are not as many of both, nothing is told, and reverse_movement refuses.
WITH "uses" AS (
    SELECT r."company_id", r."coupon_id", r."id", r."client_id", r."amount_e2", r."created_at",
           row_number() OVER (PARTITION BY r."company_id", r."coupon_id", r."client_id", r."amount_e2" ORDER BY r."id") AS "place",
           count(*) OVER (PARTITION BY r."company_id", r."coupon_id", r."client_id", r."amount_e2") AS "count"
      FROM "coupons" c
      JOIN "coupon_redemptions" r ON r."company_id" = c."company_id" AND r."coupon_id" = c."id"
     WHERE c."type" = 'gift_card' AND r."order_id" IS NULL AND r."movement_id" IS NULL
), "movements" AS (
    SELECT m."company_id", c."id" AS "coupon_id", m."id", k."client_id", m."amount_e2", m."created_at",
           row_number() OVER (PARTITION BY m."company_id", c."id", k."client_id", m."amount_e2" ORDER BY m."id") AS "place",
           count(*) OVER (PARTITION BY m."company_id", c."id", k."client_id", m."amount_e2") AS "count"
      FROM "coupons" c
      JOIN "balance_movements" m ON m."company_id" = c."company_id" AND m."related_type" = 'coupon' AND m."related_id" = c."id"
     CROSS JOIN LATERAL (SELECT CASE m."holder_type" WHEN 'client' THEN m."holder_key" END AS "client_id") AS k
     WHERE c."type" = 'gift_card' AND m."type" = 'gift_card' AND m."holder_key" > 0
       AND NOT EXISTS (
           SELECT FROM "coupon_redemptions" r
            WHERE r."company_id" = m."company_id" AND r."coupon_id" = c."id" AND r."movement_id" = m."id")
)
UPDATE "coupon_redemptions" AS r SET "movement_id" = m."id"
  FROM "uses" u
  JOIN "movements" m
    ON m."company_id" = u."company_id" AND m."coupon_id" = u."coupon_id" AND m."amount_e2" = u."amount_e2"
       AND m."client_id" IS NOT DISTINCT FROM u."client_id" AND m."place" = u."place" AND m."count" = u."count"
       AND m."created_at" >= u."created_at"
 WHERE r."company_id" = u."company_id" AND r."coupon_id" = u."coupon_id" AND r."id" = u."id";
