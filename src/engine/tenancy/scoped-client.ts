import { LRUCache } from "lru-cache";
import { type PrismaClient } from "../../generated/prisma/client.js";
import { readerOf, setReader } from "../reads/row-reader.js";
import { setTransactions, transactionsOf } from "../writes/transaction-client.js";
import { scopedTransaction } from "./scoped-transaction.js";
import { withSimpleReads } from "./simple-reads.js";
import { assertNamesCompany, withCompany, type Args } from "./with-company.js";
import { isTenantModel } from "../../core/scope/tenant-models.js";

const MAX_SCOPED_CLIENTS = 1_000;
const clientsOf = new WeakMap<PrismaClient, LRUCache<number, PrismaClient>>();

/**
 * Returns the client limited to one company: every condition on a tenant model and every new row of one gets its
 * `companyId`.
 */
export function scopedClient(client: PrismaClient, companyId: number): PrismaClient {
  if (isTransaction(client)) return scopedTransaction(client, companyId);
  let scoped = clientsOf.get(client);
  if (scoped === undefined) {
    scoped = new LRUCache({ max: MAX_SCOPED_CLIENTS });
    clientsOf.set(client, scoped);
  }
  let own = scoped.get(companyId);
  if (own === undefined) {
    own = client.$extends({
      query: {
        $allModels: {
          $allOperations: ofCompany(companyId),
        },
      },
    }) as unknown as PrismaClient;
    const reader = readerOf(client)?.of(companyId);
    if (reader !== undefined)
      own = withSimpleReads(own, companyId, { reader, transactions: transactionsOf(client) });
    setReader(own, reader);
    scoped.set(companyId, own);
  }
  return own;
}

/** Clients that are known to be no transactions: to ask Prisma's client which methods it has takes a microsecond. */
const noTransactions = new WeakSet<PrismaClient>();

/** Whether it is no client of a database but a transaction that was begun on one. */
export function isTransaction(client: PrismaClient): boolean {
  if (noTransactions.has(client)) return false;
  if (!("$extends" in client)) return true;
  noTransactions.add(client);
  return false;
}

/** A query of any model; a type of all their arguments together is more than the compiler can do. */
interface AnyQuery {
  readonly model: string;
  readonly operation: string;
  readonly args: unknown;
  readonly query: (args: never) => Promise<unknown>;
}

const ofCompany =
  (companyId: number) =>
  ({ model, operation, args, query }: AnyQuery) =>
    query((isTenantModel(model) ? withCompany(companyId, model, operation, args as Args) : args) as never);

const unscopedOf = new WeakMap<PrismaClient, PrismaClient>();

/** Returns the client without a company: it refuses a query on a tenant model that does not name its company. */
export function unscopedClient(client: PrismaClient): PrismaClient {
  const known = unscopedOf.get(client);
  if (known !== undefined) return known;
  let unscoped = client.$extends({
    query: {
      $allModels: {
        $allOperations: ({ model, operation, args, query }) => {
          if (isTenantModel(model)) assertNamesCompany(model, operation, args);
          return query(args);
        },
      },
    },
  }) as unknown as PrismaClient;
  const reader = readerOf(client);
  if (reader !== undefined)
    unscoped = withSimpleReads(unscoped, null, { reader, transactions: transactionsOf(client) });
  const transactions = transactionsOf(client);
  if (transactions !== undefined) setTransactions(unscoped, transactions);
  setReader(unscoped, reader);
  unscopedOf.set(client, unscoped);
  return unscoped;
}
