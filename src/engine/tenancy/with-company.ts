/** The arguments of a query that choose its rows. */
export type Args = {
  where?: Record<string, unknown>;
  data?: unknown;
  create?: unknown;
  update?: unknown;
};

/** Limits the arguments of a query on a tenant model to the company. */
export function withCompany(companyId: number, model: string, operation: string, args: Args): Args {
  if (isRead(operation) && args.where?.["companyId"] === companyId) return args;
  return limitedTo({ field: "companyId", id: companyId, whose: "company" }, model, operation, args);
}

/** The column that all rows of a query have in common: the id of their company, or of the client who owns them. */
export interface Limit {
  readonly field: string;
  readonly id: number;
  /** What the id names, in words. */
  readonly whose: string;
}

/**
 * Adds the limit to the condition of a query and to each row that it writes.
 *
 * @throws Error when the query names another id.
 */
export function limitedTo(limit: Limit, model: string, operation: string, args: Args): Args {
  const scoped: Args = { ...args };
  if (!operation.startsWith("create")) scoped.where = ownWhere(limit, model, args.where);
  if (operation.startsWith("create")) scoped.data = ownData(limit, model, args.data);
  if (operation === "upsert") scoped.create = ownData(limit, model, args.create);
  return scoped;
}

function ownWhere(limit: Limit, model: string, where: Record<string, unknown> = {}): Record<string, unknown> {
  assertSame(limit, model, where[limit.field]);
  return { ...where, [limit.field]: limit.id };
}

function ownData(limit: Limit, model: string, data: unknown): unknown {
  if (Array.isArray(data)) return data.map((row) => ownData(limit, model, row));
  const row = data as Record<string, unknown>;
  assertSame(limit, model, row[limit.field]);
  return { ...row, [limit.field]: limit.id };
}

function assertSame({ id, whose }: Limit, model: string, named: unknown): void {
  if (named !== undefined && named !== id) {
    throw new Error(`${model}: a query of ${whose} ${id} names another ${whose}`);
  }
}

/** Whether the condition is all that has to name the company; then one that does is left as it is. */
const isRead = (operation: string): boolean => operation.startsWith("find") || operation === "count";

/** @throws Error for a query without a company: its condition or each of its new rows has to name one. */
export function assertNamesCompany(model: string, operation: string, args: Args | undefined): void {
  const rows = operation.startsWith("create") ? [args?.data].flat() : [args?.where];
  const named = rows.every((row) => typeof row === "object" && row !== null && namesCompany(row));
  if (!named) throw new Error(`${model}.${operation} without a company`);
}

/**
 * Whether a condition names its company: `{ companyId: 1 }`, or a composite key such as `{ companyId_id: {
 * companyId: 1, id: 2 } }`.
 */
function namesCompany(condition: object): boolean {
  return Object.entries(condition).some(
    ([key, value]) =>
      (key === "companyId" && typeof value === "number") ||
      (key.startsWith("companyId_") && typeof (value as { companyId?: unknown }).companyId === "number"),
  );
}
