import type { FastifyBaseLogger } from "fastify";
import { Guesses } from "../../core/access/guesses.js";
import type { Files } from "../../core/files/files.js";
import { RoleDirectory } from "../../core/access/role-directory.js";
import type { TokenKeys } from "../../core/access/tokens.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { Secrets } from "../../core/secrets.js";
import { CompanyDirectory } from "../../core/scope/company-directory.js";
import type { Database } from "../data/client.js";
import { queryRows } from "../data/query-rows.js";
import type { Admitting } from "./admissions.js";
import { unscopedClient } from "../data/scoped-client.js";
import { FileStore } from "../storage/file-store.js";
import type { Storage } from "../storage/storage.js";

interface RuntimeOptions {
  readonly database: Database;
  readonly keys: TokenKeys;
  readonly secrets: Secrets;
  readonly requestTimeoutMs: number;
  readonly log: FastifyBaseLogger;
  readonly operations: ReadonlyMap<string, Admitting>;
  readonly storage: Storage;
  /** The prefix of the URLs of stored files; `null` makes them begin with the path. */
  readonly publicUrl: string | null;
}

/** Creates what all requests of the process share, and the directories that it is made of. */
export function createRuntime({
  database,
  keys,
  secrets,
  requestTimeoutMs,
  log,
  operations,
  storage,
  publicUrl,
}: RuntimeOptions): {
  runtime: Runtime;
  companies: CompanyDirectory;
  roles: RoleDirectory;
} {
  const writer = unscopedClient(database.writer);
  const companies = new CompanyDirectory(writer);
  const roles = new RoleDirectory(writer, queryRows);
  const guesses = new Guesses(writer, (error) =>
    log.warn({ err: error }, "an unknown code could not be counted"),
  );
  const files: Files = new FileStore({
    storage,
    writer,
    publicUrl,
    onError: (error) => log.error({ reason: String(error) }, "the store of files did not take a file"),
  });
  const runtime: Runtime = {
    writer,
    reader: () => unscopedClient(database.reader()),
    companies,
    roles,
    accessOf: (operation) => operations.get(operation)?.access,
    guesses,
    keys,
    secrets,
    files,
    requestTimeoutMs,
    within: (transaction, afterCommit) => ({
      ...runtime,
      writer: transaction,
      reader: () => transaction,
      companies: companies.within(transaction, afterCommit),
      roles: roles.within(transaction, afterCommit),
      guesses: guesses.withoutWaiting(),
    }),
  };
  return { runtime, companies, roles };
}
