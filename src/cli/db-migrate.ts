import { parseArgs } from "node:util";
import { describePlan, planMigrations } from "../engine/migrations/plan.js";
import { prepare, withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

const USAGE = "Usage: npm run db:migrate [-- --plan | --service-role NAME]";

/**
 * `npm run db:migrate` applies the pending migrations to the configured database, as the owner of its tables; with `-- --plan` it
 * only names them. With `-- --service-role NAME` the role gets the rights that the service needs; it keeps them at each later run.
 */
await runCommand(async (config, args) => {
  const { plan, "service-role": serviceRole } = readOptions(args);
  if (plan && serviceRole !== undefined) throw new CommandError(USAGE);
  const tell = (message: string): void => void process.stderr.write(`${message}\n`);
  if (plan) {
    const pending = await withDatabase(config, ({ ownerUrl }) => planMigrations(ownerUrl), { mayMake: true });
    process.stdout.write(`${describePlan(pending).join("\n")}\n`);
    return;
  }
  const applied = await withDatabase(
    config,
    (access) => prepare(access, { warn: tell, say: tell, ...(serviceRole !== undefined && { serviceRole }) }),
    { mayMake: true },
  );
  process.stdout.write(applied.length === 0 ? "Nothing to apply.\n" : `Applied ${applied.join(", ")}.\n`);
  if (serviceRole !== undefined)
    process.stdout.write(`The role ${JSON.stringify(serviceRole)} may serve, and owns nothing.\n`);
});

function readOptions(args: string[]) {
  try {
    const options = {
      plan: { type: "boolean", default: false },
      "service-role": { type: "string" },
    } as const;
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${USAGE}`);
  }
}
