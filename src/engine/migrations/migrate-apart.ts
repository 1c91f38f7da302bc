import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { isMigrated, MigrationError } from "./migrate.js";
import type { Outcome } from "./migrate-process.js";

const PROGRAM = fileURLToPath(new URL("./migrate-process.js", import.meta.url));

/**
 * Brings a database up to date without growing by it: Prisma's migration engine never gives back its 40 MB, so
 * it runs in a process of its own, which is only started when something is pending.
 *
 * @returns the names of the migrations this call applied.
 * @throws MigrationError
 */
export async function applyMigrationsApart(url: string, warn: (message: string) => void): Promise<string[]> {
  if (await isMigrated(url, warn)) return [];
  const outcome = await runProcess(url);
  if ("applied" in outcome) return outcome.applied;
  throw outcome.isExplained ? new MigrationError(outcome.error.message) : outcome.error;
}

/** The URL holds a password, so it goes through the channel: arguments can be read by everybody. */
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
