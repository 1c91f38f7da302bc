import type { LoopUser } from "./loop-time.js";

/** An owner of turns who asks for some. */
export interface Asker extends LoopUser {
  /** Whether he comes behind those who are not behind. */
  readonly isBehind: boolean;
}

/** What is known of one who asks. */
interface Known {
  /** The moment at which he asked last, on the clock of `performance.now()`. */
  askedAt: number;
  /** How long the event loop has worked for him in the last second or so, and in all when that was reckoned, in milliseconds. */
  recentMs: number;
  seenMs: number;
}

/** Somebody counts among those who ask for so long after he asked last. */
export const ASKS_MS = 1_000;
/** What the askers use is reckoned so often, in milliseconds. */
const LOOKS_MS = 25;
/** Whoever uses so many times as much of the event loop as this share of the others is heavy. */
const HEAVY_TIMES = 4;
const MOST_OTHERS = 0.5;
/** When more than this are known, those who have asked before are forgotten. */
const MANY = 100;

/** Those who have asked of late, and how long the event loop has worked for each of them. */
export class Askers {
  private readonly known = new Map<Asker, Known>();
  /** The same of all who are behind together: whoever comes from many networks is no lighter by that. */
  private behindMs = 0;
  /** Above how much an asker is heavy, and above how much all who are behind are, in milliseconds. */
  private most = { ofOne: Infinity, ofBehind: Infinity };
  /** The moment at which their times were reckoned, on the clock of `performance.now()`. */
  private lookedAt = -Infinity;

  /** How many are known. */
  get size(): number {
    return this.known.size;
  }

  /** Notes that somebody asks. */
  note(asker: Asker, at: number): void {
    const known = this.known.get(asker);
    if (known !== undefined) {
      known.askedAt = at;
      return;
    }
    if (this.known.size >= MANY) this.look(at);
    this.known.set(asker, { askedAt: at, recentMs: 0, seenMs: asker.loopMs });
  }

  /**
   * Whether the event loop works several times as long for an asker as for most others; those who are behind count together,
   * and are compared with those who are not.
   */
  isHeavy(asker: Asker, now: number): boolean {
    this.look(now);
    if (asker.isBehind) return this.behindMs > this.most.ofBehind;
    return (this.known.get(asker)?.recentMs ?? 0) > this.most.ofOne;
  }

  private look(now: number): void {
    if (now - this.lookedAt < LOOKS_MS) return;
    const kept = Math.exp((this.lookedAt - now) / ASKS_MS);
    this.lookedAt = now;
    this.behindMs = 0;
    const recent: number[] = [];
    for (const [asker, known] of this.known) {
      known.recentMs = known.recentMs * kept + asker.loopMs - known.seenMs;
      known.seenMs = asker.loopMs;
      if (now - known.askedAt > ASKS_MS) this.known.delete(asker);
      else if (asker.isBehind) this.behindMs += known.recentMs;
      else recent.push(known.recentMs);
    }
    recent.sort((one, other) => one - other);
    this.most = { ofOne: mostBeside(recent, recent.length - 1), ofBehind: mostBeside(recent, recent.length) };
  }
}

/**
 * Returns above how much somebody is heavy beside so many others.
 *
 * @param recent what each of them uses, in order; what somebody uses himself may be among it, since it is never a fraction of itself.
 */
function mostBeside(recent: readonly number[], others: number): number {
  return HEAVY_TIMES * (recent[Math.ceil(others * MOST_OTHERS) - 1] ?? Infinity);
}
