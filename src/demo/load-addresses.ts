import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";

/** How many of the clients have addresses. */
const RESIDENTS = 24;
/** What lies between two branches and the homes around them, in millionths of a degree: some hundred metres. */
const STEP_E6 = 1_700;

/** Addresses of clients near the branches: most lie in an area that is served, some say no place, some are far away. */
export async function loadAddresses(
  { db, companyId, data }: DemoTarget,
  clients: readonly number[],
): Promise<void> {
  const branches = data.shops.shops.flatMap((shop) => shop.branches);
  const country = new Intl.DisplayNames("en", { type: "region" }).of(data.profile.countryIso) ?? "";
  const rows = clients.slice(0, RESIDENTS).flatMap((clientId, index) => {
    const branch = branches[index % branches.length];
    if (branch === undefined) return [];
    const home = {
      companyId,
      clientId,
      name: "Home",
      type: "delivery",
      // Each eighth lives where nobody delivers.
      latitudeE6: branch.latitudeE6 + STEP_E6 * (index % 8 === 7 ? 2_000 : index % 5),
      longitudeE6: branch.longitudeE6 - STEP_E6 * (index % 3),
      country,
      city: branch.city,
      addressLine1: branch.address,
      reference: index % 2 === 0 ? "Second floor" : null,
      isSelected: true,
    };
    const family = {
      companyId,
      clientId,
      name: "Family",
      address: `${branch.address}, ${branch.city}`,
      country: "",
      city: "",
      isSelected: false,
    };
    return index % 3 === 0 ? [home, family] : [home];
  });
  await insertRows(db, "ClientAddress", rows);
}
