import { parseArgs } from "node:util";
import cliProgress from "cli-progress";
import { createDatabase } from "../engine/connections/client.js";
import { prepare, withDatabase } from "../process/with-database.js";
import {
  verifyLedger,
  type LedgerProgress,
  type LedgerVerification,
} from "../slices/balance/verify-ledger.service.js";
import { CommandError, runCommand } from "./command.js";

const USAGE = "Usage: npm run -s verify:ledger -- [--company ID]";

/**
 * `npm run verify:ledger` computes all balances again from their movements, with every number, sum and hash, and says what is
 * wrong and where. The exit code is 1 when something is.
 */
await runCommand(async (config, args) => {
  const company = readCompany(args);
  await withDatabase(config, async (access) => {
    await prepare(access);
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
    const bar = showProgress();
    try {
      const start = performance.now();
      const found = await verifyLedger(database.pool, company, bar.update);
      bar.stop();
      report(found, (performance.now() - start) / 1_000);
    } finally {
      bar.stop();
      await database.close();
    }
  });
});

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

function readCompany(args: string[]): number | null {
  let text: string | undefined;
  try {
    text = parseArgs({ args, options: { company: { type: "string" } } }).values.company;
  } catch {
    throw new CommandError(USAGE);
  }
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/u.test(text)) throw new CommandError(USAGE);
  return Number(text);
}
