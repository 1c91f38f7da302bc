import { parseArgs } from "node:util";
import { applyMigrations } from "../engine/migrations/migrate.js";
import { describePlan, planMigrations } from "../engine/migrations/plan.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

/** `npm run db:migrate` applies the pending migrations to the configured database; with `-- --plan` it only tells them. */
await runCommand(async (config, args) => {
  const options = readOptions(args);
  const tell = (message: string): void => void process.stderr.write(`${message}\n`);
  if (options.plan) {
    const plan = await withDatabase(config, (url) => planMigrations(url));
    process.stdout.write(`${describePlan(plan).join("\n")}\n`);
    return;
  }
  const applied = await withDatabase(config, (url) => applyMigrations(url, { warn: tell, say: tell }));
  process.stdout.write(applied.length === 0 ? "Nothing to apply.\n" : `Applied ${applied.join(", ")}.\n`);
});

function readOptions(args: string[]) {
  try {
    return parseArgs({ args, options: { plan: { type: "boolean", default: false } } }).values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\nUsage: npm run db:migrate [-- --plan]`);
  }
}
