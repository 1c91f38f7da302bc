import { DomainError } from "../../core/errors/domain-error.js";
import { MAX_RELATED_ROWS } from "../../core/relations/relations.js";
import type { ReadMeter } from "./read-meter.js";
import { CHARACTERS_PER_COST, charactersIn } from "./answer-size.js";
import { CostError } from "./cost-limit.js";
import { loopTime, type LoopUser } from "./loop-time.js";

/** One run has at most this many statements under way, so that its aliases neither fill the pool nor the memory. */
const MOST_AT_ONCE = 4;
/** After so many statements, one at a time while others ask: each of them takes a processor of the database. */
const FEW_STATEMENTS = 8;
/** Of lists that are not paged, a run reads one after the other: each is counted before the next begins. */
const MOST_WHOLE_LISTS = 1;
/** A row of up to this many bytes counts as one; what it has beyond counts as further rows. */
const FREE_BYTES = 1_024;

/** An answer from no more than this is written at once. */
const LARGE = { bytes: 262_144, objects: 4_000, characters: 262_144 } as const;

/** Whose run it is. */
export interface BudgetUser extends LoopUser {
  /** Whether nobody else has asked of late. */
  readonly isAlone: boolean;
}

/**
 * Counts the rows that one run reads, with their bytes, and the objects that it makes of them, against the limit of the
 * cost: the cost that is known before only expects how long lists are. Once a count is over the limit, the run reads
 * and makes nothing more, and its answer is the refusal.
 */
export class RowBudget implements ReadMeter {
  private objects = 0;
  private rows = 0;
  private bytes = 0;
  private longestRow = 0;
  private statements = 0;
  private readonly turns = new Turns(() =>
    this.statements <= FEW_STATEMENTS || this.user?.isAlone !== false ? MOST_AT_ONCE : 1,
  );
  private readonly turnsOfWholeLists = new Turns(() => MOST_WHOLE_LISTS);
  private refused: DomainError | null = null;

  /** @param user is for whom the event loop works while it takes rows. */
  constructor(
    private readonly limit: number,
    readonly user: BudgetUser | null = null,
  ) {}

  /** The refusal that is the run's answer; `null` while the run is within the limit. */
  get refusal(): DomainError | null {
    return this.refused;
  }

  /** The number of rows that one statement may still answer is one more than the limit, so that it shows an excess. */
  get mostRows(): number {
    return this.limit + 1;
  }

  /** Counts objects of the answer. @returns whether they may be made. */
  makes(objects: number): boolean {
    this.objects += objects;
    if (this.objects > this.limit) this.refuse(this.objects);
    return this.refused === null;
  }

  inTurn<T>(statement: () => Promise<T>): Promise<T> {
    this.statements += 1;
    return this.turns.take(() => {
      this.assertWithin();
      return statement();
    });
  }

  /** Reads a list that is not paged, when no other of the run is being read. @throws DomainError BAD_REQUEST. */
  wholeList<T>(read: () => Promise<T>): Promise<T> {
    return this.turnsOfWholeLists.take(() => {
      this.assertWithin();
      return read();
    });
  }

  readsRow(bytes: number): void {
    if (this.user !== null) loopTime.worksFor(this.user);
    this.bytes += bytes;
    if (bytes > this.longestRow) this.longestRow = bytes;
    this.rows += bytes <= FREE_BYTES ? 1 : 1 + Math.ceil((bytes - FREE_BYTES) / CHARACTERS_PER_COST);
    if (this.rows > this.limit) this.refuse(this.rows);
    this.assertWithin();
  }

  /** Checks the length of a related list. @throws DomainError BAD_REQUEST. */
  relates(rows: number, model: string): void {
    if (rows <= MAX_RELATED_ROWS) return;
    const message = `more than ${MAX_RELATED_ROWS} rows of ${model} belong to one row; read them as a list`;
    this.refused ??= new DomainError("BAD_REQUEST", `A related list is too long: ${message}.`, {
      errors: [{ field: "query", rule: "max_items", message }],
    });
    this.assertWithin();
  }

  /**
   * Counts the characters of the whole answer, before it is written as one text. Few bytes read make no large answer,
   * even if each of the document's fields repeats them, so then nothing is counted.
   */
  answers(data: unknown, fields: number): void {
    const most = this.limit * CHARACTERS_PER_COST;
    if (fields !== Infinity && this.bytes * fields <= most) return;
    const cost = Math.ceil(charactersIn(data, most) / CHARACTERS_PER_COST);
    if (cost > this.limit) this.refuse(cost);
  }

  /**
   * Whether the answer may be so large that the event loop writes it for long.
   *
   * @param fields of the document, each of which may repeat what was read.
   */
  isLarge(fields: number): boolean {
    return (
      this.bytes > LARGE.bytes || this.objects > LARGE.objects || this.longestRow * fields > LARGE.characters
    );
  }

  assertWithin(): void {
    if (this.refused !== null) throw this.refused;
  }

  private refuse(count: number): void {
    this.refused ??= new CostError({ requested: count, limit: this.limit });
  }
}

/** Lets so many begin at once; each of the others begins when one ends, in the order in which they came. */
class Turns {
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly most: () => number) {}

  take<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken >= this.most())
      return new Promise<void>((resolve) => this.waiting.push(resolve)).then(() => this.run(work));
    this.taken += 1;
    return this.run(work);
  }

  private async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } finally {
      this.taken -= 1;
      while (this.waiting.length > 0 && this.taken < this.most()) {
        this.taken += 1;
        this.waiting.shift()?.();
      }
    }
  }
}
