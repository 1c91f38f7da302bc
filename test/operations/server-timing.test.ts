import { createCompany, createGood } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { observedApp } from "./observed-app.js";

let gateway: Gateway;
let url: string;
beforeAll(async () => {
  gateway = await startGateway();
  const { id: companyId } = await createCompany(gateway);
  const { id } = await createGood(gateway, companyId);
  url = `/api/companies/${companyId}/goods/${id}`;
});
afterAll(() => gateway.close());

async function timingOf(environment: Record<string, string>): Promise<unknown> {
  const { app } = await observedApp(gateway, environment);
  await app.inject({ method: "GET", url });
  const { headers, statusCode } = await app.inject({ method: "GET", url });
  await app.close();
  expect(statusCode).toBe(200);
  return headers["server-timing"];
}

it("says in development how long a request took and how many statements", async () => {
  expect(await timingOf({})).toMatch(/^total;dur=\d+\.\d, sql;dur=\d+\.\d;desc="1 statement"$/);
});

it("says the whole alone where statements are not kept apart", async () => {
  expect(await timingOf({ METRICS: "basic" })).toMatch(/^total;dur=\d+\.\d$/);
});

it("says nothing in production", async () => {
  expect(await timingOf({ NODE_ENV: "production", METRICS: "full" })).toBeUndefined();
});
