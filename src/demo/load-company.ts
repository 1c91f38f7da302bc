import { COMPANY_OPTIONS } from "../slices/companies/company.masks.js";
import { writeMask } from "../core/masks/masks.js";
import type { Prisma } from "../generated/prisma/client.js";
import type { CompanyProfile } from "./demo-company.js";
import { daysBefore } from "./moment.js";

/** The company and its settings. @returns its id. */
export async function loadCompany(db: Prisma.TransactionClient, profile: CompanyProfile): Promise<number> {
  const { flags, colorPrimary, colorAccent, settings, ...columns } = profile;
  const { id } = await db.company.create({
    data: {
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
    select: { id: true },
  });
  await db.companySettings.create({ data: { companyId: id, data: settings as Prisma.InputJsonObject } });
  return id;
}
