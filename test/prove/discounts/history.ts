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
import { cartFaults } from "./carts.js";
import { differenceOf, digestOf, digestOfStored, faultsOf, readStored } from "./stored.js";
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
  /** Rounds whose company was left because a service had no time to answer. */
  readonly unanswered: number;
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
  {
    steps,
    seed,
    worlds,
    givingBack,
    until = Infinity,
  }: { steps: number; seed: number; worlds: number; givingBack: number; until?: number },
): Promise<Result> {
  const counts = { steps: 0, rounds: 0, refused: 0, repeated: 0, unanswered: 0 };
  const faults: string[] = [];
  const start = performance.now();
  const live = async (number: number): Promise<void> => {
    const random = new Random(seed * 1_000 + number);
    const isOver = (): boolean => counts.steps >= steps || performance.now() >= until;
    while (!isOver()) {
      const end = await liveOnce(services, { random, counts, givingBack, isOver });
      if (end === "unanswered") continue;
      if (end !== null) faults.push(end.fault);
      return;
    }
  };
  await Promise.all(Array.from({ length: worlds }, (_, number) => live(number)));
  const seconds = (performance.now() - start) / 1000;
  return { ...counts, perSecond: Math.round(counts.steps / seconds), faults };
}

interface Counts {
  steps: number;
  rounds: number;
  refused: number;
  repeated: number;
  unanswered: number;
}

/**
 * Sends rounds to a company of its own, to the end of the proof or the first fault. A service without time for a step may have
 * done it or not, and may do it yet: what is right is unknown from then on, and the company is left.
 */
async function liveOnce(
  services: Services,
  {
    random,
    counts,
    givingBack,
    isOver,
  }: { random: Random; counts: Counts; givingBack: number; isOver: () => boolean },
): Promise<{ readonly fault: string } | "unanswered" | null> {
  const world = await createWorld(services.db);
  const model = new Model(world.coupons);
  const sums = new Sums();
  const from = new Date(Date.now() - 3_600_000).toISOString();
  let state: State = new Map();
  for (let rounds = 1; !isOver(); rounds += 1) {
    state = await withFreshOrders(services, world, { state, random });
    const round = random.chance(givingBack)
      ? roundOfGivingBack(world, state, random)
      : randomRound(world, state, random);
    const answers = await Promise.all(
      round.map((step, place) => answerOf(services.sends, world, { step, place, counts })),
    );
    const outcomes = answers.map(outcomeOf);
    if (outcomes.includes(UNANSWERED)) {
      counts.unanswered += 1;
      return "unanswered";
    }
    counts.steps += round.length;
    counts.rounds += 1;
    counts.refused += outcomes.filter((outcome) => typeof outcome === "string").length;
    const stored = await readStored(services.pool, world, [...state.keys()]);
    const { after, nearest } = explained(model, state, { round, outcomes, digest: digestOfStored(stored) });
    const wrong = faultsOf(world, stored);
    if (after !== null) sums.note(after);
    if (after !== null && rounds % ROUNDS_BETWEEN_SUMS === 0) {
      wrong.push(...(await sums.faultsOf(services.sends, world, { from, state: after })));
      const terms = random.pick(world.coupons);
      const wanted = model.simulated(after, terms);
      wrong.push(...(await simulationFaults(services.sends, world, { from, terms, wanted })));
      wrong.push(...(await cartFaults(services, world, random)));
    }
    if (after === null || wrong.length > 0) {
      const answered = round.map(
        (step, place) => `${spell(step)} -> ${spellOutcome(outcomes[place] as SeenOutcome)}`,
      );
      const what = after === null ? "no order of the steps explains" : wrong.join("; ");
      const lines = [what, ...answered, ...nearest, "before:", ...digestOf(state).split("\n")];
      return { fault: lines.join("\n    ") };
    }
    state = after;
  }
  return null;
}

/** The code of a service that had no time to answer. */
const UNANSWERED = "UNAVAILABLE";

/** So many rounds after one another the sums of all uses are asked for, and a cart is looked at. */
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
    if (codes[0] === UNANSWERED) return [];
    if (codes[0] !== undefined) return [`couponStats is ${codes[0]}`];
    const rows = data?.["answer"] as readonly {
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
      const row = rows.find(({ couponId }) => couponId === id);
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
  if (codes[0] === UNANSWERED) return [];
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

/** An order gives back while another one takes what is left over, and is shown what it would take. */
function roundOfGivingBack({ coupons }: World, state: State, random: Random): Step[] {
  const all = [...state.values()];
  const [giver, taker] = random.sample(all, 2) as [Order, Order];
  const taken = [...giver.uses.values()];
  const wish = { orderId: taker.id, choices: [], withPromos: true };
  const giving: Step[] =
    taken.length === 0
      ? [{ kind: "consumeAll", orderId: giver.id, choices: [], withPromos: true }]
      : random.chance(0.3)
        ? [{ kind: "cancel", orderId: giver.id }]
        : random
            .sample(taken, 2)
            .map(({ coupon, code }) => ({ kind: "return", orderId: giver.id, coupon, code }));
  const others = random.chance(0.3) ? [randomStep(random, all, coupons)] : [];
  return [...giving, { kind: "show", ...wish }, { kind: "consumeAll", ...wish }, ...others];
}

/** A request is sent again as long as the answer says that the coupons keep changing. */
async function answerOf(
  sends: readonly Send[],
  world: World,
  { step, place, counts }: { step: Step; place: number; counts: Counts },
): Promise<Answer> {
  const { document, variables } = requestOf(world, step);
  for (;;) {
    const answer = await (sends[place % sends.length] as Send)(document, variables);
    if (answer.codes[0] !== "CONFLICT") return answer;
    counts.repeated += 1;
  }
}

interface SeenTaken {
  readonly id: number;
  readonly couponId: number;
  readonly amountE2: number;
}

/** What a coupon would give, as an answer has it. */
interface SeenOffer {
  readonly coupon: { readonly id: number };
  readonly discountE2: number;
}

/** What an answer has: the coupon, amount and, of a use, the id of each. */
type SeenOutcome = readonly SeenTaken[] | string;

function outcomeOf({ data, codes }: Answer): SeenOutcome {
  if (codes[0] !== undefined) return codes[0];
  const offersOf = (offers: readonly SeenOffer[]): SeenTaken[] =>
    offers.map(({ coupon, discountE2 }) => ({ id: 0, couponId: coupon.id, amountE2: discountE2 }));
  if (Array.isArray(data?.["answer"])) return offersOf(data["answer"] as SeenOffer[]);
  const answer = data?.["answer"] as Partial<SeenTaken & SeenOffer> & {
    readonly totalDiscountE2?: number;
    readonly uses?: readonly SeenTaken[];
    readonly applied?: readonly SeenOffer[];
  };
  const taken =
    answer.uses ??
    (answer.applied && offersOf(answer.applied)) ??
    (answer.coupon && offersOf([answer as SeenOffer])) ??
    (answer.couponId === undefined ? [] : [answer as SeenTaken]);
  const sum = taken.reduce((all, { amountE2 }) => all + amountE2, 0);
  if (answer.totalDiscountE2 !== undefined && answer.totalDiscountE2 !== sum) return "NO SUM";
  return taken;
}

/**
 * The state after a round, if the model answers all of its steps alike in some order; else null, and what the model says in
 * the order that explains the most of them.
 */
function explained(
  model: Model,
  state: State,
  { round, outcomes, digest }: { round: readonly Step[]; outcomes: readonly SeenOutcome[]; digest: string },
): { readonly after: State | null; readonly nearest: readonly string[] } {
  let [most, nearest]: [number, readonly string[]] = [-1, []];
  const note = (explains: readonly number[], others: () => readonly string[]): void => {
    if (explains.length <= most) return;
    most = explains.length;
    nearest = [`nearest: ${explains.map((place) => spell(round[place] as Step)).join(", ")}`, ...others()];
  };
  const search = (now: State, done: readonly number[]): State | null => {
    if (done.length === round.length) {
      const own = digestOf(now);
      if (own === digest) return now;
      note(done, () => ["stored (+) is not what the model has (-):", ...differenceOf(own, digest)]);
      return null;
    }
    const left = round.map((_, place) => place).filter((place) => !done.includes(place));
    const wrong: string[] = [];
    for (const place of left) {
      const step = round[place] as Step;
      const after = model.after(now, step);
      const bound = alike(step, after, { seen: outcomes[place] as SeenOutcome, isAlone: round.length === 1 });
      if (bound === null) {
        wrong.push(`then the model answers ${spell(step)} by ${spellOutcome(seenOf(after.outcome))}`);
        continue;
      }
      const found = search(bound, [...done, place]);
      if (found !== null) return found;
    }
    note(done, () => wrong);
    return null;
  };
  return { after: search(state, []), nearest };
}

function seenOf(outcome: Outcome): SeenOutcome {
  if (typeof outcome === "string") return outcome;
  return outcome.map(({ id, coupon, amountE2 }) => ({ id, couponId: coupon.id, amountE2 }));
}

/** The state after a step with the ids of the uses that the answer has; null when it answers something else. */
function alike(
  { kind, orderId }: Step,
  { outcome, state }: { outcome: Outcome; state: State },
  { seen, isAlone }: { seen: SeenOutcome; isAlone: boolean },
): State | null {
  if (typeof seen === "string" && typeof outcome === "string") {
    // The codes of a basket are read beside each other: what others do meanwhile may make another one the reason.
    const isEither = kind === "consumeAll" && !isAlone && [seen, outcome].every(isReason);
    return seen === outcome || isEither ? state : null;
  }
  if (typeof seen === "string" || typeof outcome === "string") return null;
  if (seen.length !== outcome.length) return null;
  const isMade = kind === "consume" || kind === "consumeAll";
  const order = state.get(orderId) as Order;
  const uses = new Map(order.uses);
  for (const [place, taken] of outcome.entries()) {
    const { id, couponId, amountE2 } = seen[place] as SeenTaken;
    if (couponId !== taken.coupon.id || amountE2 !== taken.amountE2) return null;
    if ((isMade || kind === "return") && taken.id !== 0 && taken.id !== id) return null;
    if (isMade && uses.has(couponId)) uses.set(couponId, { ...taken, id } satisfies Taken);
  }
  return isMade ? new Map(state).set(orderId, { ...order, uses }) : state;
}

function isReason(code: string): boolean {
  return code.startsWith("COUPON_");
}

function spellOutcome(outcome: SeenOutcome): string {
  if (typeof outcome === "string") return outcome;
  return outcome.map(({ couponId, amountE2, id }) => `${couponId}: ${amountE2} (${id})`).join(", ") || "done";
}
