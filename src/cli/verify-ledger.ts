import { createPublicKey, type KeyObject } from "node:crypto";
import cliProgress from "cli-progress";
import { createDatabase } from "../engine/connections/client.js";
import { isCompany } from "../slices/balance/close-ledger.sql.js";
import { writtenHeads } from "../slices/balance/ledger-heads.rules.js";
import { parseLedgerFile, type KeptLedger } from "../slices/balance/month-file.rules.js";
import { withDatabase } from "../process/with-database.js";
import {
  verifyLedger,
  type LedgerProgress,
  type LedgerVerification,
} from "../slices/balance/verify-ledger.service.js";
import { CommandError, fromFile, readArgs, readId, runCommand, toFile, wrongUse } from "./command.js";

const USAGE =
  "Usage: npm run -s verify:ledger -- [--company ID] [--heads FILE] [--against FILE [--public-key FILE]]";

/**
 * `npm run verify:ledger` computes all balances again from their movements, with every number, sum and hash, and says what is
 * wrong and where. The exit code is 1 when something is. It reads only, and applies no migrations.
 *
 * `--heads FILE` writes the end of each holder's chain besides, for a safe place. `--against FILE` compares: whatever such a
 * file has must still be there, so that a tail that was cut off, a company that was removed and a chain that was written anew
 * are found. A file of `npm run ledger:close` says besides what was before its moment: nothing may have moved there. With
 * `--public-key FILE` it has to be signed by the key.
 */
await runCommand(async (config, args) => {
  const { company, heads, against, publicKey } = readOptions(args);
  const kept = against === null ? null : await readKept(against, publicKey);
  await withDatabase(config, async (access) => {
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
    const bar = showProgress();
    try {
      const start = performance.now();
      const found = await verifyLedger(database.pool, company, bar.update, { kept });
      bar.stop();
      // Faults may be of a company that is gone.
      if (found.faultCount === 0 && company !== null && !(await isCompany(database.pool, company)))
        throw new CommandError(`There is no company ${company}.`);
      if (heads !== null) await toFile(heads, writtenHeads(found.heads));
      report(found, (performance.now() - start) / 1_000);
    } finally {
      bar.stop();
      await database.close();
    }
  });
});

async function readKept(file: string, publicKey: string | null): Promise<KeptLedger> {
  const key = publicKey === null ? null : await readKey(publicKey);
  const text = (await fromFile(file)).toString();
  try {
    return parseLedgerFile(text, key);
  } catch (error) {
    if (error instanceof RangeError) throw new CommandError(`${file}: ${error.message}`);
    throw error;
  }
}

/** @throws CommandError for a file without a key. */
async function readKey(file: string): Promise<KeyObject> {
  const text = await fromFile(file);
  try {
    return createPublicKey(text);
  } catch {
    throw new CommandError(`${file} has no public key.`);
  }
}

function report({ movements, holders, faults, faultCount }: LedgerVerification, seconds: number): void {
  process.stdout.write(`${movements} movements of ${holders} holders, ${seconds.toFixed(1)} s\n`);
  if (faultCount > 0) {
    const more = faultCount - faults.length;
    const told = [...faults, ...(more > 0 ? [`and ${more} more`] : [])];
    throw new CommandError(
      `${faultCount} fault${faultCount === 1 ? "" : "s"}:\n${told.map((line) => `- ${line}`).join("\n")}`,
    );
  }
  process.stdout.write("Every number, balance, sum and hash is right.\n");
}

/** Shows a bar on standard error, where that is a terminal, so that standard output holds the result alone. */
function showProgress(): { update: LedgerProgress; stop: () => void } {
  if (!process.stderr.isTTY) return { update: () => undefined, stop: () => undefined };
  const format = "{bar} {percentage} % | {value} of {total} movements | {eta_formatted} left";
  const bar = new cliProgress.SingleBar(
    { format, stream: process.stderr },
    cliProgress.Presets.shades_classic,
  );
  let isShown = false;
  return {
    update: (done, total) => {
      if (!isShown) bar.start(total, 0);
      isShown = true;
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
}

interface Options {
  readonly company: number | null;
  readonly heads: string | null;
  readonly against: string | null;
  readonly publicKey: string | null;
}

function readOptions(args: string[]): Options {
  const text = { type: "string" } as const;
  const options = { company: text, heads: text, against: text, "public-key": text };
  const { values } = readArgs({ args, options }, USAGE);
  const { company, heads = null, against = null, "public-key": publicKey = null } = values;
  if (publicKey !== null && against === null) throw wrongUse("--public-key goes with --against.", USAGE);
  return {
    company: company === undefined ? null : readId("--company", company, USAGE),
    heads,
    against,
    publicKey,
  };
}
