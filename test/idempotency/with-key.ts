import { randomUUID } from "node:crypto";
import pg from "pg";
import type { Client, Gateway, RestResult } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";

export const newKey = (): string => randomUUID();

/** A body that makes a text property. */
export const propertyNamed = (name: string) => ({
  name,
  is_type_text: true,
  property_text: { regex: "^.*$" },
});

export const CREATE_PROPERTY = `mutation ($companyId: Int!, $name: String!) {
  createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } }) {
    id name createdAt
  }
}`;

/** Sends a request with a key by GraphQL and returns the whole answer. */
export async function runWithKey(
  { app }: Gateway,
  { token }: Client,
  key: string,
  query: string,
  variables: Record<string, unknown> = {},
): Promise<RestResult> {
  const response = await app.inject({
    method: "POST",
    url: "/graphql",
    headers: { ...(token !== null && { authorization: `Bearer ${token}` }), "idempotency-key": key },
    payload: { query, variables },
  });
  return { status: response.statusCode, body: response.json(), headers: response.headers };
}

/** Locks a property of the company, so that a request that wants to change it waits. */
export async function holdProperty(
  { url }: Gateway,
  companyId: number,
  id: number,
): Promise<{
  /** Returns the process ids of the waiting sessions, as soon as there is one. */
  waiting(): Promise<number[]>;
  /** Ends sessions as a crash of their process would. */
  terminate(pids: number[]): Promise<void>;
  release(): Promise<void>;
}> {
  const holder = new pg.Client({ connectionString: url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM properties WHERE company_id = $1 AND id = $2 FOR UPDATE", [companyId, id]);
  return {
    waiting: async () => {
      const found = await untilLockWaits(
        url,
        1,
        ({ event }) => event === "tuple" || event === "transactionid",
      );
      return found.map(({ pid }) => pid);
    },
    terminate: async (pids) => {
      await holder.query("SELECT pg_terminate_backend(pid) FROM unnest($1::int[]) AS pid", [pids]);
    },
    release: async () => {
      await holder.query("ROLLBACK");
      await holder.end();
    },
  };
}
