import type { Db } from "../db/db.js";

/** How many attempts a bucket counts in its present window, and when that window ends. */
interface Attempts {
  readonly count: number;
  readonly resetsAt: Date;
}

type Sender = Pick<Db, "$queryRaw" | "$executeRaw">;

/** Counts one attempt, in a new window when the last one has ended. Attempts at the same time are all counted. */
export async function countAttempt(
  client: Sender,
  bucket: string,
  at: Date,
  resetsAt: Date,
): Promise<Attempts> {
  const [attempts] = await client.$queryRaw<Attempts[]>`
    INSERT INTO rate_limits AS r (bucket, count, resets_at) VALUES (${bucket}, 1, ${resetsAt})
    ON CONFLICT (bucket) DO UPDATE
      SET count = CASE WHEN r.resets_at <= ${at} THEN 1 ELSE r.count + 1 END,
          resets_at = CASE WHEN r.resets_at <= ${at} THEN excluded.resets_at ELSE r.resets_at END
    RETURNING count, resets_at AS "resetsAt"`;
  return attempts as Attempts;
}

/**
 * Counts one attempt as long as fewer than `most` are counted, so that a refused one leaves nothing behind.
 *
 * @returns whether it was counted, and when the window ends.
 */
export async function takeAttempt(
  client: Sender,
  bucket: string,
  { at, resetsAt, most }: { at: Date; resetsAt: Date; most: number },
): Promise<{ isTaken: boolean; resetsAt: Date }> {
  const taken = await client.$queryRaw<{ resetsAt: Date }[]>`
    INSERT INTO rate_limits AS r (bucket, count, resets_at) VALUES (${bucket}, 1, ${resetsAt})
    ON CONFLICT (bucket) DO UPDATE
      SET count = CASE WHEN r.resets_at <= ${at} THEN 1 ELSE r.count + 1 END,
          resets_at = CASE WHEN r.resets_at <= ${at} THEN excluded.resets_at ELSE r.resets_at END
      WHERE r.resets_at <= ${at} OR r.count < ${most}
    RETURNING resets_at AS "resetsAt"`;
  const [own] = taken;
  if (own !== undefined) return { isTaken: true, resetsAt: own.resetsAt };
  const [full] = await client.$queryRaw<{ resetsAt: Date }[]>`
    SELECT resets_at AS "resetsAt" FROM rate_limits WHERE bucket = ${bucket}`;
  return { isTaken: false, resetsAt: full?.resetsAt ?? resetsAt };
}

/** Takes one attempt off the count. */
export async function uncountAttempt(client: Sender, bucket: string): Promise<void> {
  await client.$executeRaw`UPDATE rate_limits SET count = count - 1 WHERE bucket = ${bucket} AND count > 0`;
}
