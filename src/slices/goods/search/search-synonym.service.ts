import { validationFailed } from "../../../core/errors/domain-error.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import { lockSynonyms } from "./search-synonym.sql.js";
import { groupErrors, tidied } from "./search-synonyms.rules.js";

/** The company's groups of synonyms, in the order in which they were set. */
export async function searchSynonyms({
  db,
  companyId,
}: Pick<CompanyScope, "db" | "companyId">): Promise<string[][]> {
  const rows = await db.searchSynonym.findMany({ where: { companyId }, orderBy: [{ id: "asc" }] });
  return rows.map(({ texts }) => texts);
}

/**
 * Makes these the only groups of the company. Groups that are all there already stay as they are.
 *
 * @returns them as they are kept: without spaces around texts, and each text of a group once.
 * @throws DomainError VALIDATION_FAILED.
 */
export async function setSearchSynonyms(
  scope: CompanyScope,
  groups: readonly (readonly string[])[],
): Promise<string[][]> {
  const wanted = groups.map(tidied);
  const errors = groupErrors(wanted);
  if (errors.length > 0) throw validationFailed(errors);
  return scope.transaction(async (inside) => {
    const { db, companyId } = inside;
    await lockSynonyms(inside);
    if (JSON.stringify(await searchSynonyms(inside)) === JSON.stringify(wanted)) return wanted;
    await db.searchSynonym.deleteMany({ where: { companyId } });
    await db.searchSynonym.createMany({ data: wanted.map((texts) => ({ companyId, texts })) });
    return wanted;
  });
}
