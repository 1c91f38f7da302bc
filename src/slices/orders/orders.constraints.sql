-- Every row keeps these checks, whoever writes it.

ALTER TABLE "orders"
    ADD CONSTRAINT "orders_shopper_fee_e2_check" CHECK ("shopper_fee_e2" >= 0),
    ADD CONSTRAINT "orders_deliverer_fee_e2_check" CHECK ("deliverer_fee_e2" >= 0),
    ADD CONSTRAINT "orders_subtotal_e2_check" CHECK ("subtotal_e2" >= 0),
    ADD CONSTRAINT "orders_delivery_e2_check" CHECK ("delivery_e2" >= 0),
    ADD CONSTRAINT "orders_total_e2_check" CHECK ("total_e2" BETWEEN 0 AND 9007199254740991),
    ADD CONSTRAINT "orders_currency_iso_check" CHECK (char_length("currency_iso") BETWEEN 3 AND 8),
    ADD CONSTRAINT "orders_status_check" CHECK ("status" IN ('created', 'paid', 'delivered', 'canceled')),
    ADD CONSTRAINT "orders_sum_check" CHECK ("delivery_e2" <= 9007199254740991 - "subtotal_e2");

ALTER TABLE "order_items"
    ADD CONSTRAINT "order_items_quantity_check" CHECK ("quantity" >= 1),
    ADD CONSTRAINT "order_items_total_price_e2_check" CHECK ("total_price_e2" BETWEEN 0 AND 9007199254740991);
