import { execFile } from "node:child_process";
import { promisify } from "node:util";
import pg from "pg";
import { startGateway, type Gateway } from "../support/gateway.js";
import { createLedger, type Ledger } from "./ledger.js";

const COMMAND = new URL("../../dist/cli/verify-ledger.js", import.meta.url).pathname;

let gateway: Gateway;
let client: pg.Client;
let ledger: Ledger;
beforeAll(async () => {
  gateway = await startGateway();
  client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
  const { owner } = ledger.company;
  for (const amount_e2 of [100, -30, 7]) {
    const body = { type: "client", key: ledger.clientId, amount_e2, description: "Zwölf ☕ und mehr" };
    await owner.rest("POST", `${ledger.movements}/adjust`, { body });
  }
  await owner.rest("POST", `${ledger.ofOrder}/give-change`, {
    body: { amount_e2: 9, is_affecting_provider: "shopper", remove_provider_fee: "deliverer" },
    headers: { "idempotency-key": "a" },
  });
  const { movements } = await stored();
  await owner.run(
    "mutation ($c: Int!, $id: SafeInt!) { reverseBalanceMovement(companyId: $c, movementId: $id) { id } }",
    { c: ledger.company.id, id: Number(movements[0]?.id) },
  );
});
afterAll(() => client.end());

const stored = async () => ({
  movements: await gateway.db.balanceMovement.findMany({
    where: { companyId: ledger.company.id },
    orderBy: { id: "asc" },
  }),
});

async function verify(): Promise<{ code: number; stdout: string; stderr: string }> {
  try {
    const env = { ...process.env, DATABASE_URL: gateway.url, LOG_LEVEL: "silent" };
    const args = [COMMAND, "--company", String(ledger.company.id)];
    return { code: 0, ...(await promisify(execFile)(process.execPath, args, { env })) };
  } catch (error) {
    return error as { code: number; stdout: string; stderr: string };
  }
}

/** Changes what is stored as only a superuser can, past every trigger and check. */
async function forge(statement: string): Promise<void> {
  await client.query(
    `BEGIN; SET LOCAL session_replication_role = replica; ${statement.replaceAll("$c", String(ledger.company.id))}; COMMIT`,
  );
}

const OF_CLIENT = "company_id = $c AND holder_type = 'client'";

it("finds nothing wrong with what the service posted, without a key and with one", async () => {
  const { code, stdout, stderr } = await verify();

  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^12 movements of 5 holders, [\d.]+ s\nEvery number, balance, sum and hash is right.\n$/u,
  );
});

it.each([
  [
    "a changed byte",
    `UPDATE balance_movements SET description = 'Zwölf ☕ und mehs' WHERE ${OF_CLIENT} AND number = 2`,
    1,
  ],
  ["another author", `UPDATE balance_movements SET author_id = NULL WHERE ${OF_CLIENT} AND number = 3`, 1],
])("finds %s, and says where", async (_, statement, count) => {
  await forge(statement);

  const { code, stderr } = await verify();

  expect(code).toBe(1);
  const [, number] = /number = (\d)/u.exec(statement) as unknown as [string, string];
  expect(stderr.trim().split("\n")).toEqual([
    `${count} fault:`,
    `- company ${ledger.company.id}, client ${ledger.clientId}, USD, number ${number}: its hash is not that of its fields`,
  ]);
});

it.each([
  [
    "a millisecond",
    `UPDATE balance_movements SET created_at = created_at - interval '1 ms' WHERE ${OF_CLIENT} AND number = 1`,
    "have two moments",
  ],
  [
    "a tail that is gone",
    `DELETE FROM balance_movements WHERE ${OF_CLIENT} AND number = 5`,
    "it has 5 movements, and the last is number 4",
  ],
  [
    "a middle that is gone",
    `DELETE FROM balance_movements WHERE ${OF_CLIENT} AND number = 2`,
    "number 3: number 2 is missing; it begins with 70",
  ],
  [
    "a balance that was changed",
    `UPDATE balance_holders SET balance_e2 = -9999 WHERE company_id = $c AND type = 'client'`,
    "its balance is -9999",
  ],
  [
    "a holder that is gone",
    `DELETE FROM balance_holders WHERE company_id = $c AND type = 'client'`,
    "the holder is missing",
  ],
  ["all movements gone", `DELETE FROM balance_movements WHERE ${OF_CLIENT}`, "all its movements are missing"],
  [
    "a transfer that has a sum",
    `UPDATE balance_movements SET amount_e2 = amount_e2 + 1, final_balance_e2 = final_balance_e2 + 1 WHERE company_id = $c AND holder_type = 'company'`,
    "do not sum to zero",
  ],
  [
    "a side that is gone",
    `DELETE FROM balance_movements WHERE company_id = $c AND holder_type = 'company'`,
    "it has no other side",
  ],
  [
    "a reversal of another amount",
    `UPDATE balance_movements SET amount_e2 = -99, final_balance_e2 = initial_balance_e2 - 99 WHERE company_id = $c AND type = 'reversal'`,
    "does not take",
  ],
])("finds %s", async (_, statement, fault) => {
  await forge(statement);

  const { code, stderr } = await verify();

  expect(code).toBe(1);
  expect(stderr).toContain(fault);
});
