import { sql } from "../../src/core/db/sql.js";
import { webhookSender } from "../../src/slices/webhooks/webhook-sender.js";
import type { TestCompany } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";
import { beginLoop } from "../support/jobs.js";
import { journalShowsAll } from "../support/journal.js";
import { letRowsAge } from "../support/let-rows-age.js";

/** Sends what is due in one process, once the journal shows all that was committed before. */
export async function send(gateway: Gateway, looks = 1): Promise<void> {
  const run = beginLoop(webhookSender, gateway.database, gateway.app.forLoops);
  for (let look = 0; look < looks; look += 1) {
    await journalShowsAll(gateway);
    await run.look();
    await run.settled();
  }
}

/** Lets time pass for the messages of a company, without waiting. */
export async function letPass(gateway: Gateway, { id }: TestCompany, interval: string): Promise<void> {
  const waiting = {
    table: "webhook_deliveries",
    columns: ["next_at", "retry_until"],
    where: sql`company_id = ${id} AND status = 'pending'`,
  };
  const states = {
    table: "webhook_states",
    columns: ["failing_since", "previous_until"],
    where: sql`company_id = ${id}`,
  };
  for (const moments of [waiting, states]) await letRowsAge(gateway.db, moments, interval);
}

/** The messages of a company as they are stored. */
export function deliveries({ db }: Gateway, { id }: TestCompany) {
  return db.webhookDelivery.findMany({ where: { companyId: id }, orderBy: { id: "asc" } });
}
