import type { Row } from "../../core/db/db.js";
import { DomainError } from "../../core/errors/domain-error.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { unlessExternalIdTaken } from "../../core/resources/external-id.js";
import { resourceService } from "../../core/resources/resource-service.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import { type Client, clientList } from "./client.model.js";
import { clientQuota } from "./client.quota.js";

type ClientRow = Row<"Client">;

export const clientService = resourceService<Client>("Client", clientList, {
  quota: clientQuota,
  refuseRemoval: refuseUnsettled("client"),
});

/** One client. @throws DomainError NOT_FOUND, also for a deleted client unless `withDeleted` is set. */
export const getClient = clientService.get;

/**
 * Brings a deleted client back.
 *
 * @throws DomainError NOT_FOUND; INVALID_STATE when the client is not deleted, or is erased; CONFLICT while another client has its
 *   `externalId`; VALIDATION_FAILED when the company has no room for it.
 */
export function restoreClient(scope: CompanyScope, id: number): Promise<ClientRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await assertRoom(inside, clientQuota);
    const restoring = db.client.updateManyAndReturn({
      where: { companyId, id, deletedAt: { not: null }, erasedAt: null },
      data: { deletedAt: null },
    });
    const [row] = await unlessExternalIdTaken(restoring);
    if (row !== undefined) return row;
    const { erasedAt } = await getClient(inside, id, true);
    throw new DomainError(
      "INVALID_STATE",
      erasedAt === null ? "The client is not deleted." : "The client was erased.",
    );
  });
}
