import { notFound, type FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { delegateName, isSoftDeleted, type ModelName } from "../../core/scope/tenant-models.js";
import { isOfShops } from "../tenancy/bound-rows.js";
import type { Arguments, Operation } from "../schema/operation.js";
import type { ReferencedId } from "../validation/validator.js";

/**
 * Checks that the rows that the path names exist: their 404 comes before the 422 of the input.
 *
 * @throws DomainError NOT_FOUND.
 */
export async function assertTargetsExist(
  operation: Operation,
  args: Arguments,
  scope: CompanyScope | null,
): Promise<void> {
  if (scope === null) return;
  for (const { argument, model, includesDeleted } of operation.idArguments) {
    const id = args[argument];
    // An id of the wrong type is reported as a wrong field.
    if (!Number.isInteger(id)) continue;
    const found = isId(id) ? await existingIds(scope, model, [id], includesDeleted) : new Set<unknown>();
    if (!found.has(id)) throw notFound(model);
  }
  if (operation.idArguments.every(({ argument }) => isId(args[argument])))
    await operation.namedRow?.(scope, args);
}

/**
 * Reports the ids of the input that belong to no row of the company, with rule `exists`. It takes one query per
 * model.
 *
 * @param isBound whether the caller is bound to shops.
 * @throws DomainError NOT_FOUND for a row of a shop that a bound caller does not reach, as for one that does not exist.
 */
export async function missingReferences(
  scope: CompanyScope,
  references: readonly ReferencedId[],
  { isBound }: { isBound: boolean },
): Promise<FieldError[]> {
  const models = [...new Set(references.map(({ model }) => model))];
  const missing = await Promise.all(
    models.map(async (model) => {
      const wanted = references.filter((reference) => reference.model === model);
      const found = await existingIds(
        scope,
        model,
        wanted.map(({ id }) => id),
      );
      return wanted.filter(({ id }) => !found.has(id));
    }),
  );
  const beyond = models.find((model, place) => isOfShops(model) && (missing[place]?.length ?? 0) > 0);
  if (isBound && beyond !== undefined) throw notFound(beyond);
  return missing.flat().map(({ field, id }) => ({ field, rule: "exists", message: `${id} does not exist` }));
}

interface FindMany {
  findMany(query: object): Promise<{ id: number }[]>;
}

async function existingIds(
  scope: CompanyScope,
  model: ModelName,
  ids: readonly number[],
  includesDeleted = false,
): Promise<Set<number>> {
  const delegate = scope.db[delegateName(model) as keyof typeof scope.db] as unknown as FindMany;
  const rows = await delegate.findMany({
    where: {
      companyId: scope.companyId,
      id: { in: [...new Set(ids)] },
      ...(isSoftDeleted(model) && !includesDeleted && { deletedAt: null }),
    },
    select: { id: true },
  });
  return new Set(rows.map(({ id }) => id));
}
