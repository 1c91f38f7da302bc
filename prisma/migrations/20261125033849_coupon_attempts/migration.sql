-- CreateTable
CREATE TABLE "coupon_attempts" (
    "company_id" INTEGER NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "action" TEXT NOT NULL,
    "coupon_id" INTEGER,
    "code" TEXT,
    "client_id" INTEGER,
    "order_id" INTEGER,
    "branch_id" INTEGER,
    "reason" TEXT NOT NULL,
    "detail" TEXT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "coupon_attempts_pkey" PRIMARY KEY ("company_id","id")
);

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_coupon_id_id_idx" ON "coupon_attempts"("company_id", "coupon_id", "id");

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_client_id_id_idx" ON "coupon_attempts"("company_id", "client_id", "id");

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_branch_id_idx" ON "coupon_attempts"("company_id", "branch_id");

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_code_id_idx" ON "coupon_attempts"("company_id", "code", "id");

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_reason_id_idx" ON "coupon_attempts"("company_id", "reason", "id");

-- CreateIndex
CREATE INDEX "coupon_attempts_company_id_created_at_id_idx" ON "coupon_attempts"("company_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "coupon_attempts_created_at_idx" ON "coupon_attempts"("created_at");

-- AddForeignKey
ALTER TABLE "coupon_attempts" ADD CONSTRAINT "coupon_attempts_company_id_fkey" FOREIGN KEY ("company_id") REFERENCES "companies"("id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_attempts" ADD CONSTRAINT "coupon_attempts_company_id_coupon_id_fkey" FOREIGN KEY ("company_id", "coupon_id") REFERENCES "coupons"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_attempts" ADD CONSTRAINT "coupon_attempts_company_id_client_id_fkey" FOREIGN KEY ("company_id", "client_id") REFERENCES "clients"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "coupon_attempts" ADD CONSTRAINT "coupon_attempts_company_id_branch_id_fkey" FOREIGN KEY ("company_id", "branch_id") REFERENCES "branches"("company_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

ALTER TABLE coupon_attempts ADD CONSTRAINT coupon_attempts_action_check CHECK ((action = ANY (ARRAY['use'::text, 'hold'::text])));

ALTER TABLE coupon_attempts ADD CONSTRAINT coupon_attempts_texts_check CHECK (((char_length(code) <= 20) AND (char_length(reason) <= 64) AND (char_length(detail) <= 500)));
