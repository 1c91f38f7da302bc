import { COMPANY_OPTIONS } from "../slices/companies/company.masks.js";
import { writeMask } from "../core/masks/masks.js";
import type { Prisma } from "../generated/prisma/client.js";
import type { CompanyProfile } from "./demo-company.js";
import { insertRows } from "./insert-rows.js";
import { daysBefore } from "./moment.js";

/** The company and its settings. @returns its id. */
export async function loadCompany(db: Prisma.TransactionClient, profile: CompanyProfile): Promise<number> {
  const { flags, colorPrimary, colorAccent, settings, ...columns } = profile;
  const [row] = await insertRows(
    db,
    "Company",
    [
      {
        ...columns,
        options: writeMask(COMPANY_OPTIONS, Object.fromEntries(flags.map((flag) => [flag, true])), null, 0),
        stringsJson: { strings: [], version: 1 },
        stylesJson: {
          styles: { colorPrimary, colorAccent, companyLogo: null, companyLogoInv: null },
          version: 1,
        },
        expiresAt: daysBefore(-3650),
        createdAt: daysBefore(900),
      },
    ],
    ["id"],
  );
  const { id } = row as { id: number };
  await insertRows(db, "CompanySettings", [{ companyId: id, data: settings as Prisma.InputJsonObject }]);
  return id;
}
