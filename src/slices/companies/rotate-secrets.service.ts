import type { Pool } from "pg";
import { inTransaction } from "../../core/db/in-transaction.js";
import type { Secrets } from "../../core/secrets.js";
import type { SealedSecrets, SealedSource } from "../../core/sealed-source.js";

/** Companies that are found at a time. Those of each are locked by themselves: its changes wait for no others. */
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

/** Where the secrets stand, and the keys. */
export interface Sealed {
  readonly sources: readonly SealedSource[];
  readonly secrets: Secrets;
}

/**
 * Seals all stored secrets anew that another key than the first has sealed, batch by batch. What was done stays done when
 * it is stopped; what is written meanwhile is under the keys of the service that writes it. A company counts
 * once for each source that has secrets of it.
 *
 * @param prefix the beginning of texts that the first key has sealed.
 * @param tell is called after each batch.
 */
export async function rotateSecrets(
  pool: Pool,
  { sources, secrets, prefix }: Sealed & { readonly prefix: string },
  tell: (progress: Progress) => void,
): Promise<Rotation> {
  let total = 0;
  for (const source of sources) total += await source.count(pool, prefix);
  const unreadable: number[] = [];
  let done = 0;
  for (const source of sources) {
    for (let after = 0; ;) {
      const batch = await source.companies(pool, { prefix, after, most: BATCH });
      if (batch.length === 0) break;
      for (const companyId of batch) {
        after = companyId;
        const isDone = await inTransaction(pool, async (client) => {
          const old = await source.lock(client, companyId, prefix);
          const anew = sealedAnew({ companyId, secrets: old }, secrets);
          if (Object.keys(old).length > 0) await source.write(client, anew);
          return Object.values(anew.secrets).every((text) => text.startsWith(prefix));
        });
        if (isDone) done += 1;
        else unreadable.push(companyId);
      }
      tell({ done, total });
    }
  }
  return { done, total, unreadable };
}

/** Secrets that cannot be read stay as they are: another key may still open them. */
function sealedAnew({ companyId, secrets: stored }: SealedSecrets, secrets: Secrets): SealedSecrets {
  const entries = Object.entries(stored).map(([name, sealed]) => {
    const place = { companyId, name };
    const text = secrets.open(sealed, place);
    return [name, text === null ? sealed : secrets.seal(text, place)] as const;
  });
  return { companyId, secrets: Object.fromEntries(entries) };
}

/** Finds companies of which none of the keys opens a secret, among some of those that have secrets. */
export async function findUnreadableSecrets(pool: Pool, { sources, secrets }: Sealed): Promise<number[]> {
  const isUnreadable = ({ companyId, secrets: stored }: SealedSecrets): boolean =>
    Object.entries(stored).some(([name, sealed]) => secrets.open(sealed, { companyId, name }) === null);
  const some = [];
  for (const source of sources) some.push(...(await source.sample(pool, SAMPLE)));
  return [...new Set(some.filter(isUnreadable).map(({ companyId }) => companyId))];
}
