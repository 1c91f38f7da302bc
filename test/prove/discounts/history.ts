import type { Pool } from "pg";
import { performance } from "node:perf_hooks";
import type { PrismaClient } from "../../../src/generated/prisma/client.js";
import { Random } from "../../../src/demo/random.js";
import {
  Model,
  type Order,
  type Outcome,
  type Simulated,
  type State,
  type Step,
  type Taken,
  type Terms,
} from "./model.js";
import { digestOf, digestOfStored, faultsOf, readStored } from "./stored.js";
import {
  createOrder,
  createWorld,
  randomStep,
  requestOf,
  requestOfSimulation,
  requestOfSums,
  spell,
  type World,
} from "./world.js";

/** An answer to a GraphQL request: the codes of its errors, none when it was done. */
export interface Answer {
  readonly data: Readonly<Record<string, unknown>> | null;
  readonly codes: readonly string[];
}

/** Sends a GraphQL request to one of the services. */
export type Send = (document: string, variables: object) => Promise<Answer>;

export interface Services {
  readonly db: PrismaClient;
  readonly pool: Pool;
  readonly sends: readonly Send[];
}

export interface Result {
  readonly steps: number;
  readonly rounds: number;
  readonly refused: number;
  /** Requests that were sent again because the coupons kept changing. */
  readonly repeated: number;
  readonly perSecond: number;
  /** What is not as it has to be; empty when all is right. */
  readonly faults: readonly string[];
}

const ORDERS = 8;
const MOST_AT_ONCE = 5;

/**
 * Sends random steps round by round to several companies. The steps of a round go to all services at once; then their
 * answers and all that is stored have to be those of the plain model for some order of these steps, which is the only one
 * where they do not touch each other.
 */
export async function proveDiscounts(
  services: Services,
  { steps, seed, worlds, until = Infinity }: { steps: number; seed: number; worlds: number; until?: number },
): Promise<Result> {
  const counts = { steps: 0, rounds: 0, refused: 0, repeated: 0 };
  const faults: string[] = [];
  const start = performance.now();
  const live = async (number: number): Promise<void> => {
    const random = new Random(seed * 1_000 + number);
    const world = await createWorld(services.db);
    const model = new Model(world.coupons);
    const sums = new Sums();
    const from = new Date(Date.now() - 3_600_000).toISOString();
    let rounds = 0;
    let state: State = new Map();
    while (counts.steps < steps && performance.now() < until) {
      state = await withFreshOrders(services, world, { state, random });
      const round = randomRound(world, state, random);
      counts.steps += round.length;
      counts.rounds += 1;
      const answers = await Promise.all(
        round.map((step, place) => answerOf(services.sends, world, { step, place, counts })),
      );
      const outcomes = answers.map(outcomeOf);
      counts.refused += outcomes.filter((outcome) => typeof outcome === "string").length;
      const stored = await readStored(services.pool, world, [...state.keys()]);
      const after = explained(model, state, { round, outcomes, digest: digestOfStored(stored) });
      const wrong = faultsOf(world, stored);
      rounds += 1;
      if (after !== null) sums.note(after);
      if (after !== null && rounds % ROUNDS_BETWEEN_SUMS === 0) {
        wrong.push(...(await sums.faultsOf(services.sends, world, { from, state: after })));
        const terms = random.pick(world.coupons);
        wrong.push(
          ...(await simulationFaults(services.sends, world, {
            from,
            terms,
            wanted: model.simulated(after, terms),
          })),
        );
      }
      if (after !== null && wrong.length === 0) {
        state = after;
        continue;
      }
      const told = round.map(
        (step, place) => `${spell(step)} -> ${tellOutcome(outcomes[place] as ToldOutcome)}`,
      );
      const what = after === null ? "no order of the steps explains" : wrong.join("; ");
      faults.push(
        [what, ...told, "before:", digestOf(state), "after:", digestOfStored(stored)].join("\n    "),
      );
      return;
    }
  };
  await Promise.all(Array.from({ length: worlds }, (_, number) => live(number)));
  const seconds = (performance.now() - start) / 1000;
  return { ...counts, perSecond: Math.round(counts.steps / seconds), faults };
}

/** So many rounds after one another the sums of all uses are asked for. */
const ROUNDS_BETWEEN_SUMS = 25;

/** What `couponStats` has to say of the uses of coupons. */
class Sums {
  private readonly made = new Map<number, Set<number>>();
  private readonly returned = new Map<number, Set<number>>();

  /** Notes the uses of the orders that still count. */
  note(state: State): void {
    const add = (to: Map<number, Set<number>>, { coupon, id }: Taken): void => {
      to.set(coupon.id, (to.get(coupon.id) ?? new Set()).add(id));
    };
    for (const { uses, returned } of state.values()) {
      for (const use of [...uses.values(), ...returned]) add(this.made, use);
      for (const use of returned) add(this.returned, use);
    }
  }

  async faultsOf(
    sends: readonly Send[],
    world: World,
    { from, state }: { from: string; state: State },
  ): Promise<string[]> {
    const { document, variables } = requestOfSums(world, from);
    const { data, codes } = await (sends[0] as Send)(document, variables);
    if (codes[0] !== undefined) return [`couponStats is ${codes[0]}`];
    const told = data?.["answer"] as readonly {
      readonly couponId: number;
      readonly uses: number;
      readonly returned: number;
      readonly discountE2: number;
    }[];
    const given = new Map<number, number>();
    for (const { uses } of state.values())
      for (const { coupon, amountE2 } of uses.values())
        given.set(coupon.id, (given.get(coupon.id) ?? 0) + amountE2);
    return world.coupons.flatMap(({ id }) => {
      const row = told.find(({ couponId }) => couponId === id);
      const seen = [row?.uses ?? 0, row?.returned ?? 0, row?.discountE2 ?? 0].join();
      const wanted = [
        this.made.get(id)?.size ?? 0,
        this.returned.get(id)?.size ?? 0,
        given.get(id) ?? 0,
      ].join();
      return seen === wanted ? [] : [`the sums of coupon ${id} are ${seen}, not ${wanted}`];
    });
  }
}

/** What is wrong with what `simulateCoupon` says of a draft with the terms of a coupon. */
async function simulationFaults(
  sends: readonly Send[],
  world: World,
  { from, terms, wanted }: { from: string; terms: Terms; wanted: Simulated },
): Promise<string[]> {
  const { document, variables } = requestOfSimulation(world, terms, from);
  const { data, codes } = await (sends[1] as Send)(document, variables);
  if (codes[0] !== undefined) return [`simulateCoupon is ${codes[0]}`];
  const [row] = data?.["answer"] as readonly Simulated[];
  const textOf = (sums: Simulated | undefined): string =>
    [sums?.uses, sums?.discountE2, sums?.subtotalE2, sums?.refusedAttempts].join();
  return textOf(row) === textOf(wanted)
    ? []
    : [`a draft like coupon ${terms.id} would have given ${textOf(row)}, not ${textOf(wanted)}`];
}

/** Lets go of canceled orders, brings new ones, and lets a hold expire now and then. */
async function withFreshOrders(
  { pool }: Services,
  world: World,
  { state, random }: { state: State; random: Random },
): Promise<State> {
  const orders = [...state.values()].filter(({ isCanceled }) => !isCanceled);
  while (orders.length < ORDERS) orders.push(await createOrder(pool, world, random));
  const held = orders.filter(({ holds }) => holds.size > 0);
  if (held.length > 0 && random.chance(0.1)) {
    const order = random.pick(held);
    await pool.query(
      "UPDATE coupon_holds SET expires_at = now() - interval '1 second' WHERE company_id = $1 AND order_id = $2",
      [world.companyId, order.id],
    );
    orders[orders.indexOf(order)] = { ...order, holds: new Map() };
  }
  return new Map(orders.map((order) => [order.id, order]));
}

/** Some rounds are about few orders and coupons, so that their steps are in each other's way. */
function randomRound({ coupons }: World, state: State, random: Random): Step[] {
  const all = [...state.values()];
  const orders = random.chance(0.6) ? random.sample(all, random.int(1, 2)) : all;
  const some = random.chance(0.6) ? random.sample(coupons, random.int(2, 5)) : coupons;
  return Array.from({ length: random.int(1, MOST_AT_ONCE) }, () => randomStep(random, orders, some));
}

/** A request is sent again as long as the answer says that the coupons keep changing. */
async function answerOf(
  sends: readonly Send[],
  world: World,
  { step, place, counts }: { step: Step; place: number; counts: { repeated: number } },
): Promise<Answer> {
  const { document, variables } = requestOf(world, step);
  for (;;) {
    const answer = await (sends[place % sends.length] as Send)(document, variables);
    if (answer.codes[0] !== "CONFLICT") return answer;
    counts.repeated += 1;
  }
}

interface ToldTaken {
  readonly id: number;
  readonly couponId: number;
  readonly amountE2: number;
}

/** What a coupon would give, as an answer has it. */
interface ToldOffer {
  readonly coupon: { readonly id: number };
  readonly discountE2: number;
}

/** What an answer has: the coupon, amount and, of a use, the id of each. */
type ToldOutcome = readonly ToldTaken[] | string;

function outcomeOf({ data, codes }: Answer): ToldOutcome {
  if (codes[0] !== undefined) return codes[0];
  const offersOf = (offers: readonly ToldOffer[]): ToldTaken[] =>
    offers.map(({ coupon, discountE2 }) => ({ id: 0, couponId: coupon.id, amountE2: discountE2 }));
  if (Array.isArray(data?.["answer"])) return offersOf(data["answer"] as ToldOffer[]);
  const answer = data?.["answer"] as Partial<ToldTaken & ToldOffer> & {
    readonly totalDiscountE2?: number;
    readonly uses?: readonly ToldTaken[];
    readonly applied?: readonly ToldOffer[];
  };
  const taken =
    answer.uses ??
    (answer.applied && offersOf(answer.applied)) ??
    (answer.coupon && offersOf([answer as ToldOffer])) ??
    (answer.couponId === undefined ? [] : [answer as ToldTaken]);
  const sum = taken.reduce((all, { amountE2 }) => all + amountE2, 0);
  if (answer.totalDiscountE2 !== undefined && answer.totalDiscountE2 !== sum) return "NO SUM";
  return taken;
}

/** The state after a round, if the model answers all of its steps alike in some order; else null. */
function explained(
  model: Model,
  state: State,
  { round, outcomes, digest }: { round: readonly Step[]; outcomes: readonly ToldOutcome[]; digest: string },
): State | null {
  const search = (now: State, left: readonly number[]): State | null => {
    if (left.length === 0) return digestOf(now) === digest ? now : null;
    for (const place of left) {
      const step = round[place] as Step;
      const after = model.after(now, step);
      const bound = alike(step, after, { told: outcomes[place] as ToldOutcome, isAlone: round.length === 1 });
      if (bound === null) continue;
      const found = search(
        bound,
        left.filter((other) => other !== place),
      );
      if (found !== null) return found;
    }
    return null;
  };
  return search(
    state,
    round.map((_, place) => place),
  );
}

/** The state after a step with the ids of the uses that the answer has; null when it answers something else. */
function alike(
  { kind, orderId }: Step,
  { outcome, state }: { outcome: Outcome; state: State },
  { told, isAlone }: { told: ToldOutcome; isAlone: boolean },
): State | null {
  if (typeof told === "string" && typeof outcome === "string") {
    // The codes of a basket are read beside each other: what others do meanwhile may make another one the reason.
    const isEither = kind === "consumeAll" && !isAlone && [told, outcome].every(isReason);
    return told === outcome || isEither ? state : null;
  }
  if (typeof told === "string" || typeof outcome === "string") return null;
  if (told.length !== outcome.length) return null;
  const isMade = kind === "consume" || kind === "consumeAll";
  const order = state.get(orderId) as Order;
  const uses = new Map(order.uses);
  for (const [place, taken] of outcome.entries()) {
    const { id, couponId, amountE2 } = told[place] as ToldTaken;
    if (couponId !== taken.coupon.id || amountE2 !== taken.amountE2) return null;
    if ((isMade || kind === "return") && taken.id !== 0 && taken.id !== id) return null;
    if (isMade) uses.set(couponId, { ...taken, id } satisfies Taken);
  }
  return isMade ? new Map(state).set(orderId, { ...order, uses }) : state;
}

function isReason(code: string): boolean {
  return code.startsWith("COUPON_");
}

function tellOutcome(outcome: ToldOutcome): string {
  if (typeof outcome === "string") return outcome;
  return outcome.map(({ couponId, amountE2, id }) => `${couponId}: ${amountE2} (${id})`).join(", ") || "done";
}
