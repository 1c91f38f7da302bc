import type { Row } from "../../core/db/db.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { resourceService } from "../../core/resources/resource-service.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import { type Client, clientList } from "./client.model.js";
import { clientQuota } from "./client.quota.js";

type ClientRow = Row<"Client">;

export const clientService = resourceService<Client>("Client", clientList, {
  quota: clientQuota,
  unique: "externalId",
  refuseRemoval: refuseUnsettled("client"),
});

/** One client. @throws DomainError NOT_FOUND, also for a deleted client unless `withDeleted` is set. */
export const getClient = clientService.get;

/**
 * Brings a deleted client back.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when the client is not deleted; CONFLICT while another client has its
 *   `externalId`; VALIDATION_FAILED when the company has no room for it.
 */
export function restoreClient(scope: CompanyScope, id: number): Promise<ClientRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await assertRoom(inside, clientQuota);
    await assertIdIsFree(inside, id);
    const [row] = await db.client.updateManyAndReturn({
      where: { companyId, id, deletedAt: { not: null } },
      data: { deletedAt: null },
    });
    if (row !== undefined) return row;
    await getClient(inside, id);
    throw new DomainError("INVALID_STATE", "The client is not deleted.");
  });
}

async function assertIdIsFree({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const deleted = await db.client.findFirst({
    where: { companyId, id, deletedAt: { not: null } },
    select: { externalId: true },
  });
  if (deleted?.externalId == null) return;
  const taken = { companyId, externalId: deleted.externalId, deletedAt: null };
  if ((await db.client.count({ where: taken })) > 0)
    throw new DomainError("CONFLICT", `Another client has the external id ${deleted.externalId} by now.`);
}
