import { applyMigrations, MigrationError } from "./migrate.js";

/** The end of the migrations. With `isExplained`, the message alone tells an operator what to do. */
export type Outcome =
  { readonly applied: string[] } | { readonly error: Error; readonly isExplained: boolean };

/** `applyMigrationsApart` starts this process: it gets the URL, sends back the outcome, and ends with its parent. */
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
