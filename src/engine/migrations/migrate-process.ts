import { applyMigrations, MigrationError } from "./migrate.js";

/** How the migrations went; `isExplained` where the message alone tells what an operator has to know. */
export type Outcome =
  { readonly applied: string[] } | { readonly error: Error; readonly isExplained: boolean };

/** Started by `applyMigrationsApart`: takes the URL, answers the outcome, and ends with the process that asked. */
process.once("disconnect", () => process.exit());
process.once("message", (url: string) => {
  void outcomeOf(url).then((outcome) => process.send?.(outcome, () => process.disconnect()));
});

async function outcomeOf(url: string): Promise<Outcome> {
  try {
    return { applied: await applyMigrations(url) };
  } catch (thrown) {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown));
    return { error, isExplained: error instanceof MigrationError };
  }
}
