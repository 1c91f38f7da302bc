import type { PrismaClient } from "../../generated/prisma/client.js";
import { withCompany, type Args } from "./with-company.js";
import { MODEL_OF_DELEGATE } from "../../core/scope/tenant-models.js";

type Query = (args: Args) => unknown;
type Delegate = Record<string, unknown>;

/**
 * Limits a running transaction to one company. Prisma cannot extend a transaction as it extends a client, so each
 * model is wrapped; a transaction within it is a savepoint.
 */
export function scopedTransaction(transaction: PrismaClient, companyId: number): PrismaClient {
  return new Proxy(transaction, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name);
      if (name === "$transaction") {
        return (work: (inside: PrismaClient) => Promise<unknown>) =>
          target.$transaction((inside) => work(scopedTransaction(inside as PrismaClient, companyId)));
      }
      const model = MODEL_OF_DELEGATE.get(name);
      if (model !== undefined) return scopedDelegate(value as Delegate, model, companyId);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}

function scopedDelegate(delegate: Delegate, model: string, companyId: number): Delegate {
  return new Proxy(delegate, {
    get: (target, operation: string) => {
      const value = target[operation];
      if (typeof value !== "function") return value;
      return (args: Args = {}) => {
        let scoped: Args;
        try {
          scoped = withCompany(companyId, model, operation, args);
        } catch (error) {
          // An extended client rejects as well, instead of throwing.
          return Promise.reject(error instanceof Error ? error : new Error(String(error)));
        }
        return (value as Query).call(target, scoped);
      };
    },
  });
}
