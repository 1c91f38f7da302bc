import type { PrismaClient } from "../../generated/prisma/client.js";
import { limitedDelegate, type Delegate } from "./limited-delegate.js";
import { assertNamesCompany, withCompany, withoutPlan } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

/**
 * Limits a running transaction to one company. Prisma cannot extend a transaction as it extends a client, so each
 * model is wrapped; a transaction within it is a savepoint.
 */
export function scopedTransaction(transaction: PrismaClient, companyId: number): PrismaClient {
  return new Proxy(transaction, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "$transaction") {
        return (work: (inside: PrismaClient) => Promise<unknown>) =>
          target.$transaction((inside) => work(scopedTransaction(inside as PrismaClient, companyId)));
      }
      const model = MODEL_OF_DELEGATE.get(name);
      if (model !== undefined)
        return limitedDelegate(value as Delegate, (operation, args) =>
          withoutPlan(withCompany(companyId, model, operation, args)),
        );
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Limits a running transaction to queries that name their company. */
export function unscopedTransaction(transaction: PrismaClient): PrismaClient {
  return new Proxy(transaction, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (name === "$transaction") {
        return (work: (inside: PrismaClient) => Promise<unknown>) =>
          target.$transaction((inside) => work(unscopedTransaction(inside as PrismaClient)));
      }
      const model = MODEL_OF_DELEGATE.get(name);
      if (model === undefined) return typeof value === "function" ? (value.bind(target) as unknown) : value;
      return limitedDelegate(value as Delegate, (operation, args) => {
        assertNamesCompany(model, operation, args);
        return args;
      });
    },
  });
}
