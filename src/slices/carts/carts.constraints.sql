-- Every row keeps these checks, whoever writes it.
ALTER TABLE "cart_items"
    ADD CONSTRAINT "cart_items_quantity_check" CHECK ("quantity" >= 1),
    ADD CONSTRAINT "cart_items_stock_check" CHECK ("stock" > 0),
    ADD CONSTRAINT "cart_items_stock_taken_check" CHECK ("stock_taken" > 0 AND "stock_taken" >= "stock"),
    ADD CONSTRAINT "cart_items_extras_check" CHECK (jsonb_typeof("extras") = 'array'),
    ADD CONSTRAINT "cart_items_notes_check" CHECK (char_length("notes") <= 255),
    ADD CONSTRAINT "cart_items_snapshot_check" CHECK (jsonb_typeof("snapshot") = 'object');
