import type { Pool } from "pg";
import { parseMoment } from "../../core/time/moments.js";
import {
  balancesBefore,
  closeBooks,
  companiesWithBooks,
  headsBefore,
  isComplete,
} from "./close-ledger.sql.js";
import type { ClosedBooks } from "./month-file.rules.js";

/** Why the books of a company cannot be closed. */
export class NotClosed extends Error {
  override readonly name = "NotClosed";
}

/** How often a closing is tried while other work of the database goes on. */
const MOST_TRIES = 12;

/**
 * Closes the books of all companies with movements up to a moment, and returns what they come to. Books that are closed up to it
 * or a later moment stay as they are, so that it may be repeated.
 *
 * @param options.until without an offset it is read in the zone of each company.
 * @throws NotClosed when the moment is not past or is none in a zone, when movements of old have no counterparts yet, and while other work takes too
 *   long; the books of the companies before it are closed then.
 */
export async function closeLedger(
  pool: Pool,
  { companyId, until }: { readonly companyId: number | null; readonly until: string },
): Promise<ClosedBooks[]> {
  const closed: ClosedBooks[] = [];
  for (const { id, zone } of await companiesWithBooks(pool, companyId)) {
    const moment = parseMoment(until, zone);
    if (moment === null) throw new NotClosed(`${until} is no moment in the zone of company ${id}, ${zone}.`);
    if (!(await isComplete(pool, id)))
      throw new NotClosed(`The counterparts of movements of old of company ${id} are being written.`);
    await close(pool, id, moment);
    // What is closed stays as it is, so that both are of one moment.
    const balances = await balancesBefore(pool, id, moment);
    const heads = await headsBefore(pool, id, moment);
    closed.push({ company: id, until: moment.toISOString(), balances, heads });
  }
  return closed;
}

async function close(pool: Pool, companyId: number, until: Date): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await closeBooks(pool, companyId, until);
    if (outcome === "closed" || outcome === "not_later") return;
    if (outcome === "not_past") throw new NotClosed("The moment is not past.");
    if (tries === MOST_TRIES)
      throw new NotClosed("Something that began earlier is still being written; nothing was closed.");
  }
}
