-- CreateTable
CREATE TABLE "search_synonyms" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "texts" TEXT[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "search_synonyms_pkey" PRIMARY KEY ("company_id","id")
);

-- AddForeignKey
ALTER TABLE "search_synonyms" ADD CONSTRAINT "search_synonyms_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE search_synonyms ADD CONSTRAINT search_synonyms_texts_check CHECK (((cardinality(texts) >= 2) AND (cardinality(texts) <= 20)));

CREATE TRIGGER search_synonyms_audit AFTER INSERT OR DELETE OR UPDATE ON public.search_synonyms FOR EACH ROW WHEN ((current_setting('audit.context'::text, true) <> ''::text)) EXECUTE FUNCTION audit_row('search_synonym');

CREATE INDEX search_synonyms_texts_idx ON public.search_synonyms USING gin (company_id, folded_texts(texts));

COMMENT ON INDEX search_synonyms_pkey IS 'key of the rows';
COMMENT ON INDEX search_synonyms_texts_idx IS 'A search finds the groups of synonyms that have words of its text.';
