-- Every row keeps these checks, whoever writes it.

ALTER TABLE "refresh_tokens"
    ADD CONSTRAINT "refresh_tokens_subject_kind_check" CHECK ("subject_kind" IN ('admin', 'client'));
