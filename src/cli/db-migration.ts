import { createMigration } from "../engine/migrations/create-migration.js";
import { derivedSources } from "../engine/migrations/derived-sources.js";
import { withDatabase } from "../process/with-database.js";
import { createSchema } from "../schema.js";
import { CommandError, runCommand } from "./command.js";

/**
 * `npm run db:migration -- NAME` writes new migrations: they lead from those that are there to the Prisma schema and the
 * SQL sources.
 */
await runCommand(async (config, [name = "", ...rest]) => {
  if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0) {
    throw new CommandError("Usage: npm run db:migration -- NAME (lower case, digits and underscores)");
  }
  const derived = derivedSources(createSchema().schema);
  const folders = await withDatabase(config, (url) => createMigration(url, name, derived));
  process.stdout.write(
    folders.length === 0
      ? "The migrations already make what the schema and the SQL sources say.\n"
      : folders.map((folder) => `prisma/migrations/${folder}/migration.sql\n`).join(""),
  );
});
