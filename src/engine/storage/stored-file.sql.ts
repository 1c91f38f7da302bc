import type { Pool } from "pg";
import type { Db } from "../../core/db/db.js";
import { inTransaction } from "../../core/db/in-transaction.js";
import { companyDb } from "../tenancy/bounded-db.js";
import { storageQuota } from "./storage.quota.js";

/** A file that nobody has; its bytes may be removed. */
export interface UnusedFile {
  readonly companyId: number;
  readonly key: string;
}

/** Lets go of files that no owner got within an hour: from then on none can get them. */
export async function forsakePending(pool: Pool): Promise<void> {
  await pool.query(`
    /* all companies */
    UPDATE stored_files SET state = 'unused', since = now() - interval '1 day'
     WHERE state = 'pending' AND since < now() - interval '1 hour'`);
}

/**
 * Lists unused files, a bounded number at a time. For ten minutes after an owner has let go of a file it can still be
 * read, since answers that name it may be on their way.
 *
 * @param after the last file of the list before.
 */
export async function listUnused(pool: Pool, after: UnusedFile | null): Promise<UnusedFile[]> {
  const { rows } = await pool.query<UnusedFile>(
    `/* all companies */
    SELECT company_id AS "companyId", key FROM stored_files
     WHERE state = 'unused' AND since < clock_timestamp() - interval '10 minutes'
       AND (company_id, key) > ($1, $2)
     ORDER BY company_id, key LIMIT 100`,
    [after?.companyId ?? 0, after?.key ?? ""],
  );
  return rows;
}

export async function deleteUnused(pool: Pool, { companyId, key }: UnusedFile): Promise<void> {
  await pool.query(`DELETE FROM stored_files WHERE company_id = $1 AND key = $2 AND state = 'unused'`, [
    companyId,
    key,
  ]);
}

/**
 * Notes how many bytes all sizes of a picture have together, and what the company uses more or less by that: triggers
 * count rows alone that come and go. Nothing happens when the picture is gone.
 */
export async function noteBytes(
  pool: Pool,
  { companyId, key, bytes }: { companyId: number; key: string; bytes: number },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ bytes: number }>(
      `SELECT bytes FROM stored_files WHERE company_id = $1 AND key = $2 FOR UPDATE`,
      [companyId, key],
    );
    const before = rows[0]?.bytes ?? bytes;
    if (before === bytes) return;
    await client.query("UPDATE stored_files SET bytes = $3 WHERE company_id = $1 AND key = $2", [
      companyId,
      key,
      bytes,
    ]);
    await client.query("INSERT INTO usage_counts (company_id, name, amount) VALUES ($1, $2, $3)", [
      companyId,
      storageQuota.name,
      bytes - before,
    ]);
  });
}

/**
 * Gives the room back of a file that the store did not take. The row stays until the job removes what came there all the
 * same, as it may when the store only did not answer.
 */
export async function giveRoomBack(
  writer: Db,
  { companyId, key, bytes }: { companyId: number; key: string; bytes: number },
): Promise<void> {
  await companyDb(writer, companyId).$transaction(async (db) => {
    await db.storedFile.update({ where: { companyId_key: { companyId, key } }, data: { bytes: 0 } });
    await db.usageCount.create({ data: { companyId, name: storageQuota.name, amount: -bytes } });
  });
}
