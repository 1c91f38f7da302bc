-- CreateTable
CREATE UNLOGGED TABLE "idempotency_quotas" (
    "owner" BYTEA NOT NULL,
    "bytes" BIGINT NOT NULL,
    "ends_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_quotas_pkey" PRIMARY KEY ("owner")
);

-- CreateIndex
CREATE INDEX "idempotency_quotas_ends_at_idx" ON "idempotency_quotas"("ends_at");
