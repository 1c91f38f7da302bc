import type { CompanyScope } from "../../core/scope/company-scope.js";
import { RETRY_DAYS } from "./webhook-delivery.rules.js";

type Inside = Pick<CompanyScope, "db" | "companyId">;

/**
 * Makes a message due anew. One whose attempt goes on is left to it, so that later messages of its row still come behind it: an
 * attempt that has ended has left its error.
 */
export async function sendAgain({ db, companyId }: Inside, id: bigint): Promise<void> {
  const [moment] = await db.$queryRaw<[{ now: string }]>`SELECT clock_timestamp()::text AS now`;
  await db.$executeRaw`
    UPDATE webhook_deliveries
       SET next_at = CASE WHEN status <> 'pending' OR attempts = 0 OR error IS NOT NULL THEN ${moment.now}::timestamptz ELSE next_at END,
           retry_until = ${moment.now}::timestamptz + make_interval(days => ${RETRY_DAYS}::int),
           attempts = CASE WHEN status = 'pending' THEN attempts ELSE 0 END,
           status = 'pending', finished_at = NULL
     WHERE company_id = ${companyId} AND id = ${id}`;
}

/** Adds a test event of a webhook. @returns its id. */
export async function addTestEvent({ db, companyId }: Inside, webhookId: number): Promise<bigint> {
  const [row] = await db.$queryRaw<[{ id: bigint }]>`
    INSERT INTO webhook_deliveries
      (company_id, webhook_id, type, action, entity_id, fields, at, created_at, next_at, retry_until)
    SELECT ${companyId}::int, ${webhookId}::int, 'Webhook', 'test', ${webhookId}::int, '{}', t.now, t.now, t.now,
           t.now + make_interval(days => ${RETRY_DAYS}::int)
      FROM (SELECT clock_timestamp() AS now) AS t
    RETURNING id`;
  return row.id;
}
