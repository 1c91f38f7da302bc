import { createMigration } from "../engine/migrations/create-migration.js";
import { derivedSources } from "../engine/migrations/derived-sources.js";
import { sealMigrations } from "../engine/migrations/seals.js";
import { withDatabase } from "../process/with-database.js";
import { createSchema } from "../schema.js";
import { CommandError, runCommand } from "./command.js";

/**
 * `npm run db:migration -- NAME` writes new migrations: they lead from those that are there to the Prisma schema and the
 * SQL sources. `npm run db:migration -- --seal` seals those that are ready to be merged.
 */
await runCommand(async (config, [name = "", ...rest]) => {
  if (name === "--seal" && rest.length === 0) {
    const sealed = await withDatabase(config, ({ ownerUrl }) => sealMigrations(ownerUrl), { mayMake: true });
    process.stdout.write(sealed.length === 0 ? "All are sealed.\n" : `Sealed ${sealed.join(", ")}.\n`);
    return;
  }
  if (!/^[a-z][a-z0-9_]*$/.test(name) || rest.length > 0) {
    throw new CommandError(
      "Usage: npm run db:migration -- NAME (lower case, digits and underscores), or -- --seal",
    );
  }
  const derived = derivedSources(createSchema().schema);
  const folders = await withDatabase(config, ({ ownerUrl }) => createMigration(ownerUrl, name, derived), {
    mayMake: true,
  });
  process.stdout.write(
    folders.length === 0
      ? "The migrations already make what the schema and the SQL sources say.\n"
      : folders.map((folder) => `prisma/migrations/${folder}/migration.sql\n`).join(""),
  );
});
