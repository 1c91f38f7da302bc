/** Who waits for a place asks for it again within this time, or wants it no longer. */
const PATIENCE_MS = 3_000;

/** Since when a company waits for a place, and when it asked last. */
interface Wait {
  readonly since: number;
  readonly askedAt: number;
}

/** The places that a process has for some work, one for a company, which companies get in the order in which they came. */
export class Places {
  private readonly taken = new Set<number>();
  private readonly waits = new Map<number, Wait>();

  /** @param now returns milliseconds that only ever grow. */
  constructor(
    private readonly most: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** @returns whether the company has got a place; else it waits for one, and has to ask again. */
  take(companyId: number): boolean {
    // What waits for the company's own place waits for no other.
    if (this.taken.has(companyId)) return false;
    this.forgetLate();
    const now = this.now();
    const since = this.waits.get(companyId)?.since ?? now;
    const before = [...this.waits].filter(([other, wait]) => other !== companyId && wait.since < since);
    if (before.length >= this.most - this.taken.size) {
      this.waits.set(companyId, { since, askedAt: now });
      return false;
    }
    this.waits.delete(companyId);
    this.taken.add(companyId);
    return true;
  }

  leave(companyId: number): void {
    this.taken.delete(companyId);
  }

  /** Whether a company waits for a place. */
  areWanted(): boolean {
    this.forgetLate();
    return this.waits.size > 0;
  }

  private forgetLate(): void {
    const latest = this.now() - PATIENCE_MS;
    for (const [companyId, { askedAt }] of this.waits) if (askedAt < latest) this.waits.delete(companyId);
  }
}
