import { notFound, validationFailed } from "../../core/errors/domain-error.js";
import type { Connection } from "../../core/lists/connection.js";
import type { ListArguments } from "../../core/lists/list-definition.js";
import { listPage } from "../../core/lists/list-page.js";
import { writeMask } from "../../core/masks/masks.js";
import { resourceService, type Values } from "../../core/resources/resource-service.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { Row } from "../../core/db/db.js";
import type { CreateFleetAssociationInput } from "./fleet-association.inputs.js";
import { FLEET_ASSOCIATION_OPTIONS } from "./fleet-association.masks.js";
import { type FleetAssociation, fleetAssociationList } from "./fleet-association.model.js";
import { lockAssociation, lockCharge } from "./fleet-association.sql.js";
import { chargeOfAnother } from "./service-charge.rule.js";

type FleetAssociationRow = Row<"FleetAssociation">;

/** Reads and writes of associations by their ids. */
export const fleetAssociationService = resourceService<FleetAssociation>(
  "FleetAssociation",
  fleetAssociationList,
  { prepare },
);

/** Turns an input into columns: the mask from its flags. */
async function prepare(scope: CompanyScope, input: Values, id: number | null): Promise<Values> {
  const stored = id === null ? 0 : await lockAssociation(scope, id);
  if (stored === null) throw notFound("FleetAssociation");
  const { serviceId, serviceChargeId } = input as { serviceId: number; serviceChargeId: number };
  if ((await lockCharge(scope, serviceChargeId)) !== serviceId)
    throw validationFailed([chargeOfAnother(serviceId)]);
  const columns = Object.entries(input).filter(([name]) => !(name in FLEET_ASSOCIATION_OPTIONS));
  return {
    ...Object.fromEntries(columns),
    options: writeMask(FLEET_ASSOCIATION_OPTIONS, input, null, stored),
  };
}

/** A page of a branch's associations. @throws DomainError NOT_FOUND (the branch). */
export async function listOfBranch(
  scope: CompanyScope,
  branchId: number,
  args: ListArguments,
): Promise<Connection<FleetAssociation>> {
  const { db, companyId, selected } = scope;
  await assertBranch(scope, branchId);
  const source = {
    delegate: db.fleetAssociation,
    where: { companyId, branchId },
    select: selected("FleetAssociation"),
  };
  return listPage(fleetAssociationList, source, args);
}

/** Creates an association of a branch. @throws DomainError NOT_FOUND (the branch). */
export function createOfBranch(
  scope: CompanyScope,
  branchId: number,
  input: CreateFleetAssociationInput,
): Promise<FleetAssociation> {
  return scope.transaction(async (inside) => {
    await assertBranch(inside, branchId);
    return fleetAssociationService.create(inside, { ...input, branchId });
  });
}

async function assertBranch({ db, companyId }: CompanyScope, id: number): Promise<void> {
  const branch = await db.branch.findFirst({ where: { companyId, id }, select: { id: true } });
  if (branch === null) throw notFound("Branch");
}

/** Switches an association on or off; one that is so already stays as it is. @throws DomainError NOT_FOUND. */
export function setEnabled(
  scope: CompanyScope,
  id: number,
  isEnabled: boolean,
): Promise<FleetAssociationRow> {
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    if ((await lockAssociation(inside, id)) === null) throw notFound("FleetAssociation");
    await db.fleetAssociation.updateMany({
      where: { companyId, id, isEnabled: !isEnabled },
      data: { isEnabled },
    });
    return db.fleetAssociation.findUniqueOrThrow({ where: { companyId_id: { companyId, id } } });
  });
}
