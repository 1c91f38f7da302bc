import { DomainError, invalidField } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { lockShop } from "./good-batch.sql.js";
import { goodWithSku } from "./good-sku.sql.js";

/** A sku that a good is to have. */
export interface WantedSku {
  readonly branchGroupId: number | null;
  readonly sku: string | null | undefined;
  /** The good that is to have it; `null` for a new one. */
  readonly except: number | null;
}

/**
 * Keeps a sku free for a good of the shop until the transaction ends: imports and others that want one wait for each other. Goods
 * that had the same sku before all skus were kept apart may keep it.
 *
 * @throws DomainError VALIDATION_FAILED with rule `unique`.
 */
export async function takeSku(inside: CompanyScope, wanted: WantedSku): Promise<void> {
  const taken = await takenBy(inside, wanted);
  if (taken !== null) throw invalidField("sku", "unique", `is that of good ${taken} of the shop`);
}

/** As `takeSku`, for a good that comes back with its sku. @throws DomainError CONFLICT. */
export async function takeSkuAgain(inside: CompanyScope, wanted: WantedSku): Promise<void> {
  const taken = await takenBy(inside, wanted);
  if (taken !== null)
    throw new DomainError("CONFLICT", `Good ${taken} of the shop has the sku ${wanted.sku} by now.`);
}

async function takenBy(
  inside: CompanyScope,
  { branchGroupId, sku, except }: WantedSku,
): Promise<number | null> {
  if (sku == null || sku === "") return null;
  await lockShop(inside.db, { companyId: inside.companyId, branchGroupId });
  return goodWithSku(inside, { branchGroupId, sku, except });
}
