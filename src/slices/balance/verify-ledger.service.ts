import type { Pool, PoolClient } from "pg";
import { areClosed, balancesBefore, headsBefore } from "./close-ledger.sql.js";
import type { LedgerHeadRow } from "./ledger-heads.rules.js";
import { balanceLine, type ClosedBooks, type KeptLedger } from "./month-file.rules.js";
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
  cardsWithoutUse,
  chainEnds,
  countMovements,
  emptyHolders,
  hashesOfHeads,
  movementPages,
  readHeads,
  wrongHours,
  wrongReversals,
} from "./verify-ledger.sql.js";

/** How many faults are listed in full; the others are only counted. */
const MOST_TOLD = 100;

/** What came of verifying a ledger. */
export interface LedgerVerification {
  readonly movements: number;
  readonly holders: number;
  /** The first faults, each with its company, holder and number. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  /** The ends of all chains, in their order. */
  readonly heads: readonly LedgerHeadRow[];
}

export interface VerificationOptions {
  /** Ends of chains that were kept: each must still be a link of its chain, and closed books must be as they were. */
  readonly kept?: KeptLedger | null;
}

/** Is called with the number of movements that were looked at, and how many there are. */
export type LedgerProgress = (done: number, total: number) => void;

/**
 * Computes every number, balance and hash of the ledger again, and the sums of all transfers, in the memory of a few pages.
 * It sees the ledger of one moment, so that the service may go on posting.
 *
 * It finds what a chain can show, uses of gift cards without a movement, movements without a use, sums by hour that are
 * wrong, and what differs from `kept`.
 *
 * @param companyId limits it to one company; `null` for all.
 */
export async function verifyLedger(
  pool: Pool,
  companyId: number | null,
  progress: LedgerProgress,
  { kept = null }: VerificationOptions = {},
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
    tell(
      (await cardsWithoutUse(client, companyId)).map(
        ([company, id]) => `company ${company}: movement ${id} is of a gift card, and no use names it`,
      ),
    );
    tell(
      (await wrongHours(client, companyId)).map(
        ([company, hour, currency, type]) =>
          `company ${company}, hour ${hour}, ${currency}, ${type}: the sums that are kept are not those of the movements`,
      ),
    );
    if (kept !== null) {
      const isWanted = ({ company }: { readonly company: number }): boolean =>
        companyId === null || company === companyId;
      tell(await faultsAgainst(client, kept.heads.filter(isWanted)));
      for (const books of kept.closed.filter(isWanted)) tell(await faultsOfClosed(client, books));
    }
    const heads = await readHeads(client, companyId);
    return { movements, holders, faults: told, faultCount, heads };
  } finally {
    await client.query("ROLLBACK");
    client.release();
  }
}

/** Finds ends of chains that were kept and are no links of their chains any more. */
async function faultsAgainst(client: PoolClient, kept: readonly LedgerHeadRow[]): Promise<string[]> {
  const hashes = await hashesOfHeads(client, kept);
  return kept.flatMap((head, place) => {
    const { company, type, key, currency, count, hash } = head;
    const name = holderOf([String(company), "", type, String(key), currency]);
    const is = hashes[place];
    if (is == null) return [`${name}: movement number ${count} was there, and is missing`];
    return is === hash
      ? []
      : [`${name}: number ${count} has another hash than was kept: the chain was written anew`];
  });
}

/** Finds what differs from books that were closed. */
async function faultsOfClosed(
  client: PoolClient,
  { company, until, balances, heads }: ClosedBooks,
): Promise<string[]> {
  const name = `company ${company}, closed until ${until}`;
  const faults = (await areClosed(client, company, until)) ? [] : [`${name}: no period is closed up to it`];
  const known = new Map(heads.map((head) => [chainOf(head), head.count]));
  for (const head of await headsBefore(client, company, until)) {
    const count = known.get(chainOf(head)) ?? 0;
    if (head.count > count)
      faults.push(
        `${holderOf([String(company), "", head.type, String(head.key), head.currency])}: ${head.count} movements are dated before ` +
          `${until}, and there were ${count}`,
      );
  }
  const [were, are] = [balances, await balancesBefore(client, company, until)].map((lines) =>
    lines.map(balanceLine),
  ) as [string[], string[]];
  for (const line of were.filter((one) => !are.includes(one)))
    faults.push(`${name}: the balance was ${line}`);
  for (const line of are.filter((one) => !were.includes(one))) faults.push(`${name}: the balance is ${line}`);
  return faults;
}

const chainOf = ({ type, key, currency }: LedgerHeadRow): string => `${type} ${key} ${currency}`;

function isOfSameHolder(one: ChainedRow, other: ChainedRow): boolean {
  return one[3] === other[3] && one[4] === other[4] && one[2] === other[2] && one[0] === other[0];
}
