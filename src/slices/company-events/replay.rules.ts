import type { StoredCouponSeed, StoredEventConfig } from "./company-event-config.js";
import { placesHit } from "./draw.rules.js";

/** The facts about an event that a replay needs. */
export interface ReplayedEvent {
  readonly id: number;
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
  readonly seed: Uint8Array;
  readonly config: StoredEventConfig;
}

/** A draw as it was recorded, with the coupon that was given for it. */
export interface RecordedDraw {
  readonly id: bigint;
  readonly clientId: number;
  readonly number: number;
  readonly drawnAt: Date;
  readonly place: number | null;
  readonly prizeNumber: number | null;
  readonly coupon: RecordedCoupon | null;
}

/** The fields of a coupon that cannot be changed while it runs or later. */
export interface RecordedCoupon {
  readonly type: string;
  readonly priceE2: bigint;
  readonly pricePrc: { toString(): string };
  readonly appliesTo: string;
  readonly totalCount: number;
  readonly companyEventId: number | null;
}

/** What is recorded of a client who drew in the event. */
export interface RecordedPlayer {
  readonly clientId: number;
  readonly drawCount: number;
  readonly wonAt: Date | null;
}

interface Player {
  draws: number;
  hasWon: boolean;
}

/**
 * Repeats the draws of an event from its seed and from what was recorded of each draw: client, number and moment. The
 * draws have to be added in the order of their ids, in which the coupons were won.
 */
export class EventReplay {
  /** How many wins were due so far, by place. */
  readonly wins: number[];
  draws = 0;
  private readonly players = new Map<number, Player>();

  /** @param tell is called with every difference between what was recorded and what was due. */
  constructor(
    private readonly event: ReplayedEvent,
    private readonly tell: (difference: string) => void,
  ) {
    this.wins = this.couponSeeds.map(() => 0);
  }

  get clients(): number {
    return this.players.size;
  }

  get won(): number {
    return this.wins.reduce((sum, count) => sum + count, 0);
  }

  add(draw: RecordedDraw): void {
    const player = this.players.get(draw.clientId) ?? { draws: 0, hasWon: false };
    this.players.set(draw.clientId, player);
    this.draws += 1;
    player.draws += 1;
    const differ = (what: string): void =>
      this.tell(`draw ${draw.id} (client ${draw.clientId}, number ${draw.number}): ${what}`);
    if (draw.number !== player.draws) differ(`the client's next draw is number ${player.draws}`);
    if (player.hasWon) differ("the client had won before");
    if (!this.isDuringEvent(draw.drawnAt)) differ("it was not drawn while the event ran");
    const due = this.placeDue(draw);
    if (draw.place !== due) differ(`${placeName(draw.place)} was given, ${placeName(due)} was due`);
    if (due === null) return;
    this.wins[due] = (this.wins[due] as number) + 1;
    player.hasWon = true;
    if (draw.place !== due) return;
    if (draw.prizeNumber !== this.wins[due]) differ(`its prize is number ${this.wins[due]} of its place`);
    const wrong = couponDifference(draw.coupon, this.couponSeeds[due] as StoredCouponSeed, this.event.id);
    if (wrong !== null) differ(wrong);
  }

  /** Compares what is recorded of a client with its draws. Call it once for each player, after all draws. */
  assertPlayer({ clientId, drawCount, wonAt }: RecordedPlayer): void {
    const { draws, hasWon } = this.players.get(clientId) ?? { draws: 0, hasWon: false };
    this.players.delete(clientId);
    if (drawCount !== draws)
      this.tell(`client ${clientId}: ${drawCount} draws are counted, ${draws} are recorded`);
    if ((wonAt !== null) !== hasWon) {
      this.tell(
        `client ${clientId}: is ${wonAt === null ? "no " : "a "}winner, but ${hasWon ? "a" : "no"} win was due`,
      );
    }
  }

  /** Finds the clients who drew but for whom `assertPlayer` was not called. */
  assertNoOthers(): void {
    for (const clientId of this.players.keys())
      this.tell(`client ${clientId}: drew, but is no player of the event`);
  }

  private placeDue({ clientId, number, drawnAt }: RecordedDraw): number | null {
    const { id: companyEventId, config, seed } = this.event;
    const hits = placesHit(config, seed, { companyEventId, clientId, number }, drawnAt);
    const isLeft = (place: number): boolean =>
      (this.wins[place] as number) < (this.couponSeeds[place] as StoredCouponSeed).maxCount;
    return hits.find(isLeft) ?? null;
  }

  private isDuringEvent(at: Date): boolean {
    const { startsAt, endsAt } = this.event;
    return startsAt !== null && at >= startsAt && (endsAt === null || at < endsAt);
  }

  private get couponSeeds(): readonly StoredCouponSeed[] {
    return this.event.config.couponSeeds ?? [];
  }
}

function placeName(place: number | null): string {
  return place === null ? "no prize" : `a prize of place ${place}`;
}

function couponDifference(
  coupon: RecordedCoupon | null,
  couponSeed: StoredCouponSeed,
  companyEventId: number,
): string | null {
  if (coupon === null) return "its coupon is missing";
  const isAsDue =
    coupon.type === "personal" &&
    coupon.totalCount === 1 &&
    coupon.companyEventId === companyEventId &&
    Number(coupon.priceE2) === (couponSeed.couponValueE2 ?? 0) &&
    Number(coupon.pricePrc.toString()) === (couponSeed.couponValuePrc ?? 0) &&
    coupon.appliesTo === (couponSeed.couponAppliesTo ?? "subtotal");
  return isAsDue ? null : "its coupon is not the one that was due";
}
