import type { Client, Gateway, GraphqlResult } from "../support/gateway.js";
import { dataOf } from "../support/gateway.js";

export const CREATE = `mutation ($companyId: Int!, $input: CreateApiKeyInput!) {
  createApiKey(companyId: $companyId, input: $input) {
    id name prefix key roles networks expiresAt revokedAt previousEndsAt lastUsedAt version madeByKeyId
  }
}`;
export const ROTATE = `mutation ($companyId: Int!, $id: Int!, $hours: Int) {
  rotateApiKey(companyId: $companyId, apiKeyId: $id, overlapHours: $hours) { id key prefix previousEndsAt version }
}`;
export const REVOKE = `mutation ($companyId: Int!, $id: Int!) {
  revokeApiKey(companyId: $companyId, apiKeyId: $id) { id key revokedAt }
}`;
export const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateApiKeyInput!) {
  updateApiKey(companyId: $companyId, id: $id, input: $input) { id name key roles networks expiresAt version }
}`;
export const ME = "{ me { kind id companyId permissions admin { id } } }";

export interface MadeKey {
  readonly id: number;
  readonly key: string;
  readonly client: Client;
}

/** Makes a key by a caller, and a client that calls with it. */
export async function makeKey(
  gateway: Gateway,
  maker: Client,
  companyId: number,
  input: { roles: readonly string[]; name?: string; networks?: string[]; expiresAt?: string },
): Promise<MadeKey> {
  const variables = { companyId, input: { name: "ERP", ...input } };
  const { createApiKey } = dataOf(await maker.run(CREATE, variables)) as {
    createApiKey: { id: number; key: string };
  };
  const { id, key } = createApiKey;
  return { id, key, client: gateway.withToken(key) };
}

/** The HTTP status of the first error, 200 without one. */
export function statusOf({ errors }: GraphqlResult): number {
  return (errors?.[0]?.extensions["status"] as number | undefined) ?? 200;
}
