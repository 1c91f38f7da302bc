import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { CompanySettings } from "./company-settings.model.js";
import { describeSettings } from "./company-settings.rules.js";

/** All settings of the company, with the secrets masked. */
export async function getSettings({ db, companyId }: CompanyScope): Promise<CompanySettings> {
  return describeSettings(await db.companySettings.findFirst({ where: { companyId } }));
}
