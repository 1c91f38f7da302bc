import { createDatabase } from "../engine/connections/client.js";
import { findSecretKeys } from "../process/config/secret.js";
import { withDatabase } from "../process/with-database.js";
import { SEALED_SOURCES } from "../sealed-sources.js";
import { rotateSecrets } from "../slices/companies/rotate-secrets.service.js";
import { CommandError, runCommand } from "./command.js";

/**
 * `npm run rotate:secrets` seals all stored secrets with the first key of `SECRETS_KEY`. It may be stopped and run
 * again. The exit code is 1 when none of the keys opens some of them.
 */
await runCommand(async (config, args) => {
  if (args.length > 0) throw new CommandError("Usage: npm run -s rotate:secrets");
  await withDatabase(config, async (access) => {
    const keys = await findSecretKeys(config);
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
    try {
      const { total, done, unreadable } = await rotateSecrets(
        database.pool,
        { sources: SEALED_SOURCES, secrets: keys, prefix: keys.prefix },
        (progress) =>
          report(`${progress.done} of ${progress.total} companies, ${progress.total - progress.done} left`),
      );
      if (total === 0) report("Nothing to rotate.");
      if (unreadable.length > 0)
        throw new CommandError(
          `No key of SECRETS_KEY opens secrets of the companies ${[...new Set(unreadable)].slice(0, 50).join(", ")}: add the key that ` +
            "sealed them, or have them set again.",
        );
      if (done > 0) report(`Rotated the secrets of ${done} companies.`);
    } finally {
      await database.close();
    }
  });
});

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
