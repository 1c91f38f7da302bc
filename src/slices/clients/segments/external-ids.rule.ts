import type { StoredRule } from "../../../core/operations/operation-arguments.js";

/** Finds external ids that no client has. A client that goes after this check is in no list. */
export const externalIdsExist: StoredRule = async ({ externalIds }, context, { companyId }) => {
  const sent: readonly unknown[] = Array.isArray(externalIds) ? externalIds : [];
  const asked = sent.filter(isText);
  if (asked.length === 0) return [];
  const { db } = context.companyScope(companyId as number);
  const rows = await db.externalId.findMany({
    where: {
      companyId: companyId as number,
      tableName: "clients",
      externalId: { in: asked },
      deletedId: 0,
    },
    select: { externalId: true },
  });
  const known = new Set(rows.map(({ externalId }) => externalId));
  return sent.flatMap((externalId, place) =>
    isText(externalId) && !known.has(externalId)
      ? [{ field: `externalIds[${place}]`, rule: "exists", message: `${externalId} is the id of no client` }]
      : [],
  );
};

/** Whether a value can be looked for: what it has to be besides is told by the input. */
const isText = (value: unknown): value is string => typeof value === "string" && !value.includes("\0");
