import { parseArgs } from "node:util";
import cliProgress from "cli-progress";
import { createDatabase } from "../engine/connections/client.js";
import { waitForDatabase } from "../engine/connections/wait-for-database.js";
import { prepare, withDatabase } from "../process/with-database.js";
import { type BigCompany, makeBigCompany } from "../demo/big-company.js";
import { analyseBulkTables } from "../demo/big-company.sql.js";
import { loadDemoData } from "../demo/load.js";
import { CommandError, runCommand } from "./command.js";

const MAX_GOODS = 10_000_000;
/** Statements on so many rows take what they take on a busy machine, longer than a request may. */
const STATEMENT_TIMEOUT_MS = 600_000;
const USAGE = `Usage: npm run demo -- [--goods N] (1 to ${MAX_GOODS}, default 100000)`;

/**
 * `npm run demo -- --goods 100000` makes one more company with that many goods, for trying out and for benchmarks.
 * It first loads the two companies of the demo data if the service would load them at its next start.
 */
await runCommand(async (config, args) => {
  const goods = readGoods(args);
  await withDatabase(
    config,
    async (access) => {
      await waitForDatabase(access.ownerUrl);
      await prepare(access, { warn: (message) => process.stderr.write(`${message}\n`) });
      const database = await createDatabase({
        url: access.ownerUrl,
        poolSize: 2,
        statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      });
      const progress = showProgress(goods);
      try {
        if (config.demoData) await loadDemoData(database);
        const start = performance.now();
        const company = await makeBigCompany(database, goods, progress.update);
        progress.stop();
        process.stdout.write(describe(company, (performance.now() - start) / 1000));
        await analyseBulkTables(database.writer);
      } finally {
        progress.stop();
        await database.close();
      }
    },
    { mayMake: true },
  );
});

function readGoods(args: string[]): number {
  let text: string;
  try {
    text = parseArgs({ args, options: { goods: { type: "string", default: "100000" } } }).values.goods;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
  const goods = /^[1-9]\d{0,7}$/.test(text) ? Number(text) : NaN;
  if (!(goods <= MAX_GOODS))
    throw new CommandError(`--goods has to be a number from 1 to ${MAX_GOODS}.\n${USAGE}`);
  return goods;
}

/**
 * Shows the progress on standard error, so that standard output holds the result alone: a bar on a terminal, else a
 * line for every tenth.
 */
function showProgress(total: number): { update: (done: number) => void; stop: () => void } {
  if (process.stderr.isTTY) {
    const format = "{bar} {percentage} % | {value} of {total} goods | {eta_formatted} left";
    const bar = new cliProgress.SingleBar(
      { format, stream: process.stderr },
      cliProgress.Presets.shades_classic,
    );
    bar.start(total, 0);
    return { update: (done) => bar.update(done), stop: () => bar.stop() };
  }
  let shownTenths = 0;
  return {
    update: (done) => {
      const tenths = Math.floor((done * 10) / total);
      if (tenths > shownTenths) process.stderr.write(`${inWords(done)} of ${inWords(total)} goods\n`);
      shownTenths = tenths;
    },
    stop: () => undefined,
  };
}

function describe({ id, name, ownerEmail, counts }: BigCompany, seconds: number): string {
  const made = Object.entries(counts).map(([what, count]) => `  ${inWords(count)} ${what}`);
  return [
    `Company ${id}, ${name}, in ${seconds.toFixed(1)} s:`,
    ...made,
    `A token of its owner: npm run -s token -- --admin ${ownerEmail}`,
    "",
  ].join("\n");
}

function inWords(count: number): string {
  return count.toLocaleString("en");
}
