import type { PrismaClient } from "../../generated/prisma/client.js";
import type { ReadRow, RowReader } from "./row-reader.js";
import { withCompany, type Args } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

interface Delegate {
  findMany(args?: Args): Promise<unknown>;
  findFirst(args?: Args): Promise<unknown>;
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
  /**
   * Returns `null` for a query that is not simple, or that names another company: Prisma's extension refuses that
   * one.
   */
  const read = (args: Args, operation: string): Promise<readonly ReadRow[]> | null => {
    const named = args.where?.["companyId"];
    if (named !== undefined && named !== companyId) return null;
    return reader.read(model, withCompany(companyId, model, operation, args));
  };
  const reads: Delegate = {
    findMany: (args = {}) => read(args, "findMany") ?? delegate.findMany(args),
    findFirst: (args = {}) => {
      const rows = "take" in args ? null : read({ ...args, take: 1 } as Args, "findFirst");
      return rows === null ? delegate.findFirst(args) : rows.then(([row]) => row ?? null);
    },
  };
  // The methods are defined, not assigned: Prisma's delegates keep assignments to objects that inherit from them.
  return Object.create(delegate, Object.getOwnPropertyDescriptors(reads)) as Delegate;
}
