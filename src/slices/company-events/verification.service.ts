import type { Db } from "../../core/db/db.js";
import { eventStatusAt } from "./company-event-actions.rules.js";
import { eventConfig } from "./company-event-config.js";
import { seedHash } from "./draw.rules.js";
import { EventReplay } from "./replay.rules.js";

const DRAWS_AT_ONCE = 5_000;
/** How many differences are listed in full; the others are only counted. */
const MOST_TOLD = 20;

/** What came of verifying an event. */
export interface Verification {
  readonly name: string;
  readonly seedHash: string;
  readonly draws: number;
  readonly clients: number;
  readonly places: readonly { winRate: number; maxCount: number; due: number; given: number }[];
  /** The first differences between what was recorded and what was due. */
  readonly differences: readonly string[];
  readonly differenceCount: number;
}

/**
 * Replays all draws of a finished event from its seed and compares the coupons that were won with those that were due.
 *
 * @returns `null` when there is no such event; only the status while the event is not finished, since its seed is still
 *   a secret.
 */
export async function verifyEvent(
  db: Db,
  companyId: number,
  id: number,
  at = new Date(),
): Promise<Verification | { readonly status: string } | null> {
  const event = await db.companyEvent.findFirst({ where: { companyId, id } });
  if (event === null) return null;
  const status = eventStatusAt(event, at);
  if (status !== "finished" || event.seed === null) return { status };
  const config = eventConfig(event);
  const differences: string[] = [];
  let differenceCount = 0;
  const tell = (difference: string): void => {
    differenceCount += 1;
    if (differences.length < MOST_TOLD) differences.push(difference);
  };

  const replay = new EventReplay({ ...event, seed: event.seed, config }, tell);
  await replayDraws(db, companyId, id, replay);
  const { draws, clients, won } = replay;
  await replayPlayers(db, companyId, id, replay);
  const coupons = await db.coupon.count({ where: { companyId, companyEventId: id } });
  if (coupons !== won) tell(`${coupons} coupons come from the event, ${won} were due`);
  const codes = await db.couponCode.count({ where: { companyId, coupon: { companyEventId: id } } });
  if (codes !== won) tell(`the coupons of the event have ${codes} codes, ${won} were due`);
  const prizes = await db.companyEventPrize.findMany({ where: { companyId, companyEventId: id } });
  const places = (config.couponSeeds ?? []).map(({ winRate, maxCount }, place) => {
    const due = replay.wins[place] ?? 0;
    const prize = prizes.find((row) => row.place === place);
    const given = prize?.wonCount ?? 0;
    if (given !== due || prize?.maxCount !== maxCount) {
      tell(`place ${place}: ${given} of ${prize?.maxCount ?? 0} were given, ${due} of ${maxCount} were due`);
    }
    return { winRate, maxCount, due, given };
  });
  return {
    name: event.name,
    seedHash: seedHash(event.seed),
    draws,
    clients,
    places,
    differences,
    differenceCount,
  };
}

async function replayDraws(
  db: Db,
  companyId: number,
  companyEventId: number,
  replay: EventReplay,
): Promise<void> {
  for (let after = 0n; ;) {
    const draws = await db.companyEventDraw.findMany({
      where: { companyId, companyEventId, id: { gt: after } },
      orderBy: { id: "asc" },
      take: DRAWS_AT_ONCE,
      include: { coupon: true },
    });
    for (const draw of draws) replay.add(draw);
    const last = draws.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

async function replayPlayers(
  db: Db,
  companyId: number,
  companyEventId: number,
  replay: EventReplay,
): Promise<void> {
  for (let after = 0; ;) {
    const players = await db.companyEventPlayer.findMany({
      where: { companyId, companyEventId, clientId: { gt: after } },
      orderBy: { clientId: "asc" },
      take: DRAWS_AT_ONCE,
    });
    for (const player of players) replay.assertPlayer(player);
    const last = players.at(-1);
    if (last === undefined) return replay.assertNoOthers();
    after = last.clientId;
  }
}
