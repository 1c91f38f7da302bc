import type pg from "pg";

/** Receives whom long entries of the audit trail cost, and how many bytes they have. */
export type TrailListener = (payer: string, bytes: number) => void;

/** The code of the message that `charge_audit_bytes` sends with the statement that wrote the entries. */
const LONG_ENTRIES = "UT001";

/** Hears of long entries over the connections of a pool: the message needs no further statement. */
export function hearTrail(pool: pg.Pool, listener: TrailListener): void {
  pool.on("connect", (client) => {
    client.on("notice", ({ code, detail, hint }) => {
      if (code === LONG_ENTRIES && detail !== undefined) listener(detail, Number(hint));
    });
  });
}
