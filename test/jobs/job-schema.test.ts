import { JOB_SCHEMA_REVISION } from "../../src/engine/migrations/job-schema.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
beforeAll(async () => (gateway = await startGateway()));
afterAll(() => gateway.close());

it("knows the newest migration of the library's tables", async () => {
  const rows = await gateway.db.$queryRaw`SELECT max(id) AS revision FROM graphile_worker.migrations`;

  expect(rows).toEqual([{ revision: JOB_SCHEMA_REVISION }]);
});
