import { createMigration } from "../engine/migrations/create-migration.js";
import { sealMigrations } from "../engine/migrations/seals.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

/**
 * `npm run db:migration -- NAME` writes a new migration: it leads from the migrations to the Prisma schema and the
 * SQL sources. `npm run db:migration -- --seal` seals those that are ready to be merged.
 */
await runCommand(async (config, [name = "", ...rest]) => {
  if (name === "--seal" && rest.length === 0) {
    const sealed = await withDatabase(config, (url) => sealMigrations(url));
    process.stdout.write(sealed.length === 0 ? "All are sealed.\n" : `Sealed ${sealed.join(", ")}.\n`);
    return;
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0) {
    throw new CommandError(
      "Usage: npm run db:migration -- NAME (lower case, digits and underscores), or -- --seal",
    );
  }
  const folder = await withDatabase(config, (url) => createMigration(url, name));
  process.stdout.write(
    folder === null
      ? "The migrations already make what the schema and the SQL sources say.\n"
      : `prisma/migrations/${folder}/migration.sql\n`,
  );
});
