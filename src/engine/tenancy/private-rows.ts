import type { Caller } from "../../core/access/caller.js";
import { ownerField, PRIVATE_MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";
import type { PrismaClient } from "../../generated/prisma/client.js";
import { limitedDelegate, type Delegate } from "./limited-delegate.js";
import { limitedTo, type Args } from "./with-company.js";

/** The id of the client whose private rows the caller reaches in the company; `null` when it reaches none. */
export function ownerIn(companyId: number, caller: Caller): number | null {
  return caller.kind === "client" && caller.companyId === companyId ? caller.id : null;
}

/**
 * Returns the client of one company limited to the private rows of one owner: each condition on a private model and each
 * new row of one gets the owner's id. Without an owner, queries on private models are refused.
 */
export function withPrivateRows(scoped: PrismaClient, owner: number | null): PrismaClient {
  return new Proxy(scoped, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === "$transaction") {
        return (work: (inside: PrismaClient) => Promise<unknown>) =>
          target.$transaction((inside) => work(withPrivateRows(inside as PrismaClient, owner)));
      }
      const model = PRIVATE_MODEL_OF_DELEGATE.get(name);
      return model === undefined ? value : ownDelegate(value as object, model, owner);
    },
  });
}

/** Limits the delegate of a private model to the rows of one owner. */
export function ownDelegate(delegate: object, model: string, owner: number | null): Delegate {
  const field = ownerField(model) as string;
  return limitedDelegate(delegate as Delegate, (operation, args) => {
    if (owner === null) throw new Error(`${model}.${operation}: its rows are private to clients`);
    return limitedTo({ field, id: owner, whose: "client" }, model, operation, apart(field, args));
  });
}

/** Sets a condition on the owner apart, such as that of a loader on many, so that it holds besides the limit. */
function apart(field: string, args: Args): Args {
  const { [field]: condition, AND = [], ...where } = args.where ?? {};
  if (typeof condition !== "object") return args;
  return { ...args, where: { ...where, AND: [AND, { [field]: condition }].flat() } };
}
