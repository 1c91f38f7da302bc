import { isId } from "../../core/integers.js";
import type { StoredRule } from "../../core/operations/operation-arguments.js";

/** Finds excluded ids that neither a branch nor a shop of the company has. */
export const excludedPlacesExist: StoredRule = async ({ config }, context, { companyId }) => {
  const excluded = excludedBy(config);
  const ids = [...new Set(excluded)].filter(isId);
  if (ids.length === 0) return [];
  const { db } = context.companyScope(companyId as number);
  const query = { where: { companyId: companyId as number, id: { in: ids } }, select: { id: true } };
  const places = [...(await db.branch.findMany(query)), ...(await db.branchGroup.findMany(query))];
  const known = new Set<unknown>(places.map(({ id }) => id));
  return excluded.flatMap((id, place) =>
    !isId(id) || known.has(id)
      ? []
      : [
          {
            field: `config.targetBlacklist[${place}]`,
            rule: "exists",
            message: `${id} is neither a branch nor a shop`,
          },
        ],
  );
};

function excludedBy(config: unknown): readonly unknown[] {
  const { targetBlacklist } = (config ?? {}) as { readonly targetBlacklist?: unknown };
  return Array.isArray(targetBlacklist) ? targetBlacklist : [];
}
