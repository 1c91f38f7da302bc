/**
 * `npm run schema:release` makes the references of today, and the demo data as the service writes them today, those of the last
 * release (`schema/released`). It refuses while the changelog has no heading for the version of `package.json`.
 */
import { copyFileSync, mkdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { loadDemoData } from "../../src/demo/load.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { startEmbeddedPostgres } from "../../src/engine/embedded-postgres/embedded-postgres.js";
import { applyMigrations } from "../../src/engine/migrations/migrate.js";
import { keepReleasedDatabase } from "./released-database.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const RELEASED = join(ROOT, "schema/released");

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };
if (!readFileSync(join(ROOT, "schema/CHANGELOG.md"), "utf8").includes(`\n## ${version}\n`))
  throw new Error(`schema/CHANGELOG.md has no heading ## ${version}`);
mkdirSync(RELEASED, { recursive: true });
for (const name of ["schema.graphql", "openapi.json"])
  copyFileSync(join(ROOT, "schema", name), join(RELEASED, name));

const directory = await mkdtemp(join(tmpdir(), "commerce-release-"));
const postgres = await startEmbeddedPostgres({ directory: join(directory, "postgres"), durable: false });
try {
  await applyMigrations(postgres.url);
  const database = await createDatabase({ url: postgres.url });
  await loadDemoData(database);
  await database.close();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await keepReleasedDatabase(client);
  await client.end();
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true, maxRetries: 5 });
}
process.stdout.write(`schema/released has what ${version} promises; the tag is v${version}\n`);
