import type { Pool } from "pg";
import {
  faultsOfEnd,
  faultsOfMovement,
  holderOf,
  Sides,
  type ChainedRow,
  type ChainEnd,
} from "./movement-chain.rules.js";
import {
  beginSnapshot,
  chainEnds,
  countMovements,
  emptyHolders,
  movementPages,
  wrongReversals,
} from "./verify-ledger.sql.js";

/** How many faults are told in full; the others are only counted. */
const MOST_TOLD = 100;

/** What came of verifying a ledger. */
export interface LedgerVerification {
  readonly movements: number;
  readonly holders: number;
  /** The first faults, each with its company, holder and number. */
  readonly faults: readonly string[];
  readonly faultCount: number;
}

/** Is called with the number of movements that were looked at, and how many there are. */
export type LedgerProgress = (done: number, total: number) => void;

/**
 * Computes every number, balance and hash of the ledger again, and the sums of all transfers, in the memory of a few pages.
 * It sees the ledger of one moment, so that the service may go on posting.
 *
 * @param companyId limits it to one company; `null` for all.
 */
export async function verifyLedger(
  pool: Pool,
  companyId: number | null,
  progress: LedgerProgress,
): Promise<LedgerVerification> {
  const client = await pool.connect();
  try {
    await beginSnapshot(client);
    const total = await countMovements(client, companyId);
    const told: string[] = [];
    let faultCount = 0;
    let movements = 0;
    let holders = 0;
    const tell = (faults: readonly string[]): void => {
      faultCount += faults.length;
      told.push(...faults.slice(0, MOST_TOLD - told.length));
    };
    const sides = new Sides();
    let last: ChainedRow | null = null;
    let end: ChainEnd | undefined;
    const close = (row: ChainedRow): void =>
      tell(faultsOfEnd(row, end).map((fault) => `${holderOf(row)}: ${fault}`));
    for await (const page of movementPages(client, companyId)) {
      const ends = await chainEnds(client, page, holderOf);
      for (const row of page) {
        let previous: ChainedRow | null = last;
        if (previous === null || !isOfSameHolder(previous, row)) {
          if (previous !== null) close(previous);
          previous = null;
          end = ends.get(holderOf(row));
          holders += 1;
        }
        tell(faultsOfMovement(row, previous).map((fault) => `${holderOf(row)}, ${fault}`));
        tell(sides.take(row));
        last = row;
      }
      movements += page.length;
      progress(movements, total);
    }
    if (last !== null) close(last);
    tell(sides.left());
    tell(
      (await emptyHolders(client, companyId)).map((row) => `${holderOf(row)}: all its movements are missing`),
    );
    tell(
      (await wrongReversals(client, companyId)).map(
        ([company, id, reverses]) => `company ${company}: movement ${id} does not take ${reverses} back`,
      ),
    );
    return { movements, holders, faults: told, faultCount };
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

function isOfSameHolder(one: ChainedRow, other: ChainedRow): boolean {
  return one[3] === other[3] && one[4] === other[4] && one[2] === other[2] && one[0] === other[0];
}
