import { createBranch, unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

export interface FleetRows {
  readonly fleetId: number;
  readonly serviceId: number;
  readonly serviceChargeId: number;
}

/** A fleet, a service and a charge of it. */
export async function createFleetRows({ db }: Gateway, companyId: number): Promise<FleetRows> {
  const fleet = await db.fleet.create({ data: { companyId, name: unique() } });
  const service = await db.service.create({ data: { companyId, name: unique(), type: 7 } });
  const charge = await db.serviceCharge.create({
    data: { companyId, name: unique(), serviceId: service.id },
  });
  return { fleetId: fleet.id, serviceId: service.id, serviceChargeId: charge.id };
}

/** An association of the company or, with `ofBranch`, of a new branch. */
export async function createAssociation(
  gateway: Gateway,
  companyId: number,
  { ofBranch = false, ...values }: { ofBranch?: boolean; inOrder?: number; isEnabled?: boolean } = {},
) {
  const rows = await createFleetRows(gateway, companyId);
  const branchId = ofBranch ? (await createBranch(gateway, companyId)).id : null;
  return gateway.db.fleetAssociation.create({ data: { companyId, branchId, ...rows, ...values } });
}
