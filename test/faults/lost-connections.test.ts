import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { GOOD_BODY } from "../goods/examples.js";
import { newKey, runWithKey } from "../idempotency/with-key.js";
import { createCompany, unique, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const LASTING_MS = 4_000;
const CALLERS = 4;

const CREATE_GOODS = `mutation ($companyId: Int!, $name: String!) {
  createProperty(companyId: $companyId, input: { name: $name, isTypeText: true, propertyText: { regex: "^.*$" } }) { id }
}`;

/** All connections of the service are ended over and over, while callers read and write. */
describe("a service whose connections are ended", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let killer: pg.Client;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
    killer = new pg.Client({ connectionString: gateway.url });
    await killer.connect();
  });
  afterAll(async () => {
    await killer.end();
    await gateway.close();
  });

  it("answers each request or says 503, and answers all when it is left alone", async () => {
    const { owner, id: companyId } = company;
    const goods = `/companies/${companyId}/goods`;
    const requests: (() => Promise<number>)[] = [
      async () => (await owner.rest("GET", `${goods}?filter[name][contains]=a&sort=-name`)).status,
      async () => (await owner.rest("POST", goods, { body: GOOD_BODY })).status,
      async () =>
        statusOf(
          await owner.run(
            `query ($companyId: Int!) { goods(companyId: $companyId) { totalCount nodes { id branchGroup { id } } } }`,
            { companyId },
          ),
        ),
      async () => statusOf(await owner.run(CREATE_GOODS, { companyId, name: unique() })),
      async () =>
        statusOf(
          (await runWithKey(gateway, owner, newKey(), CREATE_GOODS, { companyId, name: unique() })).body,
        ),
    ];
    const answers = new Map<number, number>();
    const isSeen = (status: number): boolean => answers.has(status);
    const end = performance.now() + LASTING_MS;
    const isOver = (): boolean => performance.now() >= end && [200, 201, 503].every(isSeen);
    const call = async (request: () => Promise<number>): Promise<void> => {
      while (!isOver()) {
        const status = await request();
        answers.set(status, (answers.get(status) ?? 0) + 1);
      }
    };
    const calling = Promise.all(
      requests.flatMap((request) => Array.from({ length: CALLERS }, () => call(request))),
    );
    let pauseMs = 15;
    while (!isOver()) {
      await killer.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
      );
      await sleep(pauseMs);
      // On a slow machine, a change may take longer than the pause.
      if (performance.now() >= end) pauseMs *= 2;
    }
    await calling;

    expect([...answers.keys()].sort()).toEqual([200, 201, 503]);
    const afterwards = await Promise.all(requests.map((request) => request()));
    expect(afterwards.filter((status) => status >= 400)).toEqual([]);
  }, 30_000);
});

function statusOf({ errors }: { errors?: { extensions: Record<string, unknown> }[] }): number {
  return errors === undefined ? 200 : (errors[0]?.extensions["status"] as number);
}
