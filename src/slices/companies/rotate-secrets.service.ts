import type { Pool, PoolClient } from "pg";
import type { Secrets } from "../../core/secrets.js";
import {
  countToRotate,
  lockToRotate,
  readSomeSecrets,
  writeRotated,
  type SealedSettings,
} from "./rotate-secrets.sql.js";

/** Rows that are locked at a time: a change of settings waits for no more than these. */
const BATCH = 100;

/** The number of companies that a process looks at when it starts, to find a wrong key early. */
const SAMPLE = 100;

export interface Progress {
  /** How many companies have all their secrets under the first key by now. */
  readonly done: number;
  /** How many there were to do at the start. */
  readonly total: number;
}

export interface Rotation extends Progress {
  /** The companies of which a secret cannot be read with any of the keys; those secrets stay as they are. */
  readonly unreadable: readonly number[];
}

/**
 * Seals all stored secrets anew that another key than the first has sealed, batch by batch. What was done stays done when
 * it is stopped; what is written meanwhile is under the keys of the service that writes it.
 *
 * @param prefix the beginning of texts that the first key has sealed.
 * @param tell is called after each batch.
 */
export async function rotateSecrets(
  pool: Pool,
  { secrets, prefix }: { secrets: Secrets; prefix: string },
  tell: (progress: Progress) => void,
): Promise<Rotation> {
  const total = await countToRotate(pool, prefix);
  const unreadable: number[] = [];
  let done = 0;
  let after = 0;
  for (;;) {
    const batch = await inTransaction(pool, async (client) => {
      const locked = await lockToRotate(client, { prefix, after, most: BATCH });
      const rotated = locked.map((row) => sealedAnew(row, secrets));
      await writeRotated(client, rotated);
      return rotated;
    });
    const last = batch.at(-1);
    if (last === undefined) return { done, total, unreadable };
    const left = batch.filter((row) => Object.values(row.secrets).some((text) => !text.startsWith(prefix)));
    unreadable.push(...left.map(({ companyId }) => companyId));
    done += batch.length - left.length;
    after = last.companyId;
    tell({ done, total });
  }
}

/** Secrets that cannot be read stay as they are: another key may still open them. */
function sealedAnew({ companyId, secrets: stored }: SealedSettings, secrets: Secrets): SealedSettings {
  const entries = Object.entries(stored).map(([name, sealed]) => {
    const place = { companyId, name };
    const text = secrets.open(sealed, place);
    return [name, text === null ? sealed : secrets.seal(text, place)] as const;
  });
  return { companyId, secrets: Object.fromEntries(entries) };
}

/** Finds companies of which none of the keys opens a secret, among some of those that have secrets. */
export async function findUnreadableSecrets(pool: Pool, secrets: Secrets): Promise<number[]> {
  const some = await readSomeSecrets(pool, SAMPLE);
  const isUnreadable = ({ companyId, secrets: stored }: SealedSettings): boolean =>
    Object.entries(stored).some(([name, sealed]) => secrets.open(sealed, { companyId, name }) === null);
  return some.filter(isUnreadable).map(({ companyId }) => companyId);
}

async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } catch (error) {
    await client.query("ROLLBACK");
    throw error;
  } finally {
    client.release();
  }
}
