import type { PrismaClient } from "../../generated/prisma/client.js";
import { charactersIn } from "../limits/answer-size.js";
import type { CountQuery } from "./compile-read.js";
import type { ReadMeter } from "./read-meter.js";
import { readerOf, type ReadRow, type RowReader } from "./row-reader.js";
import { withCompany, type Args } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

/** The methods that read rows. */
interface Delegate {
  /** @param meter counts the rows; without it nobody does. */
  findMany(args?: Args, meter?: ReadMeter): Promise<unknown>;
  findFirst(args?: Args, meter?: ReadMeter): Promise<unknown>;
  count(args?: Args & CountQuery): Promise<unknown>;
}

/**
 * Returns the client of one company whose simple reads go past Prisma's engine.
 *
 * @param companyId is `null` for a client that is not limited to a company: only its reads of companies do.
 */
export function withSimpleReads(
  client: PrismaClient,
  companyId: number | null,
  reader: RowReader,
): PrismaClient {
  const delegates = new Map<string | symbol, Delegate>();
  return new Proxy(client, {
    get: (target, name) => {
      const known = delegates.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name);
      const model = companyId === null ? GLOBAL_DELEGATES.get(name) : MODEL_OF_DELEGATE.get(name);
      if (model === undefined) return typeof value === "function" ? (value.bind(target) as unknown) : value;
      const delegate = readingDelegate(value as Delegate, companyId, model, reader);
      delegates.set(name, delegate);
      return delegate;
    },
  });
}

const GLOBAL_DELEGATES: ReadonlyMap<string | symbol, string> = new Map([["company", "Company"]]);

function readingDelegate(
  delegate: Delegate,
  companyId: number | null,
  model: string,
  reader: RowReader,
): Delegate {
  /** Returns `null` for arguments that name another company. */
  const ownArgs = (args: Args, operation: string): Args | null => {
    if (companyId === null) return args;
    const named = args.where?.["companyId"];
    return named !== undefined && named !== companyId ? null : withCompany(companyId, model, operation, args);
  };
  /**
   * Returns `null` for a query that is not simple, or that names another company: Prisma's extension refuses that
   * one.
   */
  const read = (args: Args, operation: string, meter?: ReadMeter): Promise<readonly ReadRow[]> | null => {
    const own = ownArgs(args, operation);
    return own === null ? null : reader.read(model, own, meter);
  };
  const counts = (args: Args & CountQuery): Promise<readonly ReadRow[]> | null => {
    const own = ownArgs(args, "count");
    return own === null ? null : reader.count(model, own);
  };
  const reads: Delegate = {
    findMany: (args = {}, meter) =>
      read(args, "findMany", meter) ?? counted(delegate.findMany(withoutPlan(args)), meter),
    findFirst: (args = {}, meter) => {
      const rows = "take" in args ? null : read({ ...args, take: 1 } as Args, "findFirst", meter);
      return rows === null ? counted(delegate.findFirst(args), meter) : rows.then(firstOf);
    },
    count: (args = {}) => {
      const rows = counts(args);
      if (rows === null) return delegate.count(args);
      return args.by === undefined ? rows.then(([row]) => row?.["count"]) : rows;
    },
  };
  // The methods are defined, not assigned: Prisma's delegates keep assignments to objects that inherit from them.
  return Object.create(delegate, Object.getOwnPropertyDescriptors(reads)) as Delegate;
}

function firstOf(rows: readonly ReadRow[]): ReadRow | null {
  return rows[0] ?? null;
}

/** Leaves out how the read is to be planned, which Prisma does not know. */
function withoutPlan({ plan: _, ...args }: Args & { plan?: unknown }): Args {
  return args;
}

/** Counts what Prisma's engine has read: rows, one row or none. */
function counted(reading: Promise<unknown>, meter: ReadMeter | undefined): Promise<unknown> {
  if (meter === undefined) return reading;
  return reading.then((found) => {
    for (const row of [found].flat()) if (row !== null) meter.readsRow(charactersIn(row, Infinity));
    return found;
  });
}

/**
 * Returns a client of one company whose lists and counts wait for their turn in a run, and whose rows are counted with
 * their bytes.
 */
export function withMeter(scoped: PrismaClient, meter: ReadMeter): PrismaClient {
  // Within a transaction there is one connection, and no list.
  if (readerOf(scoped) === undefined) return scoped;
  return new Proxy(scoped, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (!MODEL_OF_DELEGATE.has(name)) return value;
      const delegate = value as Delegate;
      const Metered = meteredClasses.get(delegate) ?? meteredClass(delegate);
      return new Metered(meter);
    },
  });
}

type MeteredClass = new (meter: ReadMeter) => Delegate;

const meteredClasses = new WeakMap<Delegate, MeteredClass>();

/** Makes the class that all runs have in common: to define the methods for each takes longer than a simple read. */
function meteredClass(delegate: Delegate): MeteredClass {
  function Inherited(): void {}
  Inherited.prototype = delegate;
  /** The meter is a private field, since Prisma's delegates keep assignments to objects that inherit from them. */
  class Metered extends (Inherited as unknown as new () => Pick<Delegate, never>) implements Delegate {
    readonly #meter: ReadMeter;

    constructor(meter: ReadMeter) {
      super();
      this.#meter = meter;
    }

    findMany(args?: Args): Promise<unknown> {
      return this.#meter.inTurn(() => delegate.findMany(args, this.#meter));
    }

    findFirst(args?: Args): Promise<unknown> {
      return delegate.findFirst(args, this.#meter);
    }

    count(args?: Args & CountQuery): Promise<unknown> {
      return this.#meter.inTurn(() => delegate.count(args));
    }
  }
  meteredClasses.set(delegate, Metered);
  return Metered;
}
