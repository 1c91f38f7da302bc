import { generateKeyPairSync } from "node:crypto";
import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { asServiceRole } from "../support/database.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { changePastTriggers } from "../support/past-triggers.js";
import { runCommand, type CommandEnd } from "../support/run-command.js";
import { createLedger, storedLedger, type Ledger } from "./ledger.js";

let gateway: Gateway;
let superuser: pg.Client;
let service: pg.Client;
let ledger: Ledger;
let directory: string;
beforeAll(async () => {
  gateway = await startGateway();
  superuser = new pg.Client({ connectionString: gateway.ownerUrl });
  service = new pg.Client({ connectionString: asServiceRole(gateway.ownerUrl) });
  await Promise.all([superuser.connect(), service.connect()]);
  directory = await mkdtemp(join(tmpdir(), "books-"));
});
beforeEach(async () => {
  ledger = await createLedger(gateway);
  for (const amount_e2 of [100, -30, 7, 11]) await adjust(amount_e2);
});
afterAll(() => Promise.all([superuser.end(), service.end()]));

const adjust = (amount_e2: number) =>
  ledger.company.owner.rest("POST", `${ledger.movements}/adjust`, {
    body: { type: "client", key: ledger.clientId, amount_e2, description: "Zwölf ☕" },
  });
const ofCompany = (statement: string) => statement.replaceAll("$c", String(ledger.company.id));

const command = (name: string, ...options: string[]): Promise<CommandEnd> =>
  runCommand(name, ["--company", String(ledger.company.id), ...options], {
    ...process.env,
    DATABASE_URL: gateway.url,
    LOG_LEVEL: "silent",
  });

/** Closes the books up to this moment, and returns the file. */
async function closed(...options: string[]): Promise<{ file: string; until: string; stdout: string }> {
  await new Promise((resolve) => setTimeout(resolve, 5));
  const until = new Date().toISOString();
  const file = join(directory, `${ledger.company.id}.txt`);
  const { code, stdout, stderr } = await command(
    "ledger-close",
    "--until",
    until,
    "--file",
    file,
    ...options,
  );
  expect([code, stderr]).toEqual([0, ""]);
  return { file, until, stdout };
}

const forge = (statement: string) => changePastTriggers(superuser, ofCompany(statement));

const CLIENT = "company_id = $c AND holder_type = 'client'";
/** Cuts the last movement of the client off, with its counterpart. */
const CUT = `
  CREATE TEMP TABLE cut AS SELECT * FROM balance_movements WHERE ${CLIENT} AND number = 4;
  INSERT INTO cut SELECT m.* FROM balance_movements m, cut WHERE m.company_id = $c AND m.id = cut.counterpart_id;
  DELETE FROM balance_movements m USING cut WHERE m.company_id = $c AND m.id = cut.id`;
const SET_BACK = `
  UPDATE balance_holders h
     SET balance_e2 = m.final_balance_e2, owes = m.final_balance_e2 < 0, movement_count = m.number, last_hash = m.hash, last_at = m.created_at
    FROM cut, balance_movements m
   WHERE h.company_id = $c AND h.type = cut.holder_type AND h.key = cut.holder_key AND h.currency_iso = cut.currency_iso
     AND m.company_id = $c AND m.holder_type = h.type AND m.holder_key = h.key AND m.currency_iso = h.currency_iso AND m.number = cut.number - 1`;
/** Writes the client's chain anew from its first movement, with another text. */
const ANEW = `
  UPDATE balance_movements SET description = 'Anew' WHERE ${CLIENT} AND number = 1;
  DO $$ DECLARE m balance_movements; before bytea; BEGIN
    FOR m IN SELECT * FROM balance_movements WHERE ${CLIENT} ORDER BY number LOOP
      before := movement_hash(before, m);
      UPDATE balance_movements SET hash = before WHERE company_id = $c AND id = m.id;
    END LOOP;
    UPDATE balance_holders SET last_hash = before WHERE company_id = $c AND type = 'client';
  END $$`;

const WAYS: readonly (readonly [way: string, statement: string, fault: string])[] = [
  [
    "another amount",
    `UPDATE balance_movements SET amount_e2 = 99, final_balance_e2 = initial_balance_e2 + 99 WHERE ${CLIENT} AND number = 1`,
    "number 1: its hash is not that of its fields",
  ],
  [
    "another text",
    `UPDATE balance_movements SET description = 'Zehn' WHERE ${CLIENT} AND number = 2`,
    "number 2: its hash is not that of its fields",
  ],
  [
    "another order of rows",
    `UPDATE balance_movements SET created_at = (created_at AT TIME ZONE 'UTC' + interval '1 hour') AT TIME ZONE 'UTC' WHERE ${CLIENT} AND number = 2`,
    "number 3: it is older than the one before",
  ],
  [
    "two movements swapped",
    `UPDATE balance_movements SET number = number + 100 WHERE ${CLIENT} AND number IN (2, 3);
     UPDATE balance_movements SET number = 105 - number WHERE ${CLIENT} AND number > 100`,
    "number 2: it begins with 70, and the one before ends with 100",
  ],
  [
    "a movement inserted",
    `INSERT INTO balance_movements (company_id, holder_type, holder_key, currency_iso, number, initial_balance_e2, amount_e2, final_balance_e2, type, hash)
     SELECT company_id, holder_type, holder_key, currency_iso, 5, final_balance_e2, 5, final_balance_e2 + 5, 'adjustment', hash
       FROM balance_movements WHERE ${CLIENT} AND number = 4`,
    "it has 4 movements, and the last is number 5",
  ],
  ["a tail cut off", CUT, "it has 4 movements, and the last is number 3"],
  [
    "a tail cut off with the holders set back",
    `${CUT}; ${SET_BACK}`,
    "movement number 4 was there, and is missing",
  ],
  [
    "a company removed",
    "DELETE FROM balance_movements WHERE company_id = $c; DELETE FROM balance_holders WHERE company_id = $c",
    "movement number 4 was there, and is missing",
  ],
  ["a chain written anew", ANEW, "number 4 has another hash than was kept: the chain was written anew"],
  [
    "a card without a use",
    `UPDATE balance_movements SET type = 'gift_card', related_type = 'coupon', related_id = 1 WHERE ${CLIENT} AND number = 1`,
    "is of a gift card, and no use names it",
  ],
  [
    "a post dated back",
    `SELECT * FROM write_movements($c, '{company}', ARRAY[$c], '{USD}', '{5}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, '2020-01-01')`,
    "",
  ],
];

it.each(WAYS)("refuses %s to the role that serves, and changes nothing", async (_, statement) => {
  const before = await storedLedger(gateway, ledger.company.id);

  await expect(service.query(`BEGIN; ${ofCompany(statement)}; COMMIT`)).rejects.toMatchObject({
    code: "42501",
  });
  await service.query("ROLLBACK");

  expect(await storedLedger(gateway, ledger.company.id)).toEqual(before);
});

it.each(WAYS.filter(([, , fault]) => fault !== ""))(
  "names %s by a superuser against the closed books",
  async (_, statement, fault) => {
    const { file } = await closed();
    const before = await command("verify-ledger", "--against", file);
    await forge(`${statement}; DROP TABLE IF EXISTS cut`);

    const { code, stderr } = await command("verify-ledger", "--against", file);

    expect([before.code, before.stderr]).toEqual([0, ""]);
    expect(code).toBe(1);
    expect(stderr).toContain(fault);
  },
);

it("names a chain that goes on before the closed moment, and a company that was opened again", async () => {
  const { file, until } = await closed();
  await superuser.query("ALTER TABLE balance_periods DISABLE TRIGGER balance_periods_kept");
  await superuser.query("ALTER TABLE balance_holders DISABLE TRIGGER ALL");
  try {
    await superuser.query("DELETE FROM balance_periods WHERE company_id = $1", [ledger.company.id]);
    await superuser.query(
      `SELECT * FROM write_movements($1, '{company}', ARRAY[$1::int], '{EUR}', '{5}', '{adjustment}', '{NULL}', '', NULL, NULL, NULL, NULL, '2020-01-01')`,
      [ledger.company.id],
    );
  } finally {
    await superuser.query("ALTER TABLE balance_periods ENABLE TRIGGER balance_periods_kept");
    await superuser.query("ALTER TABLE balance_holders ENABLE TRIGGER ALL");
  }

  const alone = await command("verify-ledger");
  const { code, stderr } = await command("verify-ledger", "--against", file);

  const { id } = ledger.company;
  expect([alone.code, alone.stderr]).toEqual([0, ""]);
  expect(code).toBe(1);
  expect(stderr.trim().split("\n")).toEqual([
    "5 faults:",
    `- company ${id}, closed until ${until}: no period is closed up to it`,
    `- company ${id}, account of the company 1, lane 0, EUR: 1 movements are dated before ${until}, and there were 0`,
    `- company ${id}, company ${id}, EUR: 1 movements are dated before ${until}, and there were 0`,
    `- company ${id}, closed until ${until}: the balance is EUR account adjustments 1 5 0`,
    `- company ${id}, closed until ${until}: the balance is EUR company - 1 0 5`,
  ]);
});

it("writes trial balance, heads and root of closed books, and is the same when it is repeated after later postings", async () => {
  const { file, until, stdout } = await closed();
  const text = await readFile(file, "utf8");
  const { rootHash } = dataOf(
    await ledger.company.owner.run(`{ ledgerHead(companyId: ${ledger.company.id}) { rootHash } }`),
  )["ledgerHead"] as { rootHash: string };
  await adjust(1_000);

  const again = await command("ledger-close", "--until", until, "--file", `${file}.again`);
  const { code, stderr } = await command("verify-ledger", "--against", file);

  const { id } = ledger.company;
  const lines = text.trim().split("\n");
  expect(lines).toEqual([
    `until ${id} ${until}`,
    `balance ${id} USD account adjustments 1 118 30`,
    `balance ${id} USD client - 1 30 118`,
    expect.stringMatching(new RegExp(`^${id} account -64 USD 4 [0-9a-f]{64}$`, "u")),
    expect.stringMatching(new RegExp(`^${id} client ${ledger.clientId} USD 4 [0-9a-f]{64}$`, "u")),
    `root ${id} 8 ${rootHash}`,
  ]);
  expect(stdout).toBe(
    `company ${id}: closed until ${until}, 8 movements, root ${rootHash}\nWritten to ${file}.\n`,
  );
  expect([again.code, await readFile(`${file}.again`, "utf8")]).toEqual([0, text]);
  expect([code, stderr]).toEqual([0, ""]);
  const { balancePeriods } = dataOf(
    await ledger.company.owner.run(`{ balancePeriods(companyId: ${id}) { nodes { adminId until } } }`),
  );
  expect(balancePeriods.nodes).toEqual([{ adminId: null, until: expect.any(String) as string }]);
});

it("signs the file, and takes none that another key signed, that was changed or is not signed", async () => {
  const [own, other] = [generateKeyPairSync("ed25519"), generateKeyPairSync("ed25519")];
  const path = (name: string) => join(directory, name);
  await writeFile(path("own.pem"), own.privateKey.export({ type: "pkcs8", format: "pem" }));
  await writeFile(path("own.pub"), own.publicKey.export({ type: "spki", format: "pem" }));
  await writeFile(path("other.pub"), other.publicKey.export({ type: "spki", format: "pem" }));
  const { file, stdout } = await closed("--key", path("own.pem"));
  const text = await readFile(file, "utf8");
  await writeFile(`${file}.changed`, text.replace("adjustments 1 118", "adjustments 1 119"));
  await writeFile(`${file}.plain`, text.replace(/^signature .*\n/mu, ""));
  const verify = async (against: string, key: string) => {
    const { code, stderr } = await command("verify-ledger", "--against", against, "--public-key", path(key));
    return [code, stderr.trim()];
  };

  expect(stdout).toContain("Signed and written to");
  expect(await verify(file, "own.pub")).toEqual([0, ""]);
  const wrong = (name: string) => `${name}: the file is not signed by this key, or was changed`;
  expect(await verify(file, "other.pub")).toEqual([1, wrong(file)]);
  expect(await verify(`${file}.changed`, "own.pub")).toEqual([1, wrong(`${file}.changed`)]);
  expect(await verify(`${file}.plain`, "own.pub")).toEqual([1, `${file}.plain: the file is not signed`]);
});

it("closes nothing up to a moment that is not past, and says how it is called", async () => {
  const future = await command(
    "ledger-close",
    "--until",
    "2099-01-01",
    "--file",
    join(directory, "none.txt"),
  );
  const wrong = await command("ledger-close", "--until", "soon");
  const { id } = ledger.company;
  await gateway.db.company.update({ where: { id }, data: { timeZone: "Europe/Berlin" } });
  const nowhere = await command("ledger-close", "--until", "0001-01-01");

  expect([future.code, future.stderr.trim()]).toEqual([1, "The moment is not past."]);
  expect(wrong.stderr).toContain("Usage: npm run -s ledger:close");
  expect([nowhere.code, nowhere.stderr]).toEqual([
    1,
    `0001-01-01 is no moment in the zone of company ${id}, Europe/Berlin.\n`,
  ]);
  expect(await gateway.db.balancePeriod.count({ where: { companyId: ledger.company.id } })).toBe(0);
});
