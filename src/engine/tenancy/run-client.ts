import { delegateName, isTenantModel, ownerField } from "../../core/scope/tenant-models.js";
import { Prisma, type PrismaClient } from "../../generated/prisma/client.js";
import type { CountQuery } from "../reads/compile-read.js";
import { ownDelegate, withPrivateRows } from "./private-rows.js";
import type { ReadMeter } from "../limits/read-meter.js";
import { readerOf } from "../reads/row-reader.js";
import type { ReadingDelegate } from "./simple-reads.js";
import type { Args } from "./with-company.js";

/** What a run adds to the client of a company. */
export interface RunLimits {
  /** Counts the rows of lists; `null`: nobody does. */
  readonly meter: ReadMeter | null;
  /** The client whose private rows the run reaches; `null`: it reaches none. */
  readonly owner: number | null;
}

/**
 * Returns the client of one company as one run uses it: lists and counts wait for their turn in the run, rows are counted
 * with their bytes, and private rows are those of one owner alone.
 */
export function runClient(scoped: PrismaClient, { meter, owner }: RunLimits): PrismaClient {
  // Within a transaction there is one connection, and no list.
  if (meter === null || readerOf(scoped) === undefined) return withPrivateRows(scoped, owner);
  return new RunClient(scoped, meter, owner) as unknown as PrismaClient;
}

type RawMethod = "$queryRaw" | "$executeRaw" | "$queryRawUnsafe" | "$executeRawUnsafe";

const RAW_METHODS: readonly RawMethod[] = [
  "$queryRaw",
  "$executeRaw",
  "$queryRawUnsafe",
  "$executeRawUnsafe",
];

/** What slices use of a client. It is no proxy, since making one and going through it takes as long as a simple read. */
class RunClient {
  readonly #scoped: PrismaClient;
  readonly #classes: MeteredClasses;
  readonly #meter: ReadMeter;
  readonly #owner: number | null;

  static {
    for (const model of Object.values(Prisma.ModelName)) {
      const name = delegateName(model);
      const isPrivate = ownerField(model) !== null;
      const isTenants = isTenantModel(model);
      Object.defineProperty(this.prototype, name, {
        get(this: RunClient): object {
          if (!isTenants) return this.#scoped[name];
          const Metered = (this.#classes[name] ??= meteredClass(this.#scoped[name]));
          const metered = new Metered(this.#meter);
          return isPrivate ? ownDelegate(metered, model, this.#owner) : metered;
        },
      });
    }
    for (const name of RAW_METHODS) {
      Object.defineProperty(this.prototype, name, {
        value(this: RunClient, ...args: unknown[]) {
          return (this.#scoped[name] as (...args: unknown[]) => unknown)(...args);
        },
      });
    }
  }

  constructor(scoped: PrismaClient, meter: ReadMeter, owner: number | null) {
    this.#scoped = scoped;
    this.#classes = classesOf(scoped);
    this.#meter = meter;
    this.#owner = owner;
  }

  $transaction(work: (inside: PrismaClient) => Promise<unknown>): Promise<unknown> {
    return this.#scoped.$transaction((inside) => work(withPrivateRows(inside as PrismaClient, this.#owner)));
  }
}

type MeteredClass = new (meter: ReadMeter) => ReadingDelegate;

/** The classes of a company's delegates by the names of these; all runs have them in common. */
type MeteredClasses = Partial<Record<string, MeteredClass>>;

const known = new WeakMap<PrismaClient, MeteredClasses>();

function classesOf(scoped: PrismaClient): MeteredClasses {
  let classes = known.get(scoped);
  if (classes === undefined) known.set(scoped, (classes = {}));
  return classes;
}

function meteredClass(delegate: ReadingDelegate): MeteredClass {
  function Inherited(): void {}
  Inherited.prototype = delegate;
  /** The meter is a private field, since Prisma's delegates keep assignments to objects that inherit from them. */
  class Metered extends (Inherited as unknown as new () => object) implements ReadingDelegate {
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
  return Metered;
}
