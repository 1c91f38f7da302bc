import type { Pool } from "pg";
import { SheetError } from "../../core/sheets/sheet.js";
import { addLeases } from "../limits/rate-limit.sql.js";

/** The time of the processor that is there for reading and writing a company's sheets, in all processes together. */
const LIMIT_SECONDS = 600;
/** An hour begins with the first sheet after the last one. */
const WINDOW_SECONDS = 3_600;
/** What was used is noted when it comes to this. */
const STEP_MS = 1_000;

/** The name under which the time of a company is counted. */
export const readingBucket = (companyId: number): string => `sheets ${companyId}`;

/** The time of the processor that the sheets of one company take, of which there is only so much in an hour. */
export class ReadingTime {
  private used = 0;

  private constructor(
    private readonly pool: Pool | null,
    private readonly companyId: number,
  ) {}

  /** @throws SheetError when no time is left. */
  static async begin(pool: Pool | null, companyId: number): Promise<ReadingTime> {
    const time = new ReadingTime(pool, companyId);
    await time.note();
    return time;
  }

  add(milliseconds: number): void {
    this.used += milliseconds;
  }

  /** @throws SheetError when no time is left. */
  async assertLeft(): Promise<void> {
    if (this.used >= STEP_MS) await this.note();
  }

  /** Notes what is left to note. Nobody waits for time that cannot be noted. */
  async settle(): Promise<void> {
    if (this.used >= 1) await this.note().catch(() => undefined);
  }

  private async note(): Promise<void> {
    if (this.pool === null) return;
    const amount = Math.round(this.used);
    this.used = 0;
    const leases = new Map([[readingBucket(this.companyId), amount]]);
    const [state] = await addLeases(this.pool, leases, WINDOW_SECONDS);
    const { before, millisecondsLeft } = state ?? { before: 0, millisecondsLeft: 0 };
    if (before + amount >= LIMIT_SECONDS * 1_000) throw usedUp(millisecondsLeft);
  }
}

function usedUp(millisecondsLeft: number): SheetError {
  const minutes = Math.max(1, Math.ceil(millisecondsLeft / 60_000));
  return new SheetError(
    `is not read any further: the company's files took ${LIMIT_SECONDS} seconds of reading within an hour; ` +
      `send it again in ${minutes} ${minutes === 1 ? "minute" : "minutes"}`,
  );
}
