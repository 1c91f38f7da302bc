import { hashPassword } from "../../src/core/access/passwords.js";
import { unique } from "../support/factories.js";
import type { Gateway, RestResult } from "../support/gateway.js";

export const PASSWORD = "correct horse battery staple";

export interface Account {
  readonly id: number;
  readonly companyId: number;
  readonly email: string;
}

/** Creates an admin who can sign in with `PASSWORD`, or with the given password; `null` gives no password. */
export async function createAccount(
  gateway: Gateway,
  companyId: number,
  overrides: { email?: string; password?: string | null } = {},
): Promise<Account> {
  const { email = `${unique()}@login.example.com`, password = PASSWORD } = overrides;
  const { id } = await gateway.db.admin.create({
    data: {
      companyId,
      name: "Account",
      email,
      phone: "+15550000003",
      passwordHash: password === null ? null : await hashOf(password),
    },
  });
  return { id, companyId, email };
}

const hashes = new Map<string, Promise<string>>();

/** Returns a hash of the password, one for all accounts: to make one takes 20 MB and some 40 ms of a core. */
async function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);
  return hash;
}

/** Signs in by REST. */
export function login(gateway: Gateway, body: object): Promise<RestResult> {
  return gateway.anonymous.rest("POST", "/auth/login", { body });
}

/** Returns the refresh token of a new login. */
export async function refreshTokenOf(gateway: Gateway, { email }: Account): Promise<string> {
  const { status, body } = await login(gateway, { email, password: PASSWORD });
  expect(status).toBe(200);
  return body.refresh_token as string;
}

export function refresh(gateway: Gateway, refreshToken: string): Promise<RestResult> {
  return gateway.anonymous.rest("POST", "/auth/refresh", { body: { refresh_token: refreshToken } });
}
