import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { startGateway, type Gateway } from "../support/gateway.js";
import { changePastTriggers } from "../support/past-triggers.js";
import { runCommand, type CommandEnd } from "../support/run-command.js";
import { createLedger, type Ledger } from "./ledger.js";

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

const verify = (...options: string[]): Promise<CommandEnd> =>
  runCommand("verify-ledger", ["--company", String(ledger.company.id), ...options], {
    ...process.env,
    DATABASE_URL: gateway.url,
    LOG_LEVEL: "silent",
  });

const forge = (statement: string) =>
  changePastTriggers(client, statement.replaceAll("$c", String(ledger.company.id)));

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
    `UPDATE balance_movements SET created_at = (created_at AT TIME ZONE 'UTC' - interval '1 ms') AT TIME ZONE 'UTC' WHERE ${OF_CLIENT} AND number = 1`,
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

it.each([
  [
    "an inserted movement",
    `INSERT INTO balance_movements (company_id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2, final_balance_e2, type, hash)
     SELECT company_id, holder_type, holder_key, currency_iso, 6, final_balance_e2, 5, final_balance_e2 + 5, 'adjustment', hash
       FROM balance_movements WHERE ${OF_CLIENT} AND number = 5`,
    "it has 5 movements, and the last is number 6",
  ],
  [
    "two movements that were swapped",
    `UPDATE balance_movements SET number = number + 100 WHERE ${OF_CLIENT} AND number IN (2, 3);
     UPDATE balance_movements SET number = 105 - number WHERE ${OF_CLIENT} AND number > 100`,
    "its hash is not that of its fields",
  ],
  [
    "a movement of a gift card without a use",
    `UPDATE balance_movements SET type = 'gift_card' WHERE company_id = $c AND number = 1 AND holder_type = 'client'`,
    "is of a gift card, and no use names it",
  ],
])("finds %s", async (_, statement, fault) => {
  await forge(statement);

  const { code, stderr } = await verify();

  expect(code).toBe(1);
  expect(stderr).toContain(fault);
});

/** Cuts the last movement of the client off, with its counterpart, and sets both holders back, so that the chains hold. */
const CUT = `
  CREATE TEMP TABLE cut AS SELECT * FROM balance_movements WHERE ${OF_CLIENT} AND number = 5;
  INSERT INTO cut SELECT m.* FROM balance_movements m, cut WHERE m.company_id = $c AND m.id = cut.counterpart_id;
  DELETE FROM balance_movements m USING cut WHERE m.company_id = $c AND m.id = cut.id;
  UPDATE balance_holders h SET balance_e2 = m.final_balance_e2, owes = m.final_balance_e2 < 0, movement_count = m.number, last_hash = m.hash, last_at = m.created_at
    FROM cut, balance_movements m
   WHERE h.company_id = $c AND h.type = cut.holder_type AND h.key = cut.holder_key AND h.currency_iso = cut.currency_iso
     AND m.company_id = $c AND m.holder_type = h.type AND m.holder_key = h.key AND m.currency_iso = h.currency_iso AND m.number = cut.number - 1;
  DROP TABLE cut`;
const ANEW = `
  UPDATE balance_movements SET description = 'Anew' WHERE ${OF_CLIENT} AND number = 5;
  DO $$ DECLARE m balance_movements; before bytea; BEGIN
    SELECT hash INTO before FROM balance_movements WHERE ${OF_CLIENT} AND number = 4;
    SELECT * INTO m FROM balance_movements WHERE ${OF_CLIENT} AND number = 5;
    before := movement_hash(before, m);
    UPDATE balance_movements SET hash = before WHERE company_id = $c AND id = m.id;
  END $$;
  UPDATE balance_holders h SET last_hash = m.hash FROM balance_movements m
   WHERE h.company_id = $c AND h.type = 'client' AND m.company_id = $c AND m.holder_type = 'client' AND m.holder_key = h.key AND m.number = 5`;

it.each([
  ["a tail that was cut off with its holders set back", CUT, "movement number 5 was there, and is missing"],
  ["a chain that was written anew", ANEW, "number 5 has another hash than was kept"],
  [
    "a company that was removed",
    "DELETE FROM balance_movements WHERE company_id = $c; DELETE FROM balance_holders WHERE company_id = $c",
    "was there, and is missing",
  ],
])("finds %s against heads that were kept, and not without", async (_, statement, fault) => {
  const heads = join(await mkdtemp(join(tmpdir(), "heads-")), "heads.txt");
  expect((await verify("--heads", heads)).code).toBe(0);
  expect((await verify("--against", heads)).code).toBe(0);
  await forge(statement);

  const alone = await verify();
  const { code, stderr } = await verify("--against", heads);

  expect([alone.stderr, alone.code]).toEqual(["", 0]);
  expect(code).toBe(1);
  expect(stderr).toContain(fault);
});

it("refuses a file of heads that was changed", async () => {
  const heads = join(await mkdtemp(join(tmpdir(), "heads-")), "heads.txt");
  await verify("--heads", heads);
  const { readFile, writeFile } = await import("node:fs/promises");
  await writeFile(heads, (await readFile(heads, "utf8")).replace("client", "city"));

  expect((await verify("--against", heads)).code).toBe(1);
});
