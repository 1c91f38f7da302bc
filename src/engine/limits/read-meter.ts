import type { LoopUser } from "./loop-time.js";

/** Counts rows while they come in. */
export interface RowMeter {
  /** For whom the event loop works while it takes rows; `null` for nobody in particular. */
  readonly user: LoopUser | null;
  /** Counts a row of about so many bytes as soon as it is there. @throws DomainError BAD_REQUEST for one too many. */
  readsRow(bytes: number): void;
}

/** Counts what a run reads, and says when it may read on. */
export interface ReadMeter extends RowMeter {
  /**
   * Runs a statement as soon as few others of the run are under way.
   *
   * @throws DomainError BAD_REQUEST when the run has read too much before its turn came.
   */
  inTurn<T>(statement: () => Promise<T>): Promise<T>;
  /** @throws DomainError BAD_REQUEST when the run has read too much. */
  assertWithin(): void;
}
