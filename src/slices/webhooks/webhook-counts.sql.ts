import type { ObservedCounts } from "../../core/observed-counts.js";
import { UNREADABLE } from "./webhook-work.sql.js";

/** The messages of all companies that wait for longer than their first attempts take, and those that died of late. */
export const webhookCounts: ObservedCounts = {
  name: "gateway_webhook_messages",
  help: "Messages of webhooks: late, due for over a minute; dead, given up within the last day, but for what their authors may not read any more.",
  label: "state",
  count: async (pool) => {
    const { rows } = await pool.query<{ late: number; dead: number }>(
      `/* all companies */
       SELECT (SELECT count(*)::int FROM webhook_deliveries d
                 JOIN webhooks w ON w.company_id = d.company_id AND w.id = d.webhook_id AND w.is_enabled
                WHERE d.status = 'pending' AND d.next_at < now() - interval '1 minute') AS late,
              (SELECT count(*)::int FROM webhook_deliveries
                WHERE status = 'dead' AND finished_at > now() - interval '1 day'
                  AND error IS DISTINCT FROM $1) AS dead`,
      [UNREADABLE],
    );
    return { ...rows[0] };
  },
};
