import type { PrismaClient } from "../../generated/prisma/client.js";

export interface LateClient {
  /** Prisma's client, which is made when something of it is used first. */
  readonly client: PrismaClient;
  /** Ends what it has opened, if it was ever made. */
  close(): Promise<void>;
}

/**
 * Puts off making a client of Prisma until it is used. Each decodes a graph of the schema of its own, which takes 50 ms and
 * 19 MB; reads and simple writes go past it, so those of replicas and of the worker may never be used.
 */
export function lateClient(make: () => PrismaClient): LateClient {
  let made: PrismaClient | null = null;
  const client = new Proxy({} as PrismaClient, {
    get(_target, key): unknown {
      made ??= make();
      const value: unknown = Reflect.get(made, key);
      return typeof value === "function" ? (value as () => unknown).bind(made) : value;
    },
  });
  return { client, close: async () => made?.$disconnect() };
}
