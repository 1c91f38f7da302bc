-- Every id of the company's own systems is kept here, whichever row has it.

ALTER TABLE "external_ids"
    ADD CONSTRAINT "external_ids_external_id_check" CHECK (char_length("external_id") BETWEEN 1 AND 64);
