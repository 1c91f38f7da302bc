-- The uses that were there before the triggers. Uses are written meanwhile, and those have their rows already.
INSERT INTO "coupon_use_facts"
    ("company_id", "coupon_id", "use_id", "client_id", "order_id", "branch_id", "currency_iso", "subtotal_e2", "amount_e2",
     "company_amount_e2", "is_new", "created_at", "returned_at")
SELECT r."company_id", r."coupon_id", r."id", r."client_id", r."order_id", o."branch_id", o."currency_iso",
       CASE WHEN o."subtotal_e2" = 0 AND o."total_e2" > o."delivery_e2" THEN o."total_e2" - o."delivery_e2"
            ELSE coalesce(o."subtotal_e2", 0) END,
       r."amount_e2", r."company_amount_e2",
       r."client_id" IS NOT NULL
           AND row_number() OVER (PARTITION BY r."company_id", r."client_id" ORDER BY r."id") = 1,
       r."created_at", r."returned_at"
  FROM "coupon_redemptions" r
  LEFT JOIN "orders" o ON o."company_id" = r."company_id" AND o."id" = r."order_id"
ON CONFLICT DO NOTHING;
