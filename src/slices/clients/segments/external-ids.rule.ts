import type { StoredRule } from "../../../core/operations/operation-arguments.js";

/** Finds external ids that no client has. A client that goes after this check is in no list. */
export const externalIdsExist: StoredRule = async ({ externalIds }, context, { companyId }) => {
  const sent: readonly unknown[] = Array.isArray(externalIds) ? externalIds : [];
  const asked = sent.filter((one) => typeof one === "string" && !one.includes("\0"));
  if (asked.length === 0) return [];
  const { db } = context.companyScope(companyId as number);
  const rows = await db.externalId.findMany({
    where: {
      companyId: companyId as number,
      tableName: "clients",
      externalId: { in: asked as string[] },
      deletedId: 0,
    },
    select: { externalId: true },
  });
  const known = new Set<unknown>(rows.map(({ externalId }) => externalId));
  return sent.flatMap((externalId, place) =>
    asked.includes(externalId) && !known.has(externalId)
      ? [
          {
            field: `externalIds[${place}]`,
            rule: "exists",
            message: `${String(externalId)} is the id of no client`,
          },
        ]
      : [],
  );
};
