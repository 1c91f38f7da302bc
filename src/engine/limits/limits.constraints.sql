-- Every row keeps these checks, whoever writes it.

ALTER TABLE "rate_limits"
    ADD CONSTRAINT "rate_limits_count_check" CHECK ("count" >= 0);
