import type { PrismaClient } from "../../../src/generated/prisma/client.js";
import type { Random } from "../../../src/demo/random.js";
import { runningCoupon } from "../../coupons/running-coupon.js";
import type { Answer, Send } from "./history.js";
import type { World } from "./world.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCartInput!) {
  answer: createCart(companyId: $companyId, input: $input) { id } }`;
const ADD = `mutation ($companyId: Int!, $cartId: Int!, $input: CreateCartItemInput!) {
  answer: createCartItem(companyId: $companyId, cartId: $cartId, input: $input) { id } }`;
const READ = `query ($companyId: Int!, $id: Int!) {
  answer: cart(companyId: $companyId, id: $id) { items { goodId quantity snapshot { originalTotalE2 totalPriceE2 } } } }`;
const SHOW = `query ($companyId: Int!, $input: DiscountsInput!) {
  answer: discounts(companyId: $companyId, input: $input) { applied { items { amountE2 } } } }`;
const ONE = "($companyId: Int!, $id: Int!)";
const NAMED = "(companyId: $companyId, couponId: $id)";
const PAUSE = `mutation ${ONE} { answer: pauseCoupon${NAMED} { id } }`;
const RESUME = `mutation ${ONE} { answer: resumeCoupon${NAMED} { id } }`;
const FINISH = `mutation ${ONE} { answer: setFinished${NAMED} { id } }`;
const CHANGE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateRunningCouponInput!) {
  answer: updateRunning(companyId: $companyId, couponId: $id, input: $input) { id } }`;

interface Row {
  readonly goodId: number;
  readonly quantity: number;
  readonly snapshot: { readonly originalTotalE2: number; readonly totalPriceE2: number };
}

/** A service had no time to answer: what is right is unknown. */
class Unanswered extends Error {}

/**
 * Fills a cart, and has a promo begin, pause, go on, change and end. At each of these looks the rows of the cart have to cost what
 * `discounts` leaves of the same goods. Nothing else may go on in the company meanwhile; the promo is gone afterwards.
 *
 * @returns what is wrong.
 */
export async function cartFaults(
  { db, sends }: { readonly db: PrismaClient; readonly sends: readonly Send[] },
  { companyId, clients, goods }: World,
  random: Random,
): Promise<string[]> {
  const faults: string[] = [];
  // The changes and the looks come to the services by turns.
  let turn = 0;
  const ask = async (document: string, variables: object): Promise<unknown> => {
    const send = sends[(turn += 1) % sends.length] as Send;
    const { data, codes }: Answer = await send(document, { companyId, ...variables });
    if (codes[0] === "UNAVAILABLE") throw new Unanswered();
    if (codes[0] !== undefined) faults.push(`a request of a cart is ${codes[0]}: ${document.slice(0, 80)}`);
    return data?.["answer"];
  };
  const clientId = random.pick(clients);
  const look = async (cartId: number, when: string): Promise<void> => {
    const { items = [] } = ((await ask(READ, { id: cartId })) ?? {}) as { items?: readonly Row[] };
    const input = {
      ...{ clientId, withPromos: true },
      subtotalE2: items.reduce((sum, { snapshot }) => sum + snapshot.originalTotalE2, 0),
      items: items.map(({ goodId, quantity, snapshot }) => ({
        ...{ goodId, quantity, totalPriceE2: snapshot.originalTotalE2 },
      })),
    };
    const { applied = [] } = ((await ask(SHOW, { input })) ?? {}) as {
      applied?: readonly { readonly items: readonly { readonly amountE2: number }[] }[];
    };
    const left = items.map(({ snapshot }, place) =>
      applied.reduce((price, one) => price - (one.items[place]?.amountE2 ?? 0), snapshot.originalTotalE2),
    );
    const seen = items.map(({ snapshot }) => snapshot.totalPriceE2).join();
    if (seen !== left.join())
      faults.push(`${when}: the rows of cart ${cartId} cost ${seen}, not ${left.join()}`);
  };
  try {
    const { id: cartId } = (await ask(CREATE, { input: { clientId } })) as { id: number };
    for (const goodId of random.sample(goods, random.int(1, goods.length)))
      await ask(ADD, { cartId, input: { goodId, quantity: random.int(1, 5) } });
    await look(cartId, "when filled");
    const { id } = await runningCoupon({ db }, companyId, {
      ...{ type: "promo", priceE2: 0, pricePrc: "0.2500", totalCount: 10 },
    });
    await look(cartId, "when a promo began");
    await ask(PAUSE, { id });
    await look(cartId, "when it was paused");
    await ask(RESUME, { id });
    await look(cartId, "when it went on");
    await ask(CHANGE, { id, input: { minPurchaseE2: random.int(1, 1_000) } });
    await look(cartId, "when it was changed");
    await ask(FINISH, { id });
    await look(cartId, "when it had ended");
  } catch (error) {
    if (!(error instanceof Unanswered)) throw error;
  }
  return faults;
}
