import { applyMigrations } from "../engine/migrations/migrate.js";
import { withDatabase } from "../process/with-database.js";
import { runCommand } from "./command.js";

/** `npm run db:migrate` applies the pending migrations to the configured database. */
await runCommand(async (config) => {
  const applied = await withDatabase(config, (url) =>
    applyMigrations(url, { warn: (message) => process.stderr.write(`${message}\n`) }),
  );
  process.stdout.write(applied.length === 0 ? "Nothing to apply.\n" : `Applied ${applied.join(", ")}.\n`);
});
