import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

/** A host that does not answer within this time is passed over. */
const PATIENCE_MS = 1_000;
/** Other hosts have so long to answer after the first one that accepts writes. */
const GRACE_MS = 200;
/** All that connect within this time are told the same. */
const REMEMBERED_MS = 250;

/** The timeline on which a server writes, as eight hexadecimal digits; a later one is greater. It can't be asked of one that only reads. */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";
/** The moment at which a server was started, in seconds, which no two servers have in common. */
export const SERVER = "extract(epoch FROM pg_postmaster_start_time())::text";
/** Which database it is: physical replicas have the same identifier of the system, and the same oid of the database, as their primary. */
export const DATABASE = `(SELECT system_identifier FROM pg_control_system()) || '/' ||
  (SELECT oid FROM pg_database WHERE datname = current_database())`;
/** Whether a server takes no writes: it is a standby, or the role, the database or the server is set so. */
export const ONLY_READS = "pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'";
/** What a host says of itself: `null` while it only reads, else the timeline on which it writes. */
const ROLE = `SELECT CASE WHEN NOT (${ONLY_READS}) THEN ${TIMELINE} END AS timeline`;

/** The parameter by which others are told which host to take; here it is always the one that accepts writes. */
export const TARGET = "target_session_attrs";

/** No host of a URL accepts writes. */
export class NoPrimaryError extends Error {
  override readonly name = "NoPrimaryError";
}

/**
 * Returns a URL for each host of a URL that may name several, such as `postgresql://user@one:5432,two/database`; parameters are
 * those of the URL. The texts are not checked.
 */
export function hostUrls(url: string): string[] {
  const parts = /^(?<start>[a-z]+:\/\/(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)$/su.exec(url)?.groups;
  const { start = "", hosts = "", rest = "" } = parts ?? {};
  if (!hosts.includes(",")) return [url];
  return hosts.split(",").map((host) => `${start}${host}${rest}`);
}

/** Where the server is that accepts writes, by one of the URLs of its hosts. */
interface Primary {
  readonly url: string;
  readonly timeline: string;
}

const lookups = new Map<string, { readonly at: number; readonly primary: Promise<string> }>();

/**
 * Returns the URL of the host that accepts writes; a URL of one host is that one, and nobody is asked. Of several that accept
 * writes, the one that was promoted last is taken: another one is a former primary that does not know it yet.
 *
 * @throws NoPrimaryError when no host accepts writes.
 */
export async function primaryUrl(url: string): Promise<string> {
  const urls = hostUrls(url);
  if (urls.length === 1) return url;
  const known = lookups.get(url);
  if (known !== undefined && performance.now() - known.at < REMEMBERED_MS) return known.primary;
  const primary = findPrimary(urls);
  primary.catch(() => undefined);
  lookups.set(url, { at: performance.now(), primary });
  return primary;
}

/** Has the hosts of a URL be asked anew. */
export function forgetPrimary(url: string): void {
  lookups.delete(url);
}

async function findPrimary(urls: readonly string[]): Promise<string> {
  const found: Primary[] = [];
  const asked = urls.map(async (url) => void found.push(await askPrimary(url)));
  const all = Promise.allSettled(asked);
  try {
    await Promise.any(asked);
  } catch (error) {
    const reasons = (error as AggregateError).errors.map((one) => (one as Error).message);
    throw new NoPrimaryError(`No host accepts writes: ${reasons.join("; ")}`, { cause: error });
  }
  await Promise.race([all, sleep(GRACE_MS, undefined, { ref: false })]);
  const newest = found.reduce((one, other) => (other.timeline > one.timeline ? other : one));
  return newest.url;
}

/** Asks one host. @throws Error when it does not answer, or does not accept writes. */
async function askPrimary(url: string): Promise<Primary> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
    application_name: "commerce-gateway hosts",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ timeline: string | null }>(ROLE);
    const timeline = rows[0]?.timeline ?? null;
    if (timeline === null) throw new NoPrimaryError("it only reads");
    return { url, timeline };
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** How a session begins; the URL may name several hosts. */
export type ServerConfig = pg.ClientConfig & { readonly connectionString: string };

/**
 * The form of moments in which values are decoded: Prisma takes each as one in UTC. A PgBouncer keeps these two for each of its clients,
 * while it refuses other settings.
 */
const FORM_OF_MOMENTS = { DateStyle: "ISO, MDY", TimeZone: "UTC" };

/** What `pg` calls when a session has begun or could not. */
type Connected = ((error: Error) => void) | ((error: null, client: pg.Client) => void);

/** The part of a client of `pg` that says how a session begins. */
interface Startup {
  getStartupConf(): Record<string, string>;
}

/** A session with the server of a URL; where that names several hosts, with the one that accepts writes. */
export class ServerClient extends pg.Client {
  private readonly url: string;

  constructor(config: ServerConfig) {
    const [first] = hostUrls(config.connectionString);
    super({ ...config, connectionString: first });
    this.url = config.connectionString;
  }

  /** `pg` begins the session with these settings. */
  getStartupConf(): Record<string, string> {
    const { getStartupConf } = pg.Client.prototype as unknown as Startup;
    return { ...getStartupConf.call(this), ...FORM_OF_MOMENTS };
  }

  override connect(): Promise<pg.Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.Client> | void {
    const isOne = hostUrls(this.url).length === 1;
    if (callback === undefined) return isOne ? super.connect() : this.connectToPrimary();
    if (isOne) return super.connect(callback);
    // As `pg` does it, success has no argument.
    this.connectToPrimary().then(() => (callback as () => void)(), callback as (error: Error) => void);
  }

  private async connectToPrimary(): Promise<pg.Client> {
    const { host, port } = new pg.Client(await primaryUrl(this.url));
    // Who has given up meanwhile has destroyed the socket.
    if (streamOf(this).destroyed) throw new Error("timeout expired");
    Object.assign(this, { host, port });
    return super.connect();
  }
}

/** The socket of a connection. */
export function streamOf(client: pg.ClientBase): Duplex {
  return (client as unknown as { connection: { stream: Duplex } }).connection.stream;
}
