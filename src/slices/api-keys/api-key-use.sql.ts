import type { Db } from "../../core/db/db.js";

/** Notes that a key was used now. */
export async function noteKeyUse(
  client: Pick<Db, "$executeRaw">,
  { id, companyId }: { readonly id: number; readonly companyId: number },
): Promise<void> {
  await client.$executeRaw`
    INSERT INTO api_key_uses AS u (company_id, api_key_id, used_at)
    SELECT company_id, id, now() FROM api_keys WHERE company_id = ${companyId} AND id = ${id}
        ON CONFLICT (company_id, api_key_id) DO UPDATE SET used_at = excluded.used_at
     WHERE u.company_id = ${companyId} AND u.used_at < excluded.used_at`;
}
