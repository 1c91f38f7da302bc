-- CreateTable
CREATE TABLE "coupon_simulations" (
    "company_id" INTEGER NOT NULL,
    "id" SERIAL NOT NULL,
    "input" JSONB NOT NULL,
    "group_by" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "from_at" TIMESTAMPTZ(3) NOT NULL,
    "until_at" TIMESTAMPTZ(3) NOT NULL,
    "time_zone" TEXT NOT NULL,
    "currency_iso" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'queued',
    "message" TEXT,
    "done" INTEGER NOT NULL DEFAULT 0,
    "total" INTEGER NOT NULL,
    "sums" JSONB,
    "finished_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_simulations_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "coupon_simulations_company_id_status_id_idx" ON "coupon_simulations"("company_id", "status", "id");

-- CreateIndex
CREATE INDEX "coupon_simulations_finished_at_idx" ON "coupon_simulations"("finished_at");

-- AddForeignKey
ALTER TABLE "coupon_simulations" ADD CONSTRAINT "coupon_simulations_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

COMMENT ON INDEX coupon_simulations_pkey IS 'key of the rows';
COMMENT ON INDEX coupon_simulations_company_id_status_id_idx IS 'Those of a company that wait or run are counted before one more.';
COMMENT ON INDEX coupon_simulations_finished_at_idx IS 'A job removes old ones.';
