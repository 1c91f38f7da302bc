import { TABLE_METHODS, type TableMethod } from "../../core/db/db.js";
import type { ReadMeter } from "../limits/read-meter.js";
import type { CountQuery } from "../reads/compile-read.js";
import type { ReadRow, RowReader } from "../reads/row-reader.js";
import { charactersIn } from "../limits/answer-size.js";
import { isTenantModel, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import type { Operations } from "../writes/operations.js";
import { assertNamesCompany, limitedTo, withCompany, type Args } from "./with-company.js";

/** The database of which a table is one, within its bounds. */
export interface BoundsOfTable {
  readonly operations: Operations;
  readonly reader: RowReader | null;
  readonly companyId: number | null;
  readonly owner: number | null | undefined;
  readonly meter: ReadMeter | null;
}

/** Reads, which the reader does where it can. */
const READS: ReadonlySet<TableMethod> = new Set(["findMany", "findFirst", "count"]);
const OTHERS = TABLE_METHODS.filter((operation) => !READS.has(operation));

/** Makes the class of a model's table within bounds. Its methods reject with what is wrong with their arguments. */
export function tableClass(model: ModelName): new (db: BoundsOfTable) => object {
  const isTenant = isTenantModel(model);
  const ownersField = ownerField(model);

  class Table {
    readonly #db: BoundsOfTable;

    constructor(db: BoundsOfTable) {
      this.#db = db;
    }

    static {
      for (const operation of OTHERS) {
        Object.defineProperty(this.prototype, operation, {
          async value(this: Table, args: Args = {}): Promise<unknown> {
            return this.run(operation, this.limited(operation, args));
          },
        });
      }
    }

    findMany(args: Args = {}): Promise<unknown> {
      return rejecting(() => {
        const own = this.limited("findMany", args);
        const { meter } = this;
        if (meter === null) return this.list(own, null);
        return meter.inTurn(() => this.list(own, meter));
      });
    }

    findFirst(args: Args = {}): Promise<unknown> {
      return rejecting(() => {
        const own = this.limited("findFirst", args);
        const { meter } = this;
        // V8 gives a copy that gets a further field a hidden class of its own each time, and all that reads it is slow.
        const rows = "take" in own ? null : this.reader?.read(model, { take: 1, ...own }, meter);
        if (rows != null) return rows.then(firstOf);
        return counted(this.run("findFirst", own), meter);
      });
    }

    count(args: Args & CountQuery = {}): Promise<unknown> {
      return rejecting(() => {
        const own = this.limited("count", args);
        const { meter } = this;
        return meter === null ? this.counts(own) : meter.inTurn(() => this.counts(own));
      });
    }

    private list(own: Args, meter: ReadMeter | null): Promise<unknown> {
      const rows = this.reader?.read(model, own, meter);
      return rows ?? counted(this.run("findMany", own), meter);
    }

    private counts(own: Args & CountQuery): Promise<unknown> {
      const rows = this.reader?.count(model, own);
      if (rows == null) return this.run("count", own);
      return own.by === undefined ? rows.then(([row]) => row?.["count"]) : rows;
    }

    /** Rows of global models are counted by nobody. */
    private get meter(): ReadMeter | null {
      return isTenant ? this.#db.meter : null;
    }

    /** Reads of a company's own rows are simple, and without a company those of companies. */
    private get reader(): RowReader | null {
      const { companyId, reader } = this.#db;
      return (companyId === null ? model === "Company" : isTenant) ? reader : null;
    }

    private run(operation: TableMethod, args: Args): Promise<unknown> {
      return this.#db.operations.run(model, operation, args);
    }

    /** @throws Error when a query names another company or another owner, or when it has to name one and does not. */
    private limited(operation: string, args: Args): Args {
      if (!isTenant) return args;
      const { companyId, owner } = this.#db;
      if (companyId === null) {
        assertNamesCompany(model, operation, args);
        return args;
      }
      if (ownersField === null || owner === undefined) return withCompany(companyId, model, operation, args);
      if (owner === null) throw new Error(`${model}.${operation}: its rows are private to clients`);
      const limit = { field: ownersField, id: owner, whose: "client" };
      const own = limitedTo(limit, model, operation, apart(ownersField, args));
      return withCompany(companyId, model, operation, own);
    }
  }
  return Table;
}

/** Sets a condition on the owner apart, such as that of a loader on many, so that it holds besides the limit. */
function apart(field: string, args: Args): Args {
  const { [field]: condition, AND = [], ...where } = args.where ?? {};
  if (typeof condition !== "object") return args;
  return { ...args, where: { ...where, AND: [AND, { [field]: condition }].flat() } };
}

function firstOf(rows: readonly ReadRow[]): ReadRow | null {
  return rows[0] ?? null;
}

/** Counts what Prisma's engine has read: rows, one row or none. */
function counted(reading: Promise<unknown>, meter: ReadMeter | null): Promise<unknown> {
  if (meter === null) return reading;
  return reading.then((found) => {
    for (const row of [found].flat()) if (row !== null) meter.readsRow(charactersIn(row, Infinity));
    return found;
  });
}

/** Prisma's methods reject with what is wrong with their arguments, instead of throwing. */
function rejecting(read: () => Promise<unknown>): Promise<unknown> {
  try {
    return read();
  } catch (error) {
    return Promise.reject(error instanceof Error ? error : new Error(String(error)));
  }
}
