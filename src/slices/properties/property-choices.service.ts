import type { CompanyScope } from "../../core/scope/company-scope.js";
import { updateChoices, type StoredChoice } from "./property-choice.sql.js";

/** A choice as it is to be; one without an id is new. */
export type WantedChoice = Omit<StoredChoice, "id"> & { readonly id?: number | undefined };

/**
 * Replaces the choices of a property whose changes are locked.
 *
 * @param storedIds all choices that it has; those that are not wanted are removed.
 */
export async function replaceChoices(
  { db, companyId }: Pick<CompanyScope, "db" | "companyId">,
  propertyId: number,
  storedIds: readonly number[],
  wanted: readonly WantedChoice[],
): Promise<void> {
  const kept = wanted.filter((choice): choice is StoredChoice => choice.id !== undefined);
  const keptIds = new Set(kept.map(({ id }) => id));
  const left = storedIds.filter((id) => !keptIds.has(id));
  const added = wanted.filter(({ id }) => id === undefined);
  if (left.length > 0) await db.propertyOption.deleteMany({ where: { companyId, id: { in: left } } });
  if (kept.length > 0) await updateChoices({ db, companyId }, propertyId, kept);
  if (added.length > 0)
    await db.propertyOption.createMany({
      data: added.map((choice) => ({ ...choice, companyId, propertyId })),
    });
}
