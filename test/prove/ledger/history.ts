import { accountOfLane, isLane } from "../../../src/slices/balance/account.rules.js";
import type { Pool } from "pg";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { verifyLedger } from "../../../src/slices/balance/verify-ledger.service.js";
import type { PrismaClient } from "../../../src/generated/prisma/client.js";
import { Random } from "../../../src/demo/random.js";
import { companyRow } from "../../support/company-row.js";

/** A request of a history: a POST below the service's address. */
export interface Ask {
  readonly path: string;
  readonly body: object;
  /** The `Idempotency-Key`; null for a request that is sent once. */
  readonly key: string | null;
  /** The client who asks; the platform when null. */
  readonly clientId: number | null;
}

/** The status of an answer, of GraphQL that of its error, and what was answered. */
export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly data: Readonly<Record<string, unknown>> | null;
}

/** Sends a request to one service process. The promise is rejected when no answer comes. */
export type Door = (ask: Ask) => Promise<Answer>;

type Effect = readonly [holder: string, amount: number];

/** A request that the model knows what to expect of. */
interface Operation {
  readonly ask: Omit<Ask, "key">;
  /** What it changes when it is done. */
  readonly effects: readonly Effect[];
  /** How many of these are those of the answered movement and its other side. */
  readonly answered: number;
}

export interface HistoryWorld {
  readonly companyId: number;
  readonly clients: readonly number[];
  readonly providers: readonly number[];
  readonly orders: readonly { id: number; client: number; shopper: number; deliverer: number }[];
  readonly codes: string[];
  /** A client whose floor is set before all else. */
  readonly floored: number;
}

const SHOPPER_FEE = 11;
const DELIVERER_FEE = 23;
const CARD = 500;
const FLOOR = -300;
/** Few holders, so that many operations want the same ones. */
const CLIENTS = 6;
const PROVIDERS = 3;
const ORDERS = 60;
const CURRENCY = "USD";

/** Makes a company with holders, orders and as many gift cards as `cards`. */
export async function createWorld(db: PrismaClient, cards: number): Promise<HistoryWorld> {
  const { id: companyId } = await db.company.create({
    data: {
      ...companyRow(`history-${process.pid}-${Date.now()}`),
      settings: { create: { data: { currencyIso: CURRENCY } } },
    },
  });
  const ids = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
  const clients = ids(
    await db.client.createManyAndReturn({
      data: Array.from({ length: CLIENTS }, (_, n) => ({ companyId, name: `Client ${n}` })),
    }),
  );
  const providers = ids(
    await db.provider.createManyAndReturn({
      data: Array.from({ length: PROVIDERS }, (_, n) => ({ companyId, name: `Provider ${n}` })),
    }),
  );
  const orders = Array.from({ length: ORDERS }, (_, n) => ({
    client: clients[n % CLIENTS] as number,
    shopper: providers[n % PROVIDERS] as number,
    deliverer: providers[(n + 1) % PROVIDERS] as number,
  }));
  const rows = await db.order.createManyAndReturn({
    data: orders.map(({ client, shopper, deliverer }) => ({
      companyId,
      clientId: client,
      shopperId: shopper,
      delivererId: deliverer,
      shopperFeeE2: SHOPPER_FEE,
      delivererFeeE2: DELIVERER_FEE,
      currencyIso: CURRENCY,
    })),
  });
  const coupon = await db.coupon.create({
    data: {
      companyId,
      name: "Card",
      type: "gift_card",
      status: "running",
      priceE2: CARD,
      totalCount: cards,
      startsAt: new Date(0),
    },
  });
  const codes = Array.from({ length: cards }, (_, n) => `HISTORY${String(n).padStart(6, "0")}`);
  await db.couponCode.createMany({
    data: codes.map((code) => ({ companyId, couponId: coupon.id, code })),
  });
  const floored = clients[0] as number;
  await db.$queryRaw`SELECT floor_e2 FROM set_balance_floor(${companyId}::int, 'client', ${floored}::int, ${CURRENCY}, ${FLOOR}::bigint)`;
  const withIds = orders.map((order, n) => ({ ...order, id: (rows[n] as { id: number }).id }));
  return { companyId, clients, providers, orders: withIds, codes, floored };
}

export interface HistoryOptions {
  readonly operations: number;
  /** Requests at a time. */
  readonly atOnce: number;
  readonly seed: number;
  /** Says whether requests that got no answer, or one of 5xx, are sent again with their keys. */
  readonly isPatient: boolean;
}

export interface HistoryResult {
  readonly done: number;
  readonly refused: number;
  readonly repeated: number;
  readonly perSecond: number;
  /** What is not as it has to be; empty when all is right. */
  readonly faults: readonly string[];
}

/** Operations that were done, for those that take one back. */
interface Done {
  readonly movementId: number;
  readonly effects: readonly Effect[];
}

/**
 * Sends random operations to all doors at once and keeps a plain model of what was acknowledged: a number for each holder.
 * Then the stored balances must be those of the model, every acknowledged movement must be there, none twice, and the whole
 * ledger must verify.
 */
export async function proveHistory(
  { db, pool, doors }: { db: PrismaClient; pool: Pool; doors: readonly Door[] },
  world: HistoryWorld,
  options: HistoryOptions,
): Promise<HistoryResult> {
  const random = new Random(options.seed);
  const balances = new Map<string, number>();
  const acknowledged: number[] = [];
  const reversible: Done[] = [];
  const faults: string[] = [];
  const counts = { done: 0, refused: 0, repeated: 0, movements: 0 };
  let next = 0;
  const start = performance.now();
  const work = async (): Promise<void> => {
    for (let n = next++; n < options.operations; n = next++) {
      const operation = randomOperation(world, random, reversible);
      const ask = { ...operation.ask, key: options.isPatient ? `${options.seed}-${n}` : null };
      const answer = await answerOf(doors, ask, { n, isPatient: options.isPatient, counts });
      if (answer.status !== 200) {
        counts.refused += 1;
        if (answer.status !== 409 || answer.code !== "INVALID_STATE")
          faults.push(`${ask.path} ${JSON.stringify(ask.body)}: ${answer.status} ${answer.code}`);
        continue;
      }
      counts.done += 1;
      counts.movements += operation.effects.length;
      for (const [holder, amount] of operation.effects)
        balances.set(holder, (balances.get(holder) ?? 0) + amount);
      const movementId = answer.data?.["id"];
      if (operation.answered === 0 || typeof movementId !== "number") continue;
      acknowledged.push(movementId);
      const isReversal = ask.path === "/graphql";
      if (!isReversal)
        reversible.push({ movementId, effects: operation.effects.slice(0, operation.answered) });
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, work));
  const seconds = (performance.now() - start) / 1000;
  faults.push(...(await differences({ db, pool }, world, { balances, acknowledged, ...counts })));
  const { done, refused, repeated } = counts;
  return { done, refused, repeated, perSecond: Math.round(options.operations / seconds), faults };
}

async function answerOf(
  doors: readonly Door[],
  ask: Ask,
  { n, isPatient, counts }: { n: number; isPatient: boolean; counts: { repeated: number } },
): Promise<Answer> {
  for (let attempt = n; ; attempt += 1) {
    const door = doors[attempt % doors.length] as Door;
    const answer = await door(ask).catch((error: unknown): Answer => {
      if (!isPatient) throw error;
      return { status: 503, code: "LOST", data: null };
    });
    const isOpen = answer.status >= 500 || answer.status === 429 || answer.code === "CONFLICT";
    if (!isPatient || !isOpen) return answer;
    counts.repeated += 1;
    await wait(50);
  }
}

const holder = (type: string, key: number): string => `${type} ${key}`;

function randomOperation(world: HistoryWorld, random: Random, reversible: Done[]): Operation {
  const { companyId, clients, providers, orders, codes } = world;
  const base = `/api/companies/${companyId}`;
  const platform = { clientId: null };
  const dice = random.next();
  const order = random.pick(orders);
  const ofOrder = `${base}/orders/${order.id}/balance-movements`;
  const amount = random.int(1, 90);
  if (dice < 0.3) {
    const [type, key] = random.pick([
      ["client", random.pick(clients)],
      ["provider", random.pick(providers)],
      ["company", companyId],
    ] as const);
    const signed = random.chance(0.5) ? amount : -amount;
    const body = { type, key, amount_e2: signed };
    return {
      ask: { ...platform, path: `${base}/balance-movements/adjust`, body },
      effects: [
        [holder(type, key), signed],
        ["account adjustments", -signed],
      ],
      answered: 2,
    };
  }
  if (dice < 0.6) {
    const [from, to] = random.sample(
      [
        ...clients.map((key) => ["client", key] as const),
        ...providers.map((key) => ["provider", key] as const),
        ["company", companyId] as const,
      ],
      2,
    ) as [readonly [string, number], readonly [string, number]];
    const body = {
      type: from[0],
      key: from[1],
      amount_e2: amount,
      target: String(to[1]),
      target_type: to[0],
    };
    return {
      ask: { ...platform, path: `${ofOrder}/transfer`, body },
      effects: [
        [holder(...from), -amount],
        [holder(...to), amount],
      ],
      answered: 2,
    };
  }
  if (dice < 0.8) {
    const payer = random.pick([null, "shopper", "deliverer"] as const);
    const feeOf = random.pick([null, null, "shopper", "deliverer"] as const);
    const fee = feeOf === "shopper" ? SHOPPER_FEE : DELIVERER_FEE;
    const body = { amount_e2: amount, is_affecting_provider: payer, remove_provider_fee: feeOf };
    return {
      ask: { ...platform, path: `${ofOrder}/give-change`, body },
      effects: [
        [holder("client", order.client), amount],
        [payer === null ? holder("company", companyId) : holder("provider", order[payer]), -amount],
        ...(feeOf === null
          ? []
          : [
              [holder("provider", order[feeOf]), -fee] as const,
              [holder("company", companyId), fee] as const,
            ]),
      ],
      answered: 2,
    };
  }
  if (dice < 0.9 && reversible.length > 0) {
    const { movementId, effects } = random.pick(reversible);
    const query =
      "mutation ($c: Int!, $id: SafeInt!) { answer: reverseBalanceMovement(companyId: $c, movementId: $id) { id } }";
    return {
      ask: { ...platform, path: "/graphql", body: { query, variables: { c: companyId, id: movementId } } },
      effects: effects.map(([name, changed]) => [name, -changed]),
      answered: effects.length,
    };
  }
  if (dice < 0.95 && codes.length > 0) {
    const clientId = random.pick(clients);
    const body = { coupon_code: codes.pop(), redeem: true };
    return {
      ask: { path: `${base}/coupons/redeem`, body, clientId },
      effects: [
        [holder("client", clientId), CARD],
        ["account gift_cards", -CARD],
      ],
      answered: 0,
    };
  }
  const query =
    "mutation ($c: Int!, $i: SetBalanceFloorInput!) { answer: setBalanceFloor(companyId: $c, input: $i) { floorE2 } }";
  const input = { type: "provider", key: random.pick(providers), floorE2: random.pick([null, -5000, -2000]) };
  return {
    ask: { ...platform, path: "/graphql", body: { query, variables: { c: companyId, i: input } } },
    effects: [],
    answered: 0,
  };
}

async function differences(
  { db, pool }: { db: PrismaClient; pool: Pool },
  { companyId, floored }: HistoryWorld,
  expected: { balances: ReadonlyMap<string, number>; acknowledged: readonly number[]; movements: number },
): Promise<string[]> {
  const { faults } = await verifyLedger(pool, companyId, () => undefined);
  const found = [...faults];
  const holders = await db.balanceHolder.findMany({ where: { companyId } });
  const accounts = new Map(
    (await db.balanceAccount.findMany({ where: { companyId } })).map(({ id, name }) => [id, name]),
  );
  const stored = new Map<string, number>();
  for (const { type, key, balanceE2 } of holders) {
    const name = isLane(key) ? `account ${accounts.get(accountOfLane(key))}` : holder(type, key);
    stored.set(name, (stored.get(name) ?? 0) + Number(balanceE2));
  }
  for (const name of new Set([...stored.keys(), ...expected.balances.keys()])) {
    const [is, should] = [stored.get(name) ?? 0, expected.balances.get(name) ?? 0];
    if (is !== should) found.push(`${name} has ${is}, and the model ${should}`);
  }
  const movements = await db.balanceMovement.findMany({
    where: { companyId },
    select: { id: true, holderType: true, holderKey: true, amountE2: true, finalBalanceE2: true },
  });
  const ids = new Set(movements.map(({ id }) => Number(id)));
  for (const id of expected.acknowledged)
    if (!ids.has(id)) found.push(`movement ${id} was acknowledged and is missing`);
  if (movements.length !== expected.movements)
    found.push(`${movements.length} movements are stored, and ${expected.movements} were acknowledged`);
  for (const { id, holderType, holderKey, amountE2, finalBalanceE2 } of movements)
    if (holderType === "client" && holderKey === floored && amountE2 < 0n && finalBalanceE2 < BigInt(FLOOR))
      found.push(`movement ${id} goes below the floor`);
  return found;
}
