import { adminWith } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
});
afterAll(() => gateway.close());

const named = (fields: string) => fields.replaceAll("$c", `companyId: ${ledger.company.id}`);
const read = async (fields: string) => dataOf(await ledger.company.owner.run(`{ ${named(fields)} }`));
const mutate = (fields: string, caller = ledger.company.owner) => caller.run(`mutation { ${named(fields)} }`);
const moment = (ms: number) => new Date(ms).toISOString();

it("closes periods that are past, each later than the last, and dates nothing before them", async () => {
  const adjusted = await ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, {
    body: { type: "client", key: ledger.clientId, amount_e2: 500 },
  });
  expect(adjusted.status).toBe(200);
  const until = Date.now() - 500;
  const close = (ms: number) =>
    mutate(`closeBalancePeriod($c, until: "${moment(ms)}") { until adminId createdAt }`);

  const future = await close(Date.now() + 60_000);
  const closed = await close(until);
  const again = await close(until);
  const earlier = await close(until - 60_000);
  const later = await close(until + 100);

  expect([future.errors?.[0]?.extensions?.["status"], errorCodes(future)]).toEqual([
    422,
    ["VALIDATION_FAILED"],
  ]);
  expect(wrongFields(future.errors?.[0]?.extensions?.["errors"] as never)).toEqual(["until:past"]);
  expect(dataOf(closed)["closeBalancePeriod"]).toMatchObject({ adminId: ledger.company.ownerId });
  expect([again, earlier].map(errorCodes)).toEqual([["INVALID_STATE"], ["INVALID_STATE"]]);
  expect(errorCodes(later)).toEqual([]);
  const { balancePeriods } = await read(`balancePeriods($c) { totalCount nodes { id until admin { id } } }`);
  expect(balancePeriods).toMatchObject({
    totalCount: 2,
    nodes: [{ id: 2 }, { id: 1, admin: { id: ledger.company.ownerId } }],
  });
  await expect(
    gateway.asOwner(
      `SELECT * FROM write_movements($1, '{company}', ARRAY[$1::int], '{USD}', '{5}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, $2)`,
      [ledger.company.id, moment(until - 1_000)],
    ),
  ).rejects.toThrow("closed until");
  await expect(
    gateway.asOwner("DELETE FROM balance_periods WHERE company_id = $1", [ledger.company.id]),
  ).rejects.toThrow();
});

it("needs can_close_periods to close, and waits for what may still be committed before", async () => {
  const closer = await adminWith(gateway, ledger.company.id, "can_close_periods");
  const other = await adminWith(gateway, ledger.company.id, "can_adjust_balance", "can_edit_balance");
  const until = moment(Date.now() - 10);
  const call = `closeBalancePeriod($c, until: "${until}") { id }`;
  expect(errorCodes(await mutate(call, other))).toEqual(["FORBIDDEN"]);

  let isClosed = false;
  let closing: Promise<unknown> | undefined;
  await gateway.db.$transaction(async (running) => {
    await running.$queryRaw`SELECT outcome FROM post_movements(${ledger.company.id}::int, '{client}', ARRAY[${ledger.clientId}::int], '{USD}', '{5}',
      '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, NULL)`;
    closing = mutate(call, closer).then((result) => {
      isClosed = true;
      return result;
    });
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(isClosed).toBe(false);
  });

  expect(errorCodes((await closing) as never)).toEqual([]);
});

it("does not close while anything runs that began earlier, though nothing that began later has ended", async () => {
  const until = new Date(Date.now() - 10);

  const early = await gateway.db.$transaction(async (running) => {
    await running.$queryRaw`SELECT id FROM companies WHERE id = ${ledger.company.id} FOR KEY SHARE`;
    return gateway.db
      .$queryRaw`SELECT outcome FROM close_balance_period(${ledger.company.id}::int, ${until}, NULL, interval '0')`;
  });

  expect(early).toEqual([{ outcome: "busy" }]);
  expect(await gateway.db.balancePeriod.count({ where: { companyId: ledger.company.id } })).toBe(0);
});
