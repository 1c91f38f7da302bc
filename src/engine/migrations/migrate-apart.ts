import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isMigrated, MigrationError } from "./migrate.js";
import type { Outcome } from "./migrate-process.js";

const PROGRAM = fileURLToPath(new URL("./migrate-process.js", import.meta.url));

/**
 * Applies pending migrations in another process, so that this one does not grow: Prisma's migration engine never
 * gives back its 40 MB. The process is only started when a migration is pending.
 *
 * @returns the names of the migrations that this call applied.
 * @throws MigrationError
 */
export async function applyMigrationsApart(url: string, warn: (message: string) => void): Promise<string[]> {
  if (await isMigrated(url, warn)) return [];
  const outcome = await runProcess(url);
  if ("applied" in outcome) return outcome.applied;
  throw outcome.isExplained ? new MigrationError(outcome.error.message) : outcome.error;
}

/** Sends the URL through the channel, since it holds a password: anybody on the machine can read arguments. */
function runProcess(url: string): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const child = fork(PROGRAM, { serialization: "advanced" });
    child.once("error", reject);
    child.once("message", (outcome) => resolve(outcome as Outcome));
    child.once("exit", (code, signal) =>
      reject(
        new MigrationError(`The migrations were interrupted: their process ended with ${signal ?? code}`),
      ),
    );
    child.send(url);
  });
}
