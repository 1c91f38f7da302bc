import { createMigration } from "../engine/migrations/create-migration.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, runCommand } from "./command.js";

/**
 * `npm run db:migration -- NAME` writes a new migration: it leads from the migrations to the Prisma schema and the
 * SQL sources.
 */
await runCommand(async (config, [name = "", ...rest]) => {
  if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0) {
    throw new CommandError("Usage: npm run db:migration -- NAME (lower case, digits and underscores)");
  }
  const folder = await withDatabase(config, ({ ownerUrl }) => createMigration(ownerUrl, name));
  process.stdout.write(
    folder === null
      ? "The migrations already make what the schema and the SQL sources say.\n"
      : `prisma/migrations/${folder}/migration.sql\n`,
  );
});
