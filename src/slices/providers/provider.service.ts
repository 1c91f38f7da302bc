import { notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { assertWritten } from "../../core/scope/row-reach.sql.js";
import { type Provider, providerList } from "./provider.model.js";
import { lockProvider } from "./provider.sql.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import { resourceService } from "../../core/resources/resource-service.js";

export const providerService = resourceService<Provider>("Provider", providerList, {
  refuseRemoval: refuseUnsettled("provider"),
});

/** @throws DomainError NOT_FOUND. */
export const getProvider = providerService.get;

/**
 * Replaces the shops whose orders a provider may take.
 *
 * @throws DomainError NOT_FOUND for the provider; FORBIDDEN for who is bound to some shops, since a provider is the company's.
 */
export function setProviderBranchGroups(
  scope: CompanyScope,
  providerId: number,
  branchGroupIds: readonly number[],
): Promise<Provider> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if (!(await lockProvider(inside, providerId))) throw notFound("Provider");
    await assertWritten(inside, "Provider", providerId);
    const wanted = [...new Set(branchGroupIds)];
    await db.providerBranchGroup.deleteMany({
      where: { companyId, providerId, branchGroupId: { notIn: wanted } },
    });
    await db.providerBranchGroup.createMany({
      data: wanted.map((branchGroupId) => ({ companyId, providerId, branchGroupId })),
      skipDuplicates: true,
    });
    return getProvider(inside, providerId);
  });
}
