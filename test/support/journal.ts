import type { Gateway } from "./gateway.js";

/** Waits until no transaction that began before goes on: a test of another database of the server may have one. */
export async function journalShowsAll(gateway: Gateway): Promise<void> {
  const [before] = await gateway.db.$queryRaw<{ xid: string }[]>`SELECT pg_current_xact_id()::text AS xid`;
  for (;;) {
    const [now] = await gateway.db.$queryRaw<
      { is: boolean }[]
    >`SELECT pg_snapshot_xmin(pg_current_snapshot())::text::bigint > ${before?.xid ?? "0"}::bigint AS is`;
    if (now?.is === true) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
