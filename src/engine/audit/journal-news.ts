import type pg from "pg";
import { PROGRESS_CHANNEL, progressName } from "../../core/jobs/followed-job.js";

/** The code of the message that `note_change` sends with the statement that wrote the first entry of a transaction. */
const ENTRIES = "UT002";
/** News are collected for so long: a writer waits for none of them, and most transactions commit within it. */
const COLLECT_MS = 100;

/** Names the changes of a company among all news, as the channel does. */
export const changesName = (companyId: number): string => progressName(companyId, "changes");

/**
 * Notifies all processes in which companies something changes. A notification within the transaction would let all commits
 * of the database wait for one another, so one for all companies follows a little later. Whoever hears it may be too early
 * for a transaction that goes on, and looks again.
 */
export function spreadChanges(pool: pg.Pool): void {
  const companies = new Set<number>();
  let timer: NodeJS.Timeout | null = null;
  const send = (): void => {
    timer = null;
    const names = [...companies].map(changesName);
    companies.clear();
    if (pool.ending) return;
    pool
      .query("SELECT pg_notify($1, name) FROM unnest($2::text[]) AS name", [PROGRESS_CHANNEL, names])
      .catch(() => undefined);
  };
  pool.on("connect", (client) => {
    client.on("notice", ({ code, detail }) => {
      if (code !== ENTRIES) return;
      companies.add(Number(detail));
      timer ??= setTimeout(send, COLLECT_MS).unref();
    });
  });
}
