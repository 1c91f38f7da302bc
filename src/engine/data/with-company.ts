/** The arguments of a query that choose its rows. */
export type Args = {
  where?: Record<string, unknown>;
  data?: unknown;
  create?: unknown;
  update?: unknown;
};

/** Limits the arguments of a query on a tenant model to the company. */
export function withCompany(companyId: number, model: string, operation: string, args: Args): Args {
  const scoped: Args = { ...args };
  if (!operation.startsWith("create")) scoped.where = ownWhere(companyId, model, args.where);
  if (operation.startsWith("create")) scoped.data = ownData(companyId, model, args.data);
  if (operation === "upsert") scoped.create = ownData(companyId, model, args.create);
  return scoped;
}

function ownWhere(
  companyId: number,
  model: string,
  where: Record<string, unknown> = {},
): Record<string, unknown> {
  assertSame(companyId, model, where["companyId"]);
  return { ...where, companyId };
}

function ownData(companyId: number, model: string, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((row) => ownData(companyId, model, row));
  const row = data as Record<string, unknown>;
  assertSame(companyId, model, row["companyId"]);
  return { ...row, companyId };
}

function assertSame(companyId: number, model: string, named: unknown): void {
  if (named !== undefined && named !== companyId) {
    throw new Error(`${model}: a query of company ${companyId} names another company`);
  }
}
