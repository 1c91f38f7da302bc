import { setTimeout as wait } from "node:timers/promises";
import type autocannon from "autocannon";
import pg from "pg";
import { assertSameAnswers } from "./answers.js";
import type { Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side, type SideOfMany } from "./load.js";
import { POSTING, postingSides } from "./posting.js";
import { startServer, type Server } from "./processes.js";
import { statementsPerRequest } from "./statements.js";
import { prepareEvent, shaking } from "./shakes.js";
import { prepareUses, type Coupon, type Orders, type Uses } from "./uses-dataset.js";

const BARE_PORT = 4212;
const SUBTOTAL_E2 = 10_000;
/** A use runs through more code than a read, so all of its code is compiled only after this time. */
const WARM_UP_SECONDS = 6;
/** The time after which idle sessions have reported the transactions of earlier workloads. */
const IDLE_STATISTICS_MS = 11_000;
/**
 * A request with a thousand promos takes the gateway over 10 ms; more requests at once would be refused as
 * overload.
 */
const MANY_PROMOS_CONNECTIONS = 4;
const CONSUME =
  "mutation ($companyId: Int!, $input: ConsumeCouponInput!) { consumeCoupon(companyId: $companyId, input: $input) { id amountE2 } }";
const CONSUME_ALL =
  "mutation ($companyId: Int!, $input: ConsumeCouponsInput!) { consumeCoupons(companyId: $companyId, input: $input) { totalDiscountE2 } }";
const PROMOS =
  "query ($companyId: Int!, $input: ApplicablePromosInput!) { applicablePromos(companyId: $companyId, input: $input) { coupon { id } discountE2 } }";

interface Given {
  readonly gateway: Server;
  /** The URL of the gateway's database. */
  readonly url: string;
  /** A token of a principal who may do everything. */
  readonly token: string;
  readonly rounds: Rounds;
  /** The service of another checkout, to compare with instead of the bare server. */
  readonly other: Server | null;
  /** Returns whether the workload of that name is measured. */
  isChosen(name: string): boolean;
}

export const USES = [
  "consume-hot",
  "consume-spread",
  "consume-three",
  "promos-1000",
  "promos-10",
  "shake-hot",
  "shake-spread",
  ...POSTING,
] as const;

/**
 * Measures uses of coupons against a bare server that does the conditional UPDATE and the INSERT in one statement:
 * on one coupon, and spread over 1,000; and of three coupons at once against a transaction of these. Each request is for
 * another order. Then it measures `applicablePromos`
 * among 1,000 and among 10 promos, and shakes against `consumeCoupon` of the same gateway.
 */
export async function measureUses({
  gateway,
  url,
  token,
  rounds,
  other,
  isChosen,
}: Given): Promise<Figures[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const bare = await startServer(
    [process.execPath, "--import", "tsx", "test/bench/bare-uses.ts", url, String(BARE_PORT)],
    {
      port: BARE_PORT,
      path: "/ready",
    },
  );
  try {
    const uses = await prepareUses(client);
    const sides = [
      ...(await consumeSides(uses, { gateway, bare, token, other }, isChosen)),
      ...promoSides(uses, { gateway, bare, token, other }),
      ...(await shakeSides(client, uses, { gateway, token, other }, isChosen)),
      ...(await postingSides(client, { gateway, bare, token, other }, isChosen)),
    ].filter(({ name }) => isChosen(name));
    const figures: Figures[] = [];
    const counted = new Map<string, number>();
    await wait(IDLE_STATISTICS_MS);
    for (const { name, ours, next } of sides)
      counted.set(name, await statementsPerRequest(next ?? ours, url));
    for (const { name, ours, theirs, next } of sides) {
      // A long list is compared with a short one, whose rows are others.
      if (next === undefined && other === null && name !== "list-long") await assertSameAnswers(ours, theirs);
      const { rps, p99Ms, ratio } = await compare(ours, theirs, {
        ...rounds,
        warmUpSeconds: WARM_UP_SECONDS,
      });
      process.stderr.write(`${name} ${ratio.toFixed(2)}\n`);
      figures.push({
        name,
        rps,
        p99_ms: p99Ms,
        ratio: Number(ratio.toFixed(2)),
        sql_per_request: counted.get(name) ?? NaN,
      });
    }
    return figures;
  } finally {
    await bare.stop();
    await client.end();
  }
}

/** The two sides of a comparison; `next` makes each request when they differ. */
interface Sides {
  readonly name: string;
  readonly ours: Side;
  readonly theirs: Side;
  readonly next?: () => Side;
}

interface Servers {
  readonly gateway: Server;
  readonly bare: Server;
  readonly token: string;
  readonly other: Server | null;
}

/** The orders of a workload have no coupon of another one. The bare server does not read what an order has. */
async function consumeSides(
  uses: Uses,
  { gateway, bare, token, other }: Servers,
  isChosen: Given["isChosen"],
): Promise<Sides[]> {
  const workloads = [
    { name: "consume-hot", mine: uses.hot.slice(0, 1), others: uses.hot.slice(1, 2), codes: 1 },
    {
      name: "consume-spread",
      mine: uses.spread.slice(0, 1000),
      others: uses.spread.slice(1000, 2000),
      codes: 1,
    },
    {
      name: "consume-three",
      mine: uses.spread.slice(3000, 4000),
      others: uses.spread.slice(4000),
      codes: 3,
    },
  ].filter(({ name }) => isChosen(name));
  const sides: Sides[] = [];
  for (const { name, mine, others, codes } of workloads) {
    const orders = await uses.makeOrders();
    const ours = consuming(gateway.url, uses, mine, { orders, token, codes });
    const theirs =
      other === null
        ? consuming(bare.url, uses, others, { orders, token: null, codes })
        : consuming(other.url, uses, others, { orders: await uses.makeOrders(), token, codes });
    sides.push({ name, ours, theirs, next: () => single(ours) });
  }
  return sides;
}

/**
 * Shakes that all win at one place against uses of one coupon, and shakes of which one in 20 wins against uses of
 * 1,000 coupons.
 */
async function shakeSides(
  client: pg.Client,
  uses: Uses,
  { gateway, token, other }: Omit<Servers, "bare">,
  isChosen: Given["isChosen"],
): Promise<Sides[]> {
  const workloads = [
    { name: "shake-hot", clients: 60_000, winRate: 1, coupons: uses.hot.slice(2) },
    { name: "shake-spread", clients: 20_000, winRate: 20, coupons: uses.spread.slice(2000, 3000) },
  ].filter(({ name }) => isChosen(name));
  const sides: Sides[] = [];
  for (const { name, clients, winRate, coupons } of workloads) {
    const event = await prepareEvent(client, { clients, winRate });
    const ours = shaking(gateway.url, event);
    const theirs =
      other === null
        ? consuming(gateway.url, uses, coupons, { orders: await uses.makeOrders(), token, codes: 1 })
        : shaking(other.url, await prepareEvent(client, { clients, winRate }));
    sides.push({ name, ours, theirs, next: () => single(ours) });
  }
  return sides;
}

function promoSides({ manyPromos, fewPromos }: Uses, { gateway, bare, token, other }: Servers): Sides[] {
  return [
    { name: "promos-1000", companyId: manyPromos, connections: MANY_PROMOS_CONNECTIONS },
    { name: "promos-10", companyId: fewPromos, connections: 16 },
  ].map(({ name, companyId, connections }) => ({
    name,
    ours: { ...promosOf(gateway.url, companyId, token), connections },
    theirs:
      other === null
        ? {
            connections,
            url: `${bare.url}/promos`,
            method: "POST",
            headers: headersOf(null),
            body: JSON.stringify([companyId, SUBTOTAL_E2]),
          }
        : { ...promosOf(other.url, companyId, token), connections },
  }));
}

/**
 * Returns requests that use the coupons by turns, so many at once, each for the next order. Without a token they are for
 * the bare server.
 */
function consuming(
  base: string,
  { companyId }: Uses,
  coupons: readonly Coupon[],
  { orders, token, codes: many }: { orders: Orders; token: string | null; codes: number },
): SideOfMany {
  const ids = orders.all();
  let turn = 0;
  const next = (): { path: string; body: string } => {
    const codes = Array.from({ length: many }, () => (coupons[turn++ % coupons.length] as Coupon).code);
    const [code] = codes;
    const orderId = ids.next().value as number;
    if (token === null) {
      return many === 1
        ? { path: "/consume", body: JSON.stringify([companyId, code, orderId]) }
        : { path: "/consumeAll", body: JSON.stringify([companyId, codes, orderId]) };
    }
    const [query, input] = many === 1 ? [CONSUME, { code, orderId }] : [CONSUME_ALL, { codes, orderId }];
    return { path: "/graphql", body: JSON.stringify({ query, variables: { companyId, input } }) };
  };
  const headers = headersOf(token);
  const setupRequest = (request: autocannon.Request): autocannon.Request => ({ ...request, ...next() });
  return { url: base, method: "POST", headers, next, requests: [{ method: "POST", headers, setupRequest }] };
}

/** Returns a side of the next request alone. */
function single({ url, next, ...side }: SideOfMany): Side {
  const { path, body, headers = side.headers } = next();
  return { url: url + path, method: "POST", headers, body };
}

function promosOf(base: string, companyId: number, token: string): Side {
  const variables = { companyId, input: { subtotalE2: SUBTOTAL_E2 } };
  const body = JSON.stringify({ query: PROMOS, variables });
  return { url: `${base}/graphql`, method: "POST", headers: headersOf(token), body };
}
