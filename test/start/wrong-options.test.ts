import { mkdtemp, readdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { createEmptyDatabase } from "../support/database.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { runCommand } from "../support/run-command.js";

/** A plain mistake of an operator ends a command with 1 and words, without a stack. */
let gateway: Gateway;
let company: TestCompany;
let folder: string;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  folder = await mkdtemp(join(tmpdir(), "wrong-options-"));
});
afterAll(() => gateway.close());

const run = (name: string, args: readonly string[], url = gateway.url, environment = {}) =>
  runCommand(name, args, {
    ...process.env,
    ...{ DATABASE_URL: url, LOG_LEVEL: "silent", SECRETS_KEY: "5e".repeat(32) },
    ...environment,
  });

const NO_COMPANY = /^--company has to be an id, "x" is none\.\nUsage: [^\n]*\n$/u;

it.each([
  ["rotate-secrets", ["--bogus"], /^Usage: npm run -s rotate:secrets\n$/u],
  ["schema-emit", ["--bogus"], /^Usage: npm run -s schema:emit \[-- --check\]\n$/u],
  ["verify-ledger", ["--company", "999999999"], /^There is no company 999999999\.\n$/u],
  ["verify-ledger", ["--against", "/nope"], /^There is no file \/nope\.\n$/u],
  ["verify-ledger", ["--company", "$c", "--heads", "/nope/x"], /^There is no folder \/nope\.\n$/u],
  [
    "verify-ledger",
    ["--against", "/etc/passwd", "--public-key", "/etc/passwd"],
    /^\/etc\/passwd has no public key\.\n$/u,
  ],
  [
    "verify-ledger",
    ["--public-key", "/etc/passwd"],
    /^--public-key goes with --against\.\nUsage: [^\n]*\n$/u,
  ],
  [
    "ledger-close",
    ["--until", "2999-01-01", "--company", "999999999"],
    /^There is no company 999999999\.\n$/u,
  ],
  ["ledger-close", ["--until", "2999-01-01", "--company", "$c"], /^Company \d+ has no movements, [^\n]*\n$/u],
  ["ledger-close", ["--until", "2020-01-01", "--key", "/nope"], /^There is no file \/nope\.\n$/u],
  [
    "ledger-close",
    ["--until", "2026-13-45"],
    /^--until has to be a moment, "2026-13-45" is none\.\nUsage: [^\n]*\n$/u,
  ],
  ["ledger-close", [], /^--until is missing\.\nUsage: [^\n]*\n$/u],
  ["ledger-close", ["--bogus"], /^Unknown option '--bogus'[^\n]*\nUsage: [^\n]*\n$/u],
  ["ledger-close", ["--until", "2020-01-01", "--company", "x"], NO_COMPANY],
  ["verify-ledger", ["--company", "x"], NO_COMPANY],
  ["verify-event", ["1", "--company", "x"], NO_COMPANY],
  ["token", ["--client", "1", "--company", "x"], NO_COMPANY],
  ["import", ["goods.csv", "--company", "x"], NO_COMPANY],
])("%s %j", async (name, args, told) => {
  const file = name === "ledger-close" ? ["--file", join(folder, "books.txt")] : [];
  const given = args.map((one) => (one === "$c" ? String(company.id) : one));

  const { code, stderr } = await run(name, [...given, ...file]);

  expect([code, stderr]).toEqual([1, expect.stringMatching(told)]);
});

it("rotate-secrets where no key of secrets is kept, and makes none", async () => {
  const data = await mkdtemp(join(tmpdir(), "no-keys-"));

  const { code, stderr } = await run("rotate-secrets", [], gateway.url, { DATA_DIR: data, SECRETS_KEY: "" });

  expect([code, stderr]).toEqual([1, expect.stringContaining("SECRETS_KEY")]);
  expect(stderr).toContain(`"${data}" holds no key of secrets`);
  expect(await readdir(data)).toEqual([]);
});

const UNTIL = "until 1 2026-11-01T00:00:00.000Z\n";

it.each([
  ["that is empty", ""],
  ["of line breaks", "\n\n"],
  ["that was cut behind a moment", UNTIL],
  ["that was cut behind a balance", `${UNTIL}balance 1 USD client - 1 30 118\n`],
  ["that was cut behind a head", `${UNTIL}1 client 1 USD 4 ${"0".repeat(64)}\n`],
  ["that is a signature alone", "signature ed25519 AAAA\n"],
])("verify-ledger --against a file %s, which proves nothing", async (_, text) => {
  const file = join(folder, "kept.txt");
  await writeFile(file, text);

  const { code, stdout, stderr } = await run("verify-ledger", ["--against", file]);

  expect([code, stdout, stderr]).toEqual([1, "", `${file}: the file ends before a root\n`]);
});

it.each(["db-migrate", "verify-ledger", "rotate-secrets"])(
  "%s for a database that does not exist",
  async (name) => {
    const url = new URL(gateway.url);
    url.pathname = "/nowhere_to_be_found";

    const { code, stderr } = await run(name, [], url.href);

    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The database cannot be used: [^\n]*nowhere_to_be_found[^\n]*\n$/u),
    ]);
  },
);

it.each([
  ["token", ["--client", "1"]],
  ["verify-event", ["1"]],
  ["verify-ledger", []],
  ["rotate-secrets", []],
])("%s for a database that no migration has made, which stays as it is", async (name, args) => {
  const database = await createEmptyDatabase();

  const { code, stderr } = await run(name, args, database.url, {
    JWT_SECRET: "of a service and long enough for that",
  });

  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const made = await client.query("SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace");
  await client.end();
  await database.drop();
  expect([code, made.rowCount, stderr]).toEqual([
    1,
    0,
    expect.stringMatching(
      /^The database is not that of this release, see npm run db:migrate -- --plan: [^\n]*\n$/u,
    ),
  ]);
});

it("token for an id that no row can have", async () => {
  const { code, stderr } = await run("token", ["--client", "3000000000"]);

  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^--client has to be an id, "3000000000" is none\.\nUsage: npm run -s token [^\n]*\n$/u,
    ),
  ]);
});
