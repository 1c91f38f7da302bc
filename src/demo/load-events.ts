import { placesHit } from "../slices/company-events/draw.rules.js";
import { scheduleCompanyEventDue } from "../slices/company-events/company-event.jobs.js";
import { CODE_ALPHABET } from "../slices/coupons/codes/random-code.js";
import type { Prisma } from "../generated/prisma/client.js";
import type { EventData } from "./demo-company.js";
import type { DemoTarget } from "./demo-target.js";
import { insertRows } from "./insert-rows.js";
import { daysBefore, minutesBefore } from "./moment.js";

const PLAYERS = 30;
const CODE_LENGTH = 8;
const DAY = 24 * 60;

/** A draw of an event that is over, drawn as the service does. */
interface Draw {
  readonly companyEventId: number;
  readonly clientId: number;
  readonly number: number;
  readonly drawnAt: Date;
  readonly place: number | null;
  readonly prizeNumber: number | null;
}

interface LoadedEvent {
  readonly id: number;
  readonly data: EventData;
  readonly seed: Uint8Array<ArrayBuffer> | null;
}

/** Coupon drops in every status; those that are over with their draws, which can be verified. */
export async function loadEvents(target: DemoTarget, clients: readonly number[]): Promise<void> {
  const { db, companyId, data } = target;
  const rows = data.events.map((event) => eventRow(target, event));
  const created = await insertRows(db, "CompanyEvent", rows, ["id", "status", "startsAt", "endsAt", "seed"]);
  const events = created.map(({ id, seed }, index): LoadedEvent => ({
    id,
    seed,
    data: data.events[index] as EventData,
  }));
  const draws = events.flatMap((event) => drawsOf(target, event, clients));
  await insertRows(
    db,
    "CompanyEventPrize",
    events.flatMap((event) => prizesOf(companyId, event, draws)),
  );
  await insertRows(db, "CompanyEventPlayer", playersOf(companyId, draws));
  await loadDraws(target, events, draws);
  for (const event of created) {
    if (event.status === "ready") await scheduleCompanyEventDue({ db, companyId }, event);
  }
}

function eventRow({ companyId, random }: DemoTarget, event: EventData) {
  const { name, status, startsDaysAgo, endsDaysAgo, config } = event;
  const at = (daysAgo: number | undefined): Date | null =>
    daysAgo === undefined ? null : daysBefore(daysAgo);
  const createdAt = daysBefore(Math.max(startsDaysAgo ?? 0, 0) + 3);
  return {
    companyId,
    name,
    status,
    startsAt: at(startsDaysAgo),
    endsAt: at(endsDaysAgo),
    config: config as Prisma.InputJsonObject,
    seed: status === "pending" ? null : Uint8Array.from({ length: 32 }, () => random.int(0, 255)),
    createdAt,
    updatedAt: createdAt,
  };
}

/** In the order in which they were drawn: prizes go to those who come first. */
function drawsOf(
  { random }: DemoTarget,
  { id: companyEventId, data, seed }: LoadedEvent,
  clients: readonly number[],
): Draw[] {
  if (data.status !== "finished" || seed === null) return [];
  const { startsDaysAgo = 0, endsDaysAgo = 0, config } = data;
  const left = (config.couponSeeds ?? []).map(({ maxCount }) => maxCount);
  const players = random.sample(clients, PLAYERS);
  const minutes = (startsDaysAgo - endsDaysAgo) * DAY;
  const shakes = players.flatMap((clientId) => Array.from({ length: random.int(1, 5) }, () => clientId));
  const drawn = new Map<number, number>();
  const winners = new Set<number>();
  return random.sample(shakes, shakes.length).flatMap((clientId, index): Draw[] => {
    if (winners.has(clientId)) return [];
    const number = (drawn.get(clientId) ?? 0) + 1;
    drawn.set(clientId, number);
    const drawnAt = minutesBefore(startsDaysAgo * DAY - Math.floor((index * minutes) / shakes.length));
    const hits = placesHit(config, seed, { companyEventId, clientId, number }, drawnAt);
    const place = hits.find((candidate) => (left[candidate] as number) > 0) ?? null;
    if (place === null) return [{ companyEventId, clientId, number, drawnAt, place, prizeNumber: null }];
    winners.add(clientId);
    left[place] = (left[place] as number) - 1;
    const prizeNumber = (config.couponSeeds?.[place]?.maxCount ?? 0) - left[place];
    return [{ companyEventId, clientId, number, drawnAt, place, prizeNumber }];
  });
}

function prizesOf(companyId: number, { id, data }: LoadedEvent, draws: readonly Draw[]) {
  if (data.status === "pending") return [];
  return (data.config.couponSeeds ?? []).map(({ maxCount }, place) => ({
    companyId,
    companyEventId: id,
    place,
    maxCount,
    wonCount: draws.filter((draw) => draw.companyEventId === id && draw.place === place).length,
  }));
}

/** The last draw of each client says how many it had, and whether it won. */
function playersOf(companyId: number, draws: readonly Draw[]) {
  const last = new Map(draws.map((draw) => [`${draw.companyEventId}:${draw.clientId}`, draw]));
  return [...last.values()].map(({ companyEventId, clientId, number, drawnAt, place }) => ({
    companyId,
    companyEventId,
    clientId,
    drawCount: number,
    wonAt: place === null ? null : drawnAt,
  }));
}

async function loadDraws(
  { db, companyId, random }: DemoTarget,
  events: readonly LoadedEvent[],
  draws: readonly Draw[],
): Promise<void> {
  const wins = draws.filter(({ place }) => place !== null);
  const coupons = await insertRows(
    db,
    "Coupon",
    wins.map((win) => couponRow(companyId, events, win)),
    ["id"],
  );
  await insertRows(
    db,
    "CouponCode",
    coupons.map(({ id: couponId }, index) => {
      const code = Array.from({ length: CODE_LENGTH }, () => random.pick([...CODE_ALPHABET])).join("");
      return { companyId, couponId, code, createdAt: (wins[index] as Draw).drawnAt };
    }),
  );
  const couponOf = new Map(wins.map((win, index) => [win, coupons[index]?.id ?? null]));
  await insertRows(
    db,
    "CompanyEventDraw",
    draws.map((draw) => ({ companyId, ...draw, couponId: couponOf.get(draw) ?? null })),
  );
}

function couponRow(
  companyId: number,
  events: readonly LoadedEvent[],
  { companyEventId, clientId, place, drawnAt }: Draw,
) {
  const { data } = events.find(({ id }) => id === companyEventId) as LoadedEvent;
  const couponSeed = data.config.couponSeeds?.[place as number];
  return {
    companyId,
    companyEventId,
    name: data.name,
    type: "personal",
    status: "running",
    priceE2: couponSeed?.couponValueE2 ?? 0,
    pricePrc: couponSeed?.couponValuePrc ?? 0,
    minPurchaseE2: couponSeed?.couponMinPurchaseE2 ?? 0,
    appliesTo: couponSeed?.couponAppliesTo ?? "subtotal",
    totalCount: 1,
    generatedCount: 1,
    codeLength: CODE_LENGTH,
    startsAt: drawnAt,
    whitelist: [clientId],
    createdAt: drawnAt,
    updatedAt: drawnAt,
  };
}
