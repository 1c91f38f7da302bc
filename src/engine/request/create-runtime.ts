import { RoleDirectory } from "../../core/access/role-directory.js";
import type { TokenKeys } from "../../core/access/tokens.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import { CompanyDirectory } from "../../core/scope/company-directory.js";
import type { Database } from "../data/client.js";
import { unscopedClient } from "../data/scoped-client.js";
import { KeyedTurns } from "../idempotency/keyed-turns.js";

interface RuntimeOptions {
  readonly database: Database;
  readonly keys: TokenKeys;
  readonly requestTimeoutMs: number;
}

/** Creates what all requests of the process share, and the directories that it is made of. */
export function createRuntime({ database, keys, requestTimeoutMs }: RuntimeOptions): {
  runtime: Runtime;
  companies: CompanyDirectory;
  roles: RoleDirectory;
} {
  const writer = unscopedClient(database.writer);
  const companies = new CompanyDirectory(writer);
  const roles = new RoleDirectory(writer);
  const runtime: Runtime = {
    writer,
    reader: () => unscopedClient(database.reader()),
    companies,
    roles,
    keys,
    requestTimeoutMs,
    keyedTurns: new KeyedTurns({ connections: database.pool.options.max, requestTimeoutMs }),
    within: (transaction, afterCommit) => ({
      ...runtime,
      writer: transaction,
      reader: () => transaction,
      companies: companies.within(transaction, afterCommit),
      roles: roles.within(transaction, afterCommit),
    }),
  };
  return { runtime, companies, roles };
}
