import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { PasswordOwner } from "./own-words.rules.js";

/** The names by which people know the company. */
export function namesOfCompany({
  db,
  companyId,
}: Pick<CompanyScope, "db" | "companyId">): Promise<PasswordOwner["company"]> {
  return db.company.findFirstOrThrow({ where: { id: companyId }, select: { name: true, domain: true } });
}
