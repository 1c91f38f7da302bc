import type { ServerResponse } from "node:http";
import { Askers, ASKS_MS } from "./askers.js";
import { loopTime, type LoopUser } from "./loop-time.js";
import { Pace } from "./pace.js";
import { Rests } from "./rests.js";

/** The bounds of the turns that are taken at once. */
export interface TurnBounds {
  readonly most: number;
  /** The most that one owner has, so that the others always find a turn. */
  readonly mostOfOne: number;
  /**
   * How long the event loop may be expected to work for all turns that are taken, in milliseconds, while several owners
   * ask: who comes in between waits that long. Without it only turns are counted.
   */
  readonly mostWorkMs?: number;
  /**
   * Returns how busy the event loop has been since it was last asked, from 0 to 1. While others wait and it is idle, since the database
   * takes long, more work may be expected.
   */
  readonly loopUse?: () => number;
}

/** Somebody who takes turns, such as a company. */
export interface TurnOwner extends LoopUser {
  readonly name: string;
  running: number;
  readonly waiting: Waiting[];
  /** How fast its turns have ended of late. */
  pace: Pace;
  /** Its turns come behind those of all who are not behind, such as strangers behind callers with tokens. */
  isBehind: boolean;
  /** The time that it has used of the event loop and of the database, in milliseconds, with all that it missed while it asked for nothing. */
  used: number;
  /** How long the event loop and the database work for one of its turns, as its last ones show. */
  mean: Use;
  /** How many of its turns have ended. */
  ended: number;
  /** What its counts were when its last turn ended. */
  readonly before: Use;
  /** How long the event loop is expected to work for the turns that it has. */
  workMs: number;
  /** The moment at which its last turn began, on the clock of `performance.now()`. */
  beganAt: number;
}

/** How long the event loop works, and that with the time of the database, in milliseconds. */
interface Use {
  loopMs: number;
  usedMs: number;
}

interface Waiting {
  /** On the clock of `performance.now()`. */
  readonly since: number;
  readonly begin: () => void;
}

/** Owners who neither run nor wait are forgotten when there are more than this. */
const MANY_OWNERS = 1_000;

/** Turns that use more than this are mostly those that the database works long for: an owner has few of them while others ask. */
const LONG_MS = 50;
/** The same of an owner who is heavy: several turns of his that begin at once take both the event loop and the database. */
const LONG_OF_HEAVY_MS = 20;
const SHARE_OF_LONG = 0.0625;
/** The event loop has worked for a turn by then. */
const STALE_MS = 100;
/**
 * Whoever asks after a time without turns has used so much less than the others, in milliseconds: enough for a usual request with
 * several statements. Otherwise it would come behind those who ask all the time as soon as its first statement is answered.
 */
const CREDIT_MS = 20;
/**
 * While somebody is at work who has used less, an owner begins no further turn for so long, in milliseconds: a request has several
 * rounds of the loop, and each of them would wait for the steps of the others.
 */
const MOST_GIVING_WAY_MS = 10;
/**
 * The bound of expected work is looked at so often, in milliseconds; it grows while the event loop is less busy than one share, and shrinks
 * while it is busier than the other.
 */
const LOOKS_MS = 25;
const IDLE_BELOW = 0.8;
const BUSY_ABOVE = 0.9;
const STEP = 1.5;
/**
 * While only those wait who are heavy, and nobody is refused, they leave this share of the event loop to the others, who wait less for it, and the bound may
 * be less than what is given: then they have one turn after the other.
 */
const LEFT_BY_HEAVY = 0.2;
const LEAST_TIMES_OF_HEAVY = 0.25;
const MOST_TIMES = 32;
/** The weight of the newest turn in the means of an owner. */
const NEWEST = 0.2;
/** After so many turns the mean of an owner says something of the next ones. */
const ENDS_OF_MEAN = 100;
/** The same in the mean of all. */
const NEWEST_OF_ALL = 0.02;
/** One turn in so many is for those who are behind, so that they are served at all. */
const BEHIND_EVERY = 8;

/**
 * Gives turns to their owners in fair shares. Whoever finds a free turn has it at once. When turns are scarce, the next
 * one is for the owner who has used the least time (start-time fair queueing: who has asked for nothing for a while saves up
 * nothing), and among equals for the one who has the fewest turns, or was given one the longest ago: what one owner waits
 * does not depend on how much another one asks for.
 *
 * An owner has whatever it can use while it is alone. While others ask, too, what the event loop is expected to work for all
 * turns is bounded: turns that it works long for come one after the other, and of those that the database works long for an
 * owner has few. While somebody is at work who has used less, an owner has next to none at once besides.
 */
export class FairTurns {
  /** How many wait, of all owners. */
  waiting = 0;
  private running = 0;
  /** All who are behind together: whoever comes from many networks has no more turns by that. */
  private readonly behind = newOwner("all who are behind", true);
  /** How long the event loop is expected to work for all turns that are taken. */
  private workMs = 0;
  /** The time used by the owner who was given the last turn: whoever begins to ask has used as much. */
  private clock = 0;
  private given = 0;
  /** The moment at which the last turn began, on the clock of `performance.now()`. */
  private beganAt = -Infinity;
  private timer: NodeJS.Timeout | undefined;
  /** When somebody was refused last, on the clock of `performance.now()`. */
  private refusedAt = -Infinity;
  /** What `mostWorkMs` is times now, and when that was looked at, on the clock of `performance.now()`. */
  private room = { times: 1, at: -Infinity };
  /** The last two owners who asked, and when, on the clock of `performance.now()`. */
  private last: { owner: TurnOwner | null; at: number } = { owner: null, at: -Infinity };
  private lastOther: { owner: TurnOwner | null; at: number } = { owner: null, at: -Infinity };
  private readonly owners = new Map<string, TurnOwner>();
  /** Those who have turns. */
  private readonly active = new Set<TurnOwner>();
  private readonly queue = new Set<TurnOwner>();
  private readonly askers = new Askers();
  private readonly rests = new Rests(() => this.giveAll());
  /** How many owners wait, and for how many turns: of those who are behind, and of the others. */
  private readonly waitingBy = { behind: { owners: 0, turns: 0 }, before: { owners: 0, turns: 0 } };
  /** How fast turns of all owners have ended of late, and what one of them has used. */
  private pace = new Pace(performance.now());
  private meanMs = 0;

  constructor(private readonly bounds: TurnBounds) {}

  /** @param options.isBehind holds for an owner that is not known yet. */
  owner(name: string, { isBehind = false } = {}): TurnOwner {
    let owner = this.owners.get(name);
    if (owner === undefined) {
      if (this.owners.size >= MANY_OWNERS) this.forgetIdle();
      owner = newOwner(name, isBehind);
      if (isBehind) owner.mean = { ...this.behind.mean };
      this.owners.set(name, owner);
    }
    return owner;
  }

  /** Returns an owner that has asked for turns before. */
  known(name: string): TurnOwner | undefined {
    return this.owners.get(name);
  }

  /**
   * How long a further turn of the owner is likely to wait, in milliseconds: by its own pace, else by that of all, in which each
   * of those who wait has its part. It is 0 until a pace is known, and for the first of an owner that is not behind.
   */
  expectedWait(owner: TurnOwner): number {
    const own = owner.pace.milliseconds;
    if (own !== null) return owner.waiting.length * own;
    const pace = this.pace.milliseconds;
    if (pace === null) return 0;
    const { behind, before } = this.waitingBy;
    if (owner.isBehind) {
      const rounds = Math.min((owner.waiting.length + 1) * behind.owners, behind.turns);
      return rounds * pace * (before.turns > 0 ? BEHIND_EVERY : 1);
    }
    // Of whoever has short turns more come in the same time.
    const size = this.meanMs > 0 ? owner.mean.usedMs / this.meanMs : 1;
    return Math.min(owner.waiting.length * before.owners * size, before.turns) * pace;
  }

  /**
   * How long the event loop is expected to work for the turns that the owner waits for, in milliseconds: a further one waits
   * no shorter. Unlike a pace it is known as soon as a crowd comes. It is 0 for whom few turns have ended: the first ones take long.
   */
  workAhead({ waiting, mean, ended }: TurnOwner): number {
    return ended < ENDS_OF_MEAN ? 0 : waiting.length * mean.loopMs;
  }

  /**
   * Whether others crowd rather than this owner: it has nothing to do, or less than the mean of all who have, by the time that
   * its turns use. All who are behind count as one, and crowd always.
   */
  hasLessToDo(owner: TurnOwner): boolean {
    if (owner.isBehind) return false;
    const own = this.toDo(owner);
    let [all, behind, owners] = [own, 0, 1];
    for (const other of this.busy()) {
      if (other === owner) continue;
      if (other.isBehind) behind += this.toDo(other);
      else [all, owners] = [all + this.toDo(other), owners + 1];
    }
    if (behind > 0) [all, owners] = [all + behind, owners + 1];
    return own === 0 || own < all / owners;
  }

  /** How long the event loop and the database are likely to work for what an owner has asked for, in milliseconds. */
  private toDo({ running, waiting, mean }: TurnOwner): number {
    return (running + waiting.length) * (mean.usedMs || this.meanMs || 1);
  }

  /** Yields those who have turns or wait for some. */
  private *busy(): Generator<TurnOwner> {
    yield* this.active;
    for (const owner of this.queue) if (owner.running === 0) yield owner;
  }

  /** Takes a turn. @returns whether one was free; otherwise `wait` for it. */
  begin(owner: TurnOwner): boolean {
    const now = performance.now();
    this.note(owner, now);
    if (!this.hasTurnFor(owner, now)) return false;
    this.take(owner, now);
    return true;
  }

  /**
   * Waits for a turn.
   *
   * @returns false when none came within the patience, in milliseconds.
   */
  wait(owner: TurnOwner, patienceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        owner.waiting.splice(owner.waiting.indexOf(waiting), 1);
        this.countWaiting(owner, -1);
        if (owner.waiting.length === 0) this.queue.delete(owner);
        resolve(false);
      }, patienceMs).unref();
      const waiting: Waiting = {
        since: performance.now(),
        begin: () => {
          clearTimeout(timer);
          resolve(true);
        },
      };
      this.note(owner, waiting.since);
      // What was before the queue says nothing of how fast it goes.
      if (owner.waiting.length === 0) owner.pace = new Pace(waiting.since);
      if (this.waiting === 0) this.pace = new Pace(waiting.since);
      owner.waiting.push(waiting);
      this.countWaiting(owner, 1);
      this.queue.add(owner);
      this.lookAgain();
    });
  }

  /** Gives a turn back. */
  end(owner: TurnOwner): void {
    const loopMs = this.learn(owner);
    const now = performance.now();
    if (this.mustRest(owner, now)) this.rests.add(loopMs, now);
    const workMs = owner.workMs / owner.running;
    this.workMs -= workMs;
    owner.workMs -= workMs;
    this.running -= 1;
    owner.running -= 1;
    if (owner.isBehind) this.behind.running -= 1;
    // Sums of fractions do not come back to nothing.
    if (owner.running === 0) {
      owner.workMs = 0;
      this.active.delete(owner);
    }
    if (this.running === 0) this.workMs = 0;
    if (owner.waiting.length > 0) owner.pace.countEnd();
    if (this.waiting > 0) this.pace.countEnd();
    this.giveAll();
  }

  /** Gives turns to those who wait: the end of a long one may make room for several short ones. */
  private giveAll(): void {
    if (this.waiting === 0) return;
    const now = performance.now();
    this.makeRoom(now);
    while (this.waiting > 0 && this.giveNext(now));
    this.lookAgain();
  }

  /** Lets more or less work be expected, as the event loop is idle or busy while turns are waited for. */
  private makeRoom(now: number): void {
    const { loopUse } = this.bounds;
    const { times, at } = this.room;
    if (loopUse === undefined || now - at < LOOKS_MS) return;
    // Refusals keep the loop busy, too, however few turns there are.
    const leavesRoom = now - this.refusedAt > ASKS_MS && this.areHeavy(now);
    // Who rests leaves the loop idle, and with more turns he would not rest any less.
    const left = Math.max(leavesRoom ? LEFT_BY_HEAVY : 0, this.rests.taken() / (now - at));
    const use = loopUse() + left;
    const change = use < IDLE_BELOW ? STEP : use > BUSY_ABOVE ? 1 / STEP : 1;
    const least = leavesRoom ? LEAST_TIMES_OF_HEAVY : 1;
    this.room = { times: Math.min(MOST_TIMES, Math.max(least, times * change)), at: now };
  }

  /** Notes that somebody is refused, since too many wait. */
  noteRefusal(): void {
    this.refusedAt = performance.now();
  }

  /** Whether all who wait are heavy. */
  private areHeavy(now: number): boolean {
    for (const owner of this.queue) if (!this.askers.isHeavy(owner, now)) return false;
    return true;
  }

  /**
   * Whether an owner rests after long turns: he is heavy, and others ask. Where requests are refused it is for want of time, and then only those rest
   * who are behind.
   */
  private mustRest(owner: TurnOwner, now: number): boolean {
    if (this.bounds.mostWorkMs === undefined) return false;
    if (!owner.isBehind && now - this.refusedAt <= ASKS_MS) return false;
    return this.isAmongOthers(owner, now) && this.askers.isHeavy(owner, now);
  }

  /** Neither the work that was expected nor giving way is a reason to wait for long. */
  private lookAgain(): void {
    if (this.waiting === 0 || this.timer !== undefined || this.bounds.mostWorkMs === undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.giveAll();
    }, MOST_GIVING_WAY_MS + 1).unref();
  }

  /** Remembers who asks. Whoever asks after a time without turns has used nearly as much as the others. */
  private note(owner: TurnOwner, at: number): void {
    if (this.last.owner !== owner) this.lastOther = this.last;
    this.last = { owner, at };
    this.askers.note(owner, at);
    if (owner.running === 0 && owner.waiting.length === 0)
      owner.used = Math.max(owner.used, this.clock - CREDIT_MS);
  }

  private hasTurnFor(owner: TurnOwner, now: number): boolean {
    const { most, mostOfOne } = this.bounds;
    const mostWorkMs = (this.bounds.mostWorkMs ?? Infinity) * this.room.times;
    const sharer = owner.isBehind ? this.behind : owner;
    if (this.running >= most || sharer.running >= mostOfOne) return false;
    if (this.rests.areOn && this.mustRest(owner, now)) return false;
    if (this.running === 0 || mostWorkMs === Infinity || !this.isAmongOthers(owner, now)) return true;
    const { usedMs } = sharer.mean;
    // A turn that takes longer than the ones before waits for somebody, such as for a locked row.
    const mayBeLong = usedMs > LONG_OF_HEAVY_MS && now - sharer.beganAt <= usedMs;
    const isLong = mayBeLong && (usedMs > LONG_MS || this.askers.isHeavy(owner, now));
    if (isLong && sharer.running >= Math.max(1, Math.floor(most * SHARE_OF_LONG))) return false;
    // What was expected of turns that began long ago has been done, or they wait for the database.
    if (now - this.beganAt > STALE_MS) return true;
    if (now - sharer.beganAt <= MOST_GIVING_WAY_MS && this.givesWay(owner, now)) return false;
    const { loopMs } = owner.mean;
    if (this.workMs + loopMs <= mostWorkMs) return true;
    if (owner.isBehind) return false;
    // Nobody with short turns waits for the long ones of others.
    return owner.running === 0 || owner.workMs + loopMs <= mostWorkMs || this.isFirst(owner);
  }

  /** Whether an owner who is not behind will have used less, with a further turn, than all others who wait for turns have until now. */
  private isFirst(owner: TurnOwner): boolean {
    const used = expectedUse(owner) + owner.mean.usedMs;
    let isAlone = true;
    for (const other of this.queue) {
      if (other === owner || other.isBehind) continue;
      if (other.used < used) return false;
      isAlone = false;
    }
    return !isAlone;
  }

  /** Whether others than the owner have asked of late. */
  isAmongOthers(owner: TurnOwner, now = performance.now()): boolean {
    const { at } = this.last.owner === owner ? this.lastOther : this.last;
    return now - at < ASKS_MS;
  }

  /**
   * Whether somebody has a turn who has used less time than the owner, or is before him. Of a turn that began long ago
   * it does not go on at once if the owner gives way: the event loop has worked for it, or it waits for the database.
   */
  givesWay(owner: TurnOwner, now = performance.now()): boolean {
    const since = now - STALE_MS;
    for (const other of this.active)
      if (other !== owner && other.beganAt > since && isRather(other, owner)) return true;
    return false;
  }

  /** Whether the event loop works several times as long for the owner as for most others who ask, see `Askers`. */
  isHeavy(owner: TurnOwner, now = performance.now()): boolean {
    // Long work goes on after its turn.
    this.askers.note(owner, now);
    return this.askers.isHeavy(owner, now);
  }

  private take(owner: TurnOwner, now: number): void {
    this.clock = Math.max(this.clock, owner.used);
    this.beganAt = owner.beganAt = now;
    this.running += 1;
    owner.running += 1;
    this.active.add(owner);
    if (owner.isBehind) {
      this.behind.running += 1;
      this.behind.beganAt = owner.beganAt;
    }
    owner.workMs += owner.mean.loopMs;
    this.workMs += owner.mean.loopMs;
  }

  /** @returns whether somebody has begun. */
  private giveNext(now: number): boolean {
    const isForBehind = this.given % BEHIND_EVERY === BEHIND_EVERY - 1;
    let next: TurnOwner | null = null;
    for (const owner of this.queue)
      if ((next === null || comesBefore(owner, next, isForBehind)) && this.hasTurnFor(owner, now))
        next = owner;
    if (next === null) return false;
    this.take(next, now);
    this.given += 1;
    const waiting = next.waiting.shift();
    this.queue.delete(next);
    if (next.waiting.length > 0) this.queue.add(next);
    this.countWaiting(next, -1);
    waiting?.begin();
    return true;
  }

  /** Counts one more that waits, or one less. It is called when the owner's queue has changed. */
  private countWaiting(owner: TurnOwner, change: 1 | -1): void {
    const counts = owner.isBehind ? this.waitingBy.behind : this.waitingBy.before;
    this.waiting += change;
    counts.turns += change;
    // The first has come, or the last has gone.
    if (owner.waiting.length === (change === 1 ? 1 : 0)) counts.owners += change;
  }

  /** Learns from a turn that ends how long turns of the owner take. @returns how long the event loop has worked for this one. */
  private learn(owner: TurnOwner): number {
    const { loopMs, used, mean, before, isBehind } = owner;
    owner.ended += 1;
    const last: Use = { loopMs: loopMs - before.loopMs, usedMs: used - before.usedMs };
    this.meanMs += NEWEST_OF_ALL * (last.usedMs - this.meanMs);
    learnUse(mean, last);
    if (isBehind) learnUse(this.behind.mean, last);
    before.loopMs = loopMs;
    before.usedMs = used;
    return last.loopMs;
  }

  private forgetIdle(): void {
    for (const [name, { running, waiting }] of this.owners)
      if (running === 0 && waiting.length === 0) this.owners.delete(name);
  }
}

function learnUse(mean: Use, last: Use): void {
  mean.loopMs += NEWEST * (last.loopMs - mean.loopMs);
  mean.usedMs += NEWEST * (last.usedMs - mean.usedMs);
}

function newOwner(name: string, isBehind: boolean): TurnOwner {
  return {
    name,
    isBehind,
    running: 0,
    waiting: [],
    ended: 0,
    pace: new Pace(performance.now()),
    loopMs: 0,
    used: 0,
    mean: { loopMs: 0, usedMs: 0 },
    before: { loopMs: 0, usedMs: 0 },
    workMs: 0,
    beganAt: -Infinity,
  };
}

/** Whether the next turn is rather for one owner than for another. */
function comesBefore(one: TurnOwner, other: TurnOwner, isForBehind: boolean): boolean {
  if (one.isBehind !== other.isBehind) return one.isBehind === isForBehind;
  const [ofOne, ofOther] = [expectedUse(one), expectedUse(other)];
  return ofOne < ofOther || (ofOne === ofOther && one.running < other.running);
}

/** Whether the event loop is rather for one owner than for another. */
function isRather(one: TurnOwner, other: TurnOwner): boolean {
  return one.isBehind === other.isBehind ? one.used < other.used : other.isBehind;
}

/** The time that an owner will have used when the turns that it has end. */
function expectedUse({ used, running, mean }: TurnOwner): number {
  return used + running * mean.usedMs;
}

/** The turn of one request, which it may leave while it waits for something else. What it uses, its owner has used, too. */
export class Turn implements LoopUser {
  loopMs = 0;
  used = 0;
  private hasBegun = false;

  /**
   * @param companyId is the company for which it works, as far as that is known before it begins.
   * @param answer is the response in which its result goes to whoever asked; `null` when there is none.
   */
  constructor(
    private readonly turns: FairTurns,
    readonly owner: TurnOwner,
    readonly companyId: number | null = null,
    private readonly answer: Pick<ServerResponse, "destroyed" | "writableEnded"> | null = null,
  ) {}

  /** Whether whoever asked has gone, or has been answered before it was done. */
  get isGone(): boolean {
    return this.answer !== null && (this.answer.destroyed || this.answer.writableEnded);
  }

  /** Whether nobody else has asked of late. */
  get isAlone(): boolean {
    return !this.turns.isAmongOthers(this.owner);
  }

  /** Whether somebody is at work who has used less time. */
  get givesWay(): boolean {
    return this.turns.givesWay(this.owner);
  }

  /** Whether its owner uses several times as much of the event loop as most others who ask. */
  get isHeavy(): boolean {
    return this.turns.isHeavy(this.owner);
  }

  /** Returns the time that it has used of the event loop and of the database until now, in milliseconds. */
  usedUntilNow(): number {
    loopTime.count();
    return this.used;
  }

  begin(): boolean {
    return (this.hasBegun = this.turns.begin(this.owner));
  }

  /** @returns false when no turn came within the patience, in milliseconds. */
  async wait(patienceMs: number): Promise<boolean> {
    return (this.hasBegun = await this.turns.wait(this.owner, patienceMs));
  }

  /**
   * Begins, or waits until it may: from then on the event loop works for it.
   *
   * @returns false when no turn came within the patience, in milliseconds.
   */
  async take(patienceMs: number): Promise<boolean> {
    if (!this.begin() && !(await this.wait(patienceMs))) return false;
    loopTime.worksFor(this);
    return true;
  }

  /** Gives the turn back; nothing happens when that has been done. */
  end(): void {
    if (!this.hasBegun) return;
    this.hasBegun = false;
    this.turns.end(this.owner);
  }
}
