import type { Row } from "../../core/db/db.js";
import { DomainError, invalidField, validationFailed } from "../../core/errors/domain-error.js";
import type { UpsertedRow } from "../../core/operations/upsert-operation.js";
import { assertRoom } from "../../core/quotas/quota.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { unlessExternalIdTaken } from "../../core/resources/external-id.js";
import { resourceService } from "../../core/resources/resource-service.js";
import { refuseUnsettled } from "../balance/settlement.service.js";
import type { UpsertClientInput } from "./client.inputs.js";
import { type Client, clientList } from "./client.model.js";
import { clientQuota } from "./client.quota.js";
import { clientsByExternalIds, lockClients, lockExternalIds } from "./client.sql.js";

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

/** Locks the clients that rows are to change; who may create one has locked the external ids before. */
export async function lockUpserted(
  scope: CompanyScope,
  rows: readonly UpsertClientInput[],
  by: string,
): Promise<void> {
  if (by === "id")
    return void (await lockClients(
      scope,
      rows.flatMap(({ id }) => id ?? []),
    ));
  const externalIds = rows.flatMap(({ externalId }) => externalId ?? []);
  let found = await clientsByExternalIds(scope, externalIds);
  if (found.length < rows.length) {
    await lockExternalIds(scope);
    found = await clientsByExternalIds(scope, externalIds);
  }
  await lockClients(scope, found);
}

/**
 * Changes the client that a row names, or creates it where there is none. Of two who create it at once by its external id the
 * second one changes it.
 *
 * @throws DomainError NOT_FOUND for an id that is none; VALIDATION_FAILED with rule `required` for a row without its key, and for a
 *   new client without a name.
 */
export function upsertClient(
  scope: CompanyScope,
  { id, ...values }: UpsertClientInput,
  by: string,
): Promise<UpsertedRow> {
  return scope.transaction(async (inside) => {
    const change = async (found: number) => ({
      created: false,
      row:
        Object.keys(values).length === 0
          ? await getClient(inside, found)
          : await clientService.update(inside, found, values),
    });
    if (by === "id") {
      if (id === undefined) throw isMissing("id");
      return change(id);
    }
    const { externalId, name } = values;
    if (externalId == null) throw isMissing("externalId");
    const [found] = await clientsByExternalIds(inside, [externalId]);
    if (found !== undefined) return change(found);
    await lockExternalIds(inside);
    const [meanwhile] = await clientsByExternalIds(inside, [externalId]);
    if (meanwhile !== undefined) return change(meanwhile);
    if (name === undefined)
      throw validationFailed([
        { field: "name", rule: "required", message: "is required of a client that is not there" },
      ]);
    return { created: true, row: await clientService.create(inside, { ...values, name }) };
  });
}

const isMissing = (field: string): DomainError =>
  invalidField(field, "required", "is required: rows are found by it");
