import { Readable } from "node:stream";
import { SlicedWork } from "../../engine/limits/loop-slices.js";
import type { LoopUser } from "../../engine/limits/loop-time.js";

/** The process keeps so many bytes of large answers for readers of whom some stand still. */
const MOST_BYTES = 64 * 2 ** 20;
/** A reader who has taken nothing for so long, in milliseconds, stands still. */
const STILL_MS = 1_000;

/** A large answer, which is sent a piece at a time, as fast as it is read. What has been sent is kept no longer. */
export class UnreadAnswer extends Readable {
  /** The bytes that are still kept for the reader. */
  bytes: number;
  /** The moment at which the reader took the last piece, on the clock of `performance.now()`. */
  readAt = performance.now();
  private readonly pieces: Buffer[];
  private readonly work: SlicedWork;

  /** @param user is for whom the event loop works while it sends. */
  constructor(
    pieces: readonly Buffer[],
    private readonly user: LoopUser | null,
    private readonly answers = unreadAnswers,
  ) {
    super();
    this.pieces = pieces.toReversed();
    this.bytes = pieces.reduce((sum, { length }) => sum + length, 0);
    this.work = new SlicedWork(user);
    // It may be closed before anybody listens.
    this.on("error", () => undefined);
    answers.add(this);
  }

  /** Whose share of the memory it takes. */
  get owner(): LoopUser | null {
    return this.user?.owner ?? this.user;
  }

  /** To send many large answers takes as long as to write them. */
  override _read(): void {
    if (this.work.isOver) void this.work.next().then(() => this.sendNext());
    else this.sendNext();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.answers.remove(this);
    this.pieces.length = 0;
    callback(error);
  }

  private sendNext(): void {
    if (this.destroyed) return;
    const piece = this.pieces.pop() ?? null;
    this.readAt = performance.now();
    if (piece !== null) this.answers.take(this, piece.length);
    this.push(piece);
  }
}

/**
 * Bounds what the process keeps of large answers for their readers: the limit of the heap knows nothing of it. A reader who has
 * time may take it as long as there is room. When there is none, the answer of a reader who stands still is closed, of whoever
 * has the most kept for them; nobody's is while all read on.
 */
export class UnreadAnswers {
  private readonly answers = new Set<UnreadAnswer>();
  private bytes = 0;

  constructor(private readonly mostBytes = MOST_BYTES) {}

  add(answer: UnreadAnswer): void {
    this.answers.add(answer);
    this.bytes += answer.bytes;
    while (this.bytes > this.mostBytes) {
      const still = this.stillOfMost();
      if (still === undefined) return;
      this.remove(still);
      still.destroy(new Error("An answer that its reader does not take is closed: others need the memory."));
    }
  }

  /** Notes that a reader has taken so many bytes of an answer. */
  take(answer: UnreadAnswer, bytes: number): void {
    answer.bytes -= bytes;
    this.bytes -= bytes;
  }

  remove(answer: UnreadAnswer): void {
    if (this.answers.delete(answer)) this.bytes -= answer.bytes;
  }

  /** Returns the answer that has stood still for the longest time, of the owner of whose answers that stand still the most is kept. */
  private stillOfMost(): UnreadAnswer | undefined {
    const until = performance.now() - STILL_MS;
    const owners = new Map<LoopUser | null, { bytes: number; longest: UnreadAnswer }>();
    for (const answer of this.answers) {
      if (answer.readAt > until) continue;
      const { owner, readAt } = answer;
      const known = owners.get(owner);
      const longest = known === undefined || readAt < known.longest.readAt ? answer : known.longest;
      owners.set(owner, { bytes: (known?.bytes ?? 0) + answer.bytes, longest });
    }
    return [...owners.values()].sort((one, other) => other.bytes - one.bytes)[0]?.longest;
  }
}

const unreadAnswers = new UnreadAnswers();
