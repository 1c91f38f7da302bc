import type { Caller } from "../../core/access/caller.js";
import type { ShopBounds } from "../../core/access/role-directory.js";
import type { TableMethod } from "../../core/db/db.js";
import type { Sql } from "../../core/db/sql.js";
import { onlyRead } from "../../core/errors/domain-error.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { MODEL_FACTS } from "../../generated/models.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { Ended } from "../reads/ahead.js";
import type { RowReader } from "../reads/row-reader.js";
import type { OperationArgs, Operations } from "../writes/operations.js";
import { isReadWhole } from "./bound-rows.js";
import { asOfPrisma, simpleStatement } from "../writes/transaction-operations.js";
import {
  assertWritten,
  boundStatement,
  notNarrowed,
  OF_ALL_SHOPS,
  WITHIN_BOUNDS,
  type BoundValues,
} from "./bound-statement.js";

/** What somebody is bound to, in a company. */
export interface Bound {
  readonly companyId: number;
  readonly bounds: ShopBounds;
  /** The admin that calls; `null` for a key. */
  readonly adminId: number | null;
}

/** What a caller is bound to in a company; `null` for one that reaches all of it. */
export function boundIn(companyId: number, caller: Caller, bounds: ShopBounds | null): Bound | null {
  return bounds === null ? null : { companyId, bounds, adminId: caller.kind === "admin" ? caller.id : null };
}

/** The values in the conditions on what a caller reaches. */
export function valuesOf({ companyId, bounds, adminId }: Bound): BoundValues {
  const { branchGroupIds, branchIds, shopsOfBranches } = bounds;
  return {
    company: companyId,
    shops: branchGroupIds,
    branches: branchIds,
    read: [...branchGroupIds, ...shopsOfBranches.filter((id) => id !== null)],
    self: adminId,
  };
}

/** Whether related rows are wanted with their own columns alone. */
function isPlain(wanted: unknown): boolean {
  if (wanted === true) return true;
  const { select, ...others } = wanted as OperationArgs;
  return Object.keys(others).length === 0 && Object.values(select ?? {}).every((column) => column === true);
}

/** Operations by which a change of no row may be one of a row that is only read. */
const CHANGES: ReadonlySet<TableMethod> = new Set([
  "update",
  "updateMany",
  "updateManyAndReturn",
  "delete",
  "deleteMany",
]);

/**
 * The operations of a caller who is bound to shops and branches. Every statement is narrowed to these, and one that cannot be is
 * refused; Prisma's engine, whose statements nobody sees before, does nothing here.
 */
export class BoundOperations implements Operations {
  private readonly values: BoundValues;

  constructor(
    readonly inner: Operations,
    /** `null` in a transaction, which has its own connection. */
    private readonly reader: RowReader | null,
    private readonly bound: Bound,
  ) {
    this.values = valuesOf(bound);
  }

  get client(): PrismaClient {
    return this.inner.client;
  }

  get isTransaction(): boolean {
    return this.inner.isTransaction;
  }

  async run(model: ModelName, operation: TableMethod, args: OperationArgs): Promise<unknown> {
    const { plan: _plan, keys: _keys, rare: _rare, isEstimated: _isEstimated, ...asked } = args;
    const simple = simpleStatement(model, operation, asked);
    if (simple === null) return this.runOther(model, operation, asked);
    const { text, values, isCounted, answer } = simple;
    const statement = { text, values };
    const found = await (
      isCounted ? this.execute(statement).then((count) => ({ rows: [], count })) : this.rowsOf(statement)
    ).catch(asOfPrisma);
    if (found.count === 0 && CHANGES.has(operation)) await this.assertNotReadAlone(model, asked);
    return answer(found);
  }

  /** Runs what is no statement on one table. @throws DomainError FORBIDDEN for what cannot be narrowed. */
  private runOther(model: ModelName, operation: TableMethod, args: OperationArgs): Promise<unknown> {
    const { data, ...asked } = args;
    if (operation === "createMany" && Array.isArray(data) && data.length === 0)
      return Promise.resolve({ count: 0 });
    if (!operation.startsWith("find") && operation !== "count") assertWritten(model);
    const isOfNothing =
      data !== undefined && Object.values(data as object).every((value) => value === undefined);
    if (operation === "updateManyAndReturn" && isOfNothing) return this.run(model, "findMany", asked);
    return this.readOpen(model, operation, args);
  }

  /** Reads rows with those of another table where all rows of both are read. @throws DomainError FORBIDDEN for anything else. */
  private readOpen(model: ModelName, operation: TableMethod, args: OperationArgs): Promise<unknown> {
    const { include, ...alone } = args;
    const read = simpleStatement(model, operation, alone);
    const isOpen =
      operation.startsWith("find") &&
      read !== null &&
      isReadWhole(model) &&
      Object.entries(include ?? {}).every(([field, wanted]) => {
        const related = MODEL_FACTS[model].related[field];
        return related !== undefined && isReadWhole(related) && isPlain(wanted);
      });
    if (!isOpen) throw notNarrowed(OF_ALL_SHOPS);
    return this.inner.run(model, operation, args);
  }

  async query(statement: Sql): Promise<unknown> {
    return (await this.rowsOf(statement)).rows;
  }

  execute(statement: Pick<Sql, "text" | "values">): Promise<number> {
    return this.inner.execute(boundStatement(statement, this.values));
  }

  sendAhead(statement: Sql, ended?: Ended): Promise<void> {
    return this.inner.sendAhead(boundStatement(statement, this.values), ended);
  }

  settleAhead(): Promise<void> {
    return this.inner.settleAhead();
  }

  transaction<T>(work: (inside: Operations) => Promise<T>): Promise<T> {
    return this.inner.transaction((inside) => work(new BoundOperations(inside, null, this.bound)));
  }

  private async rowsOf(
    statement: Pick<Sql, "text" | "values">,
  ): Promise<{ rows: Record<string, unknown>[]; count: number }> {
    const bound = boundStatement(statement, this.values);
    const rows = (await (this.reader === null
      ? this.inner.query(bound)
      : this.reader.query(bound.text, bound.values))) as Record<string, unknown>[];
    for (const row of rows) delete row[WITHIN_BOUNDS];
    return { rows, count: rows.length };
  }

  /** @throws DomainError FORBIDDEN when a row that was to change is one that is only read. */
  private async assertNotReadAlone(model: ModelName, { where }: OperationArgs): Promise<void> {
    const rows = (await this.run(model, "findMany", {
      where,
      take: 1,
      select: { companyId: true },
    })) as unknown[];
    if (rows.length > 0) throw onlyRead();
  }
}
