import type { PrismaClient } from "../../generated/prisma/client.js";
import { charactersIn } from "../limits/answer-size.js";
import type { ReadMeter } from "./read-meter.js";
import { readerOf, type ReadRow, type RowReader } from "./row-reader.js";
import { withCompany, type Args } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

interface Delegate {
  findMany(args?: Args): Promise<unknown>;
  findFirst(args?: Args): Promise<unknown>;
  count(args?: Args): Promise<unknown>;
}

/** Returns the client of one company whose simple reads go past Prisma's engine. */
export function withSimpleReads(scoped: PrismaClient, companyId: number, reader: RowReader): PrismaClient {
  const delegates = new Map<string | symbol, Delegate>();
  return new Proxy(scoped, {
    get: (target, name) => {
      const known = delegates.get(name);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, name);
      const model = MODEL_OF_DELEGATE.get(name);
      if (model === undefined) return typeof value === "function" ? (value.bind(target) as unknown) : value;
      const delegate = readingDelegate(value as Delegate, companyId, model, reader);
      delegates.set(name, delegate);
      return delegate;
    },
  });
}

function readingDelegate(delegate: Delegate, companyId: number, model: string, reader: RowReader): Delegate {
  const read = simpleRead(companyId, model, reader);
  const reads: Omit<Delegate, "count"> = {
    findMany: (args = {}) => read(args, "findMany") ?? delegate.findMany(args),
    findFirst: (args = {}) => {
      const rows = "take" in args ? null : read({ ...args, take: 1 } as Args, "findFirst");
      return rows === null ? delegate.findFirst(args) : rows.then(([row]) => row ?? null);
    },
  };
  return withMethods(delegate, reads);
}

/**
 * Returns a client of one company whose lists and counts wait for their turn in a run, and whose rows are counted with
 * their bytes.
 */
export function withMeter(scoped: PrismaClient, companyId: number, meter: ReadMeter): PrismaClient {
  const reader = readerOf(scoped);
  // Within a transaction there is one connection, and no list.
  if (reader === undefined) return scoped;
  return new Proxy(scoped, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      const model = MODEL_OF_DELEGATE.get(name);
      if (model === undefined) return value;
      const delegate = value as Delegate;
      const Metered = meteredClasses.get(delegate) ?? meteredClass(delegate, companyId, model, reader);
      return new Metered(meter);
    },
  });
}

type MeteredClass = new (meter: ReadMeter) => Delegate;

const meteredClasses = new WeakMap<Delegate, MeteredClass>();

/** Makes the class that all runs have in common: to define the methods for each takes longer than a simple read. */
function meteredClass(delegate: Delegate, companyId: number, model: string, reader: RowReader): MeteredClass {
  const read = simpleRead(companyId, model, reader);
  function Inherited(): void {}
  Inherited.prototype = delegate;
  /** A private field, since Prisma's delegates keep assignments to objects that inherit from them. */
  class Metered extends (Inherited as unknown as new () => Pick<Delegate, never>) implements Delegate {
    readonly #meter: ReadMeter;

    constructor(meter: ReadMeter) {
      super();
      this.#meter = meter;
    }

    findMany(args: Args = {}): Promise<unknown> {
      const meter = this.#meter;
      return meter.inTurn(
        () => read(args, "findMany", meter) ?? counted(delegate.findMany(args) as Promise<unknown[]>, meter),
      );
    }

    async findFirst(args: Args = {}): Promise<unknown> {
      const meter = this.#meter;
      const rows = "take" in args ? null : read({ ...args, take: 1 } as Args, "findFirst", meter);
      const found =
        rows ??
        counted(
          delegate.findFirst(args).then((row) => (row === null ? [] : [row])),
          meter,
        );
      return (await found)[0] ?? null;
    }

    count(args: Args = {}): Promise<unknown> {
      return this.#meter.inTurn(() => delegate.count(args));
    }
  }
  meteredClasses.set(delegate, Metered);
  return Metered;
}

async function counted(reading: Promise<readonly unknown[]>, meter: ReadMeter): Promise<readonly unknown[]> {
  const rows = await reading;
  for (const row of rows) meter.readsRow(charactersIn(row, Infinity));
  return rows;
}

type SimpleRead = (args: Args, operation: string, meter?: ReadMeter) => Promise<readonly ReadRow[]> | null;

/**
 * Returns a function that reads rows of the model past Prisma's engine. It answers `null` for a query that is not
 * simple, or that names another company: Prisma's extension refuses that one.
 */
function simpleRead(companyId: number, model: string, reader: RowReader): SimpleRead {
  return (args, operation, meter) => {
    const named = args.where?.["companyId"];
    if (named !== undefined && named !== companyId) return null;
    return reader.read(model, withCompany(companyId, model, operation, args), meter);
  };
}

/** Methods are defined, not assigned: Prisma's delegates keep assignments to objects that inherit from them. */
function withMethods(delegate: Delegate, methods: Partial<Delegate>): Delegate {
  return Object.create(delegate, Object.getOwnPropertyDescriptors(methods)) as Delegate;
}
