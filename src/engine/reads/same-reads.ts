import type { LoopUser } from "../limits/loop-time.js";
import type { RowMeter } from "../limits/read-meter.js";
import type { ReadStatement } from "./prepared-read.js";
import type { ReadRow } from "./row-shape.js";
import type { SentStatement } from "./statement-observer.js";

/** A statement of which the same was wanted twice in one round of the event loop waits for others in so many rounds. */
const ROUNDS = 64;
/** No value of a statement holds it. */
const BETWEEN_VALUES = "\0";

/** What a statement has read, for all who wanted it. */
export interface SharedRows {
  readonly rows: readonly ReadRow[];
  /** The bytes of each row. */
  readonly lengths: readonly number[];
  readonly sent: SentStatement;
}

/** A read that has not been sent yet: whoever wants the same joins it, and sees what there is after he asked. */
export class OpenRead {
  /** `null` when the one who sends it could not read it for a reason of his own. */
  readonly shared: Promise<SharedRows | null>;
  /** For whom the event loop works when it is there, besides the one who sends it. */
  readonly joined: (LoopUser | null)[] = [];
  private settle!: {
    readonly resolve: (shared: SharedRows | null) => void;
    readonly reject: (error: unknown) => void;
  };

  /** @param close is called when it is sent: nobody joins it any more. */
  constructor(readonly close: () => void) {
    this.shared = new Promise((resolve, reject) => (this.settle = { resolve, reject }));
    // Whoever has joined hears of a failure, and there may be nobody.
    this.shared.catch(() => undefined);
  }

  found(shared: SharedRows | null): void {
    this.settle.resolve(shared);
  }

  failed(error: unknown): void {
    this.settle.reject(error);
  }
}

/**
 * The reads that have not been sent yet, by statement and values. What many want at once, such as the first page of a shop, is then
 * read and decoded once, whoever asks: the values name the company and all that bounds the caller.
 *
 * A read is sent at once, unless the same was wanted twice in a round of the event loop of late: then it waits until the end of its
 * round, for no timer. What waits for a turn may be joined until it has one.
 */
export class SameReads {
  private readonly open = new Map<ReadStatement, Map<string, OpenRead>>();
  /** With which values each statement was last wanted in this round. */
  private readonly wanted = new Map<ReadStatement, string>();
  /** How many rounds there were in which anything was wanted. */
  private round = 0;
  /** The round in which the same was last wanted twice. */
  private readonly repeatedIn = new WeakMap<ReadStatement, number>();

  /** Notes that the statement is wanted with these values. @returns the key of what is the same. */
  keyOf(statement: ReadStatement, values: readonly unknown[]): string {
    if (this.wanted.size === 0) setImmediate(this.endRound);
    const key = values.join(BETWEEN_VALUES);
    if (this.wanted.get(statement) === key) this.repeatedIn.set(statement, this.round);
    else this.wanted.set(statement, key);
    return key;
  }

  private readonly endRound = (): void => {
    this.round += 1;
    this.wanted.clear();
  };

  /** Whether others are likely to want the same in this round. */
  isLikely(statement: ReadStatement): boolean {
    const round = this.repeatedIn.get(statement);
    return round !== undefined && this.round - round < ROUNDS;
  }

  /** Returns the read that may be joined. */
  waiting(statement: ReadStatement, key: string): OpenRead | undefined {
    return this.open.get(statement)?.get(key);
  }

  /** Begins a read that others may join until it is closed. */
  begin(statement: ReadStatement, key: string): OpenRead {
    const others = this.open.get(statement) ?? new Map<string, OpenRead>();
    this.open.set(statement, others);
    const read = new OpenRead(() => {
      others.delete(key);
      if (others.size === 0) this.open.delete(statement);
    });
    others.set(key, read);
    return read;
  }
}

/** Notes the bytes of rows for those who have joined, while the one who sends the statement counts them. */
export class NotingMeter implements RowMeter {
  readonly lengths: number[] = [];
  /** Whether the one who sends it may read no further. */
  hasRefused = false;
  readonly user: LoopUser;

  constructor(
    private readonly own: RowMeter | null,
    joined: readonly (LoopUser | null)[],
  ) {
    this.user = new AllUsers([own?.user ?? null, ...joined]);
  }

  readsRow(bytes: number): void {
    this.lengths.push(bytes);
    try {
      this.own?.readsRow(bytes);
    } catch (error) {
      this.hasRefused = true;
      throw error;
    }
  }
}

/** All for whom rows are taken: they give way to others when each of them would. */
class AllUsers implements LoopUser {
  loopMs = 0;
  used = 0;

  constructor(private readonly users: readonly (LoopUser | null)[]) {}

  get givesWay(): boolean {
    return this.users.every((user) => user?.givesWay === true);
  }

  get isHeavy(): boolean {
    return this.users.every((user) => user?.isHeavy === true);
  }
}
