import { createPrivateKey, type KeyObject } from "node:crypto";
import type { Pool } from "pg";
import { parseMoment } from "../core/time/moments.js";
import { createDatabase } from "../engine/connections/client.js";
import { withDatabase } from "../process/with-database.js";
import { closeLedger, NotClosed } from "../slices/balance/close-ledger.service.js";
import { isCompany } from "../slices/balance/close-ledger.sql.js";
import { rootHashOf } from "../slices/balance/ledger-heads.rules.js";
import { writtenBooks, type ClosedBooks } from "../slices/balance/month-file.rules.js";
import { CommandError, fromFile, readArgs, readId, runCommand, toFile, wrongUse } from "./command.js";

const USAGE =
  "Usage: npm run -s ledger:close -- --until 2026-11-01 [--company ID] [--file FILE] [--key FILE]";

/**
 * `npm run ledger:close -- --until 2026-11-01` closes the books of all companies up to a moment, which without an offset is read
 * in the zone of each, and writes a file for a safe place: the trial balance at that moment, the end of each holder's chain,
 * and the root hash of each company. With `--key FILE`, a private Ed25519 key in PEM, the file is signed.
 *
 * `npm run verify:ledger -- --against FILE` proves later that nothing before that moment has moved. Closed again, books stay as
 * they are, and the file is the same.
 */
await runCommand(async (config, args) => {
  const { until, company, file, key } = await readOptions(args);
  await withDatabase(config, async (access) => {
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
    try {
      const books = await closeLedger(database.pool, { companyId: company, until });
      if (books.length === 0) throw new CommandError(await whyNone(database.pool, company));
      await toFile(file, writtenBooks(books, key));
      for (const one of books) process.stdout.write(`${summaryOf(one)}\n`);
      process.stdout.write(`${key === null ? "Written" : "Signed and written"} to ${file}.\n`);
    } catch (error) {
      throw error instanceof NotClosed ? new CommandError(error.message) : error;
    } finally {
      await database.close();
    }
  });
});

async function whyNone(pool: Pool, company: number | null): Promise<string> {
  if (company === null) return "No company has movements, so there are no books to close.";
  return (await isCompany(pool, company))
    ? `Company ${company} has no movements, so there are no books to close.`
    : `There is no company ${company}.`;
}

function summaryOf({ company, until, heads }: ClosedBooks): string {
  const count = heads.reduce((sum, head) => sum + head.count, 0);
  return `company ${company}: closed until ${until}, ${count} movements, root ${rootHashOf(heads)}`;
}

interface Options {
  readonly until: string;
  readonly company: number | null;
  readonly file: string;
  readonly key: KeyObject | null;
}

async function readOptions(args: string[]): Promise<Options> {
  const text = { type: "string" } as const;
  const options = { until: text, company: text, file: text, key: text };
  const { values } = readArgs({ args, options }, USAGE);
  const { until, company, key } = values;
  if (until === undefined) throw wrongUse("--until is missing.", USAGE);
  if (parseMoment(until) === null)
    throw wrongUse(`--until has to be a moment, ${JSON.stringify(until)} is none.`, USAGE);
  const { file = `ledger-until-${until.replace(/[^\w-]+/gu, "-")}.txt` } = values;
  return {
    until,
    company: company === undefined ? null : readId("--company", company, USAGE),
    file,
    key: key === undefined ? null : await readKey(key),
  };
}

/** @throws CommandError for a file without a private Ed25519 key. */
async function readKey(file: string): Promise<KeyObject> {
  const text = await fromFile(file);
  let key: KeyObject | null = null;
  try {
    key = createPrivateKey(text);
  } catch {
    // It is no key in PEM.
  }
  if (key?.asymmetricKeyType !== "ed25519") throw new CommandError(`${file} has no private Ed25519 key.`);
  return key;
}
