-- CreateTable
CREATE TABLE "good_repricings" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "filter" JSONB,
    "percent_e2" INTEGER,
    "amount_e2" BIGINT,
    "round_to_e2" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "total" INTEGER NOT NULL,
    "done" INTEGER NOT NULL DEFAULT 0,
    "changed" INTEGER NOT NULL DEFAULT 0,
    "kept" INTEGER NOT NULL DEFAULT 0,
    "last_id" INTEGER NOT NULL DEFAULT 0,
    "until_id" INTEGER NOT NULL,
    "actor" JSONB,
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "shares_second" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "good_repricings_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "good_repricings_company_id_status_id_idx" ON "good_repricings"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "good_repricings_finished_at_idx" ON "good_repricings"("finished_at");

-- AddForeignKey
ALTER TABLE "good_repricings" ADD CONSTRAINT "good_repricings_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE good_repricings ADD CONSTRAINT good_repricings_change_check CHECK (((num_nonnulls(percent_e2, amount_e2) = 1) AND (percent_e2 >= '-10000'::integer)));

ALTER TABLE good_repricings ADD CONSTRAINT good_repricings_round_to_e2_check CHECK ((round_to_e2 >= 1));

ALTER TABLE good_repricings ADD CONSTRAINT good_repricings_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'running'::text, 'finished'::text])));

CREATE TRIGGER good_repricings_version BEFORE UPDATE OF updated_at, version ON public.good_repricings FOR EACH ROW EXECUTE FUNCTION move_version();

COMMENT ON INDEX good_repricings_pkey IS 'key of the rows';
COMMENT ON INDEX good_repricings_company_id_status_id_idx IS 'Those of a company that wait or run are counted before one more.';
COMMENT ON INDEX good_repricings_finished_at_idx IS 'A job removes old ones.';
