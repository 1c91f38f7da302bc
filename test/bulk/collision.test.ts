import pg from "pg";
import { newKey } from "../idempotency/with-key.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";

const UPSERT = `mutation ($companyId: Int!, $rows: [UpsertClientInput!]!, $mode: BulkMode!) {
  results: upsertClients(companyId: $companyId, by: id, rows: $rows, mode: $mode) { ok error { code } }
}`;

let gateway: Gateway;
let company: TestCompany;
/** Changes the external id of a client in a transaction of its own, which goes on. */
let rival: Awaited<ReturnType<typeof connect>>;
let pause: Awaited<ReturnType<typeof connect>>;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  rival = await connect();
  pause = await connect();
});
afterEach(async () => {
  await rival.end();
  await pause.end();
});
afterAll(() => gateway.close());

async function connect() {
  const session = new pg.Client({ connectionString: gateway.ownerUrl });
  await session.connect();
  // It does not give way: the service does.
  await session.query("SET deadlock_timeout = '1h'");
  await session.query("BEGIN");
  return {
    give: async (clientId: number, externalId: string): Promise<void> => {
      await session.query("UPDATE clients SET external_id = $3 WHERE company_id = $1 AND id = $2", [
        company.id,
        clientId,
        externalId,
      ]);
    },
    end: (): Promise<void> => session.end(),
  };
}

async function createClients(count: number): Promise<number[]> {
  const ids: number[] = [];
  while (ids.length < count) {
    const data = { companyId: company.id, name: `Client ${ids.length}` };
    ids.push((await gateway.db.client.create({ data })).id);
  }
  return ids;
}

const externalIds = async (): Promise<(string | null)[]> =>
  (await gateway.db.client.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } })).map(
    ({ externalId }) => externalId,
  );

describe("rows of one transaction that meet another one in a circle", () => {
  it.each([
    ["all", "without a key", {}],
    ["all", "with a key", { "idempotency-key": newKey() }],
    ["each", "with a key", { "idempotency-key": newKey() }],
  ])("end as a whole, and are done when they are sent again: mode %s, %s", async (mode, _, headers) => {
    const [first = 0, second = 0, third = 0, ...others] = await createClients(6);
    const [paused = 0, held = 0, wanted = 0] = others;
    const rows = [
      { id: first, externalId: "x" },
      { id: second, externalId: "z" },
      { id: third, externalId: "y" },
    ];
    const send = () => company.owner.run(UPSERT, { companyId: company.id, rows, mode }, headers);

    await rival.give(held, "y");
    await pause.give(paused, "z");
    const answering = send();
    await untilLockWaits(gateway.ownerUrl, 1);
    const rivaling = rival.give(wanted, "x");
    await untilLockWaits(gateway.ownerUrl, 2);
    await pause.end();
    const answer = await answering;
    await rivaling;
    await rival.end();
    const left = await externalIds();
    const again = await send();

    expect(answer.errors?.map(({ extensions, message }) => [extensions["code"], message])).toEqual([
      ["CONFLICT", "Another change got in the way; try again."],
    ]);
    expect(left).toEqual([null, null, null, null, null, null]);
    expect(again.data?.["results"]).toEqual(rows.map(() => ({ ok: true, error: null })));
    expect(await externalIds()).toEqual(["x", "z", "y", null, null, null]);
  });
});
