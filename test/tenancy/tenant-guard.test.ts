import { createDatabase, type Database } from "../../src/engine/connections/client.js";
import { queryRows } from "../../src/engine/tenancy/bounded-db.js";
import { operationsOf, setOperations } from "../../src/engine/writes/operations.js";
import { PoolOperations } from "../../src/engine/writes/pool-operations.js";
import { tenantTables } from "../../src/engine/tenancy/tenant-guard.js";
import { Prisma } from "../../src/generated/prisma/client.js";
import { observedApp, type ObservedApp } from "../operations/observed-app.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { tablesWithCompany } from "../support/tenant-tables.js";

const SECRET_VALUE = "a value that nobody may read";
const SENT = "UPDATE goods SET name = $1 WHERE id > $2";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  await createGood(gateway, company.id, { name: "Mine" });
});
afterAll(() => gateway.close());

const nameNow = async (): Promise<string | undefined> =>
  (await gateway.db.good.findFirst({ where: { companyId: company.id } }))?.name;

it("knows every table with a company from the models", async () => {
  expect([...tenantTables()].sort()).toEqual([...(await tablesWithCompany(gateway.url))].sort());
});

describe("a statement that forgets its company", () => {
  const forgetful = Prisma.sql`UPDATE goods SET name = ${SECRET_VALUE} WHERE id > ${0}`;
  const unscoped = { text: SENT, values: [SECRET_VALUE, 0] };
  let own: Database;
  beforeAll(async () => (own = await createDatabase({ url: gateway.url, poolSize: 1 })));
  afterAll(() => own.close());

  it.each<[string, () => Promise<unknown>]>([
    ["Prisma", () => own.writer.$executeRaw(forgetful)],
    ["one of Prisma's transactions", () => own.writer.$transaction((tx) => tx.$executeRaw(forgetful))],
    ["the readers past Prisma", () => queryRows(own.writer, forgetful)],
    ["the pool", () => own.pool.query(unscoped)],
    [
      "a connection, as the jobs have one",
      async () => {
        const client = await own.pool.connect();
        return client.query(unscoped).finally(() => client.release());
      },
    ],
    ["a query of Prisma's own", () => own.writer.good.findMany({ where: { id: 1 } })],
  ])("is not run by %s", async (_name, send) => {
    await expect(send()).rejects.toThrow("without a company_id condition");

    expect(await nameNow()).toBe("Mine");
    // The connection is free again and works.
    expect(await own.writer.good.count({ where: { companyId: company.id } })).toBe(1);
  });

  describe("in a resolver", () => {
    let observed: ObservedApp;
    beforeAll(async () => {
      const planted = gateway.db.$extends({
        query: { good: { findMany: () => gateway.db.$executeRaw(forgetful) } },
      }) as unknown as Database["writer"];
      setOperations(
        planted,
        new PoolOperations(planted, (work) => operationsOf(gateway.db).transaction(work)),
      );
      const database: Database = { ...gateway.database, writer: planted, reader: () => planted };
      observed = await observedApp({ ...gateway, database });
    });
    afterAll(() => observed.app.close());

    it.each([
      ["graphql", "POST", "/graphql", 200],
      ["rest", "GET", "/api/companies/{}/goods", 500],
    ] as const)("is noted in the log alone: %s", async (face, method, path, status) => {
      const seen = observed.log().length;

      const response = await observed.app.inject({
        method,
        url: path.replace("{}", String(company.id)),
        ...(face === "graphql" && {
          payload: { query: `{ goods(companyId: ${company.id}) { nodes { id } } }` },
        }),
      });

      const logged = observed.log().slice(seen);
      expect(response.statusCode).toBe(status);
      expect(response.body).toContain("Something went wrong on our side.");
      expect(response.body).not.toMatch(/company_id|UPDATE/);
      expect(logged).toContain(`goods is reached without a company_id condition: ${SENT}`);
      expect(logged).not.toContain(SECRET_VALUE);
      expect(await nameNow()).toBe("Mine");
    });
  });
});
