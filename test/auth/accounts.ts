import { setTimeout as sleep } from "node:timers/promises";
import { hashPassword } from "../../src/core/access/passwords.js";
import { passwordThreads } from "../../src/core/access/password-threads.js";
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

const verified = new Map<string, Promise<string | boolean>>();
/** What comes at once goes on while one of it is verified. */
const VERIFYING_MS = 10;

/**
 * Verifies a password against a hash once for all tests of the worker, and has who asks again wait without work: a login verifies
 * four times, each of which takes some 40 ms of a core. It is for tests of what follows from logins.
 */
export function rememberPasswords(): void {
  beforeEach(() => {
    const run = passwordThreads.run.bind(passwordThreads);
    jest.spyOn(passwordThreads, "run").mockImplementation(async (task) => {
      if (task.kind === "hash") return run(task);
      const key = `${task.hash} ${task.password}`;
      const known = verified.get(key);
      if (known === undefined) verified.set(key, run(task));
      else await sleep(VERIFYING_MS);
      return verified.get(key) as Promise<string | boolean>;
    });
  });
  afterEach(() => jest.restoreAllMocks());
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
