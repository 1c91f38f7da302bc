import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";

/** Each fleet performs two services for the company, and the first one for the first branches too. */
export async function loadFleetAssociations({ db, companyId }: DemoTarget): Promise<void> {
  const query = { where: { companyId }, orderBy: { id: "asc" }, select: { id: true } } as const;
  const fleets = await db.fleet.findMany(query);
  const services = await db.service.findMany({
    ...query,
    select: { id: true, serviceCharges: { orderBy: { id: "asc" }, select: { id: true }, take: 1 } },
  });
  const branches = await db.branch.findMany({ ...query, take: 3 });
  const serviceOf = (index: number) => {
    const service = services[index % services.length];
    return { serviceId: service?.id ?? 0, serviceChargeId: service?.serviceCharges[0]?.id ?? null };
  };
  const ofCompany = fleets.flatMap(({ id: fleetId }, index) => [
    {
      companyId,
      fleetId,
      ...serviceOf(index),
      feeFlatE2: 150 + 50 * index,
      feePrc: 0,
      options: 0x1,
      isEnabled: true,
    },
    {
      companyId,
      fleetId,
      ...serviceOf(index + 1),
      feeFlatE2: 0,
      feePrc: 0.05,
      options: 0,
      isEnabled: index > 0,
    },
  ]);
  const ofBranches = branches.map(({ id: branchId }) => ({
    companyId,
    branchId,
    fleetId: fleets[0]?.id ?? 0,
    ...serviceOf(0),
    feeFlatE2: 100,
    feePrc: 0.1,
    options: 0x2,
    isEnabled: true,
  }));
  await insertRows(
    db,
    "FleetAssociation",
    [...ofCompany, ...ofBranches].map((row, inOrder) => ({ ...row, inOrder })),
  );
}
