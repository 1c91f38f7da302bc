import type { FastifyBaseLogger } from "fastify";
import type { Quotas } from "../../core/quotas/quota.js";
import type { Files } from "../../core/files/files.js";
import { RoleDirectory, type StoredCallers } from "../../core/access/role-directory.js";
import type { TokenKeys } from "../../core/access/tokens.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { Tracer } from "../../core/tracing.js";
import type { Secrets } from "../../core/secrets.js";
import { CompanyDirectory } from "../../core/scope/company-directory.js";
import type { Database } from "../connections/client.js";
import type { Admitting } from "./admissions.js";
import { FACE_PREFIX } from "./face.js";
import { RuntimeParts } from "./runtime-parts.js";
import { prismaOf, queryRows, unscopedDb } from "../tenancy/bounded-db.js";
import { WAITING_SHARE } from "../connections/pool.js";
import { Fetcher } from "../fetching/fetcher.js";
import { PictureFetcher } from "../storage/picture-fetcher.js";
import { FileStore } from "../storage/file-store.js";
import { isGoodLink, signedLink } from "../storage/signed-link.js";
import type { Storage } from "../storage/storage.js";

interface RuntimeOptions {
  readonly database: Database;
  readonly keys: TokenKeys;
  readonly secrets: Secrets;
  readonly requestTimeoutMs: number;
  readonly log: FastifyBaseLogger;
  readonly callers: StoredCallers;
  readonly operations: ReadonlyMap<string, Admitting>;
  readonly storage: Storage;
  /** The prefix of the URLs of stored files and of links; `null` makes them begin with the path. */
  readonly publicUrl: string | null;
  readonly quotas: Quotas;
  readonly objectionToQuery: Runtime["objectionToQuery"];
  /** Hosts that may be fetched from and sent to although they are not public, as `host:port`. */
  readonly fetchAllow: readonly string[];
  readonly tracer: Tracer;
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
  fetchAllow,
  quotas,
  callers,
  objectionToQuery,
  tracer,
}: RuntimeOptions): {
  runtime: Runtime;
  companies: CompanyDirectory;
  roles: RoleDirectory;
} {
  const writer = unscopedDb(database.writer);
  const companies = new CompanyDirectory(writer);
  const roles = new RoleDirectory(writer, queryRows, callers);
  const parts = new RuntimeParts({ writer, warn: (error, message) => log.warn({ err: error }, message) });
  const fetcher = new Fetcher({ allow: fetchAllow });
  const files: Files = new FileStore({
    storage,
    secrets,
    quotas,
    writer,
    publicUrl,
    fetcher: new PictureFetcher({
      fetcher,
      patienceMs: Math.round(requestTimeoutMs * WAITING_SHARE),
      onFailure: (reason) => log.info({ reason }, "a picture could not be fetched"),
    }),
    onError: (error) => log.error({ reason: String(error) }, "the store of files did not do its work"),
  });
  const runtime: Runtime = {
    writer,
    reader: () => unscopedDb(database.reader()),
    refused: (reader) => database.refused(prismaOf(reader)),
    settled: () => database.settled(),
    companies,
    roles,
    accessOf: (operation) => operations.get(operation)?.access,
    part: (definition) => parts.find(definition),
    quotas,
    keys,
    secrets,
    files,
    links: {
      urlOf: (path, at) => `${publicUrl ?? ""}${signedLink(secrets, `${FACE_PREFIX.rest}${path}`, at)}`,
      isGood: (path, ending, at) => isGoodLink(secrets, `${FACE_PREFIX.rest}${path}`, { ...ending }, at),
    },
    outbound: fetcher,
    objectionToQuery,
    tracer,
    requestTimeoutMs,
    unawaited: (work) =>
      void work.catch((error: unknown) => log.error({ err: error }, "what no answer waited for has failed")),
    within: (transaction, afterCommit) => ({
      ...runtime,
      writer: transaction,
      reader: () => transaction,
      settled: () => null,
      companies: companies.within(transaction, afterCommit),
      roles: roles.within(transaction, afterCommit),
      part: (definition) => definition.within(parts.find(definition)),
    }),
  };
  return { runtime, companies, roles };
}
