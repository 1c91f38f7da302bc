import type { AddressInfo } from "node:net";
import { serverAudits } from "graphql-http";
import { startGateway, type Gateway } from "../support/gateway.js";

/** Without introspection `__type` is an unknown field, so documents that ask for it are refused. */
const NEEDS_INTROSPECTION = ["2EA1", "28B9", "D6D5", "6A70"];

interface Profile {
  readonly gateway: Gateway;
  readonly url: string;
}

async function listen(environment: Record<string, string>): Promise<Profile> {
  const gateway = await startGateway({ environment });
  await gateway.app.listen({ port: 0, host: "127.0.0.1" });
  return { gateway, url: `http://127.0.0.1:${(gateway.app.server.address() as AddressInfo).port}/graphql` };
}

let open: Profile;
let locked: Profile;
beforeAll(async () => {
  open = await listen({ EXPLORER: "on" });
  locked = await listen({ EXPLORER: "off" });
});
afterAll(() => Promise.all([open.gateway.close(), locked.gateway.close()]));

/** Sends a query by GET as clients have to: with a header for which browsers ask first (contract §5.3). */
const fetchFn: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  if ((init?.method ?? "GET") === "GET") headers.set("apollo-require-preflight", "1");
  return fetch(url, { ...init, headers });
};

const audits = serverAudits({ url: () => open.url, fetchFn });

it("are 61", () => {
  expect(audits).toHaveLength(61);
});

it.each(audits.map(({ id, name, fn }) => [id, name, fn] as const))("%s: %s", async (_id, _name, fn) => {
  const result = await fn();

  expect(result.status === "ok" ? "ok" : result.reason).toBe("ok");
});

it("fail in the locked profile only where they use introspection", async () => {
  const failed: string[] = [];
  for (const audit of serverAudits({ url: () => locked.url, fetchFn })) {
    if ((await audit.fn()).status !== "ok") failed.push(audit.id);
  }

  expect(failed).toEqual(NEEDS_INTROSPECTION);
});
