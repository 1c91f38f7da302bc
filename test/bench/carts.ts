import pg from "pg";
import { assertSameAnswers } from "./answers.js";
import { figuresOf, type Figures } from "./figures.js";
import { compare, headersOf, type Rounds, type Side } from "./load.js";
import type { Server } from "./processes.js";
import { statementsPerRequest } from "./statements.js";

const COMPANY = "Cart benchmark";
const ITEMS = 50;
const ADD =
  "mutation ($c: Int!, $cart: Int!, $input: CreateCartItemInput!) { createCartItem(companyId: $c, cartId: $cart, input: $input) { id } }";
const READ = `query ($c: Int!, $cart: Int!) {
  cartItems(companyId: $c, cartId: $cart, first: ${ITEMS}) {
    nodes { id quantity notes extras { propertyId value } snapshot { name basePriceE2 totalPriceE2 } good { id name priceE2 sku } }
  }
}`;
const UPDATE =
  "mutation ($c: Int!, $id: Int!) { updateCartItem(companyId: $c, id: $id, input: { quantity: 2 }) { id quantity } }";

export const CARTS = ["cart-50", "cart-50-update"] as const;

interface Given {
  readonly gateway: Server;
  readonly bare: Server;
  readonly url: string;
  readonly token: string;
  readonly rounds: Rounds;
  isChosen(name: string): boolean;
}

/** Measures a cart with 50 goods with options: it is read, and one of its rows is changed, which shares its promo anew. */
export async function measureCarts(given: Given): Promise<Figures[]> {
  const { gateway, bare, token, url, rounds, isChosen } = given;
  const { companyId, cartId, itemId } = await prepareCart(given);
  const asked = (query: string, variables: object): Side => ({
    url: `${gateway.url}/graphql`,
    method: "POST",
    headers: headersOf(token),
    body: JSON.stringify({ query, variables }),
  });
  const stated = (name: string, id: number): Side => ({
    url: `${bare.url}/${name}/${companyId}/${id}`,
    method: "GET",
    headers: {},
  });
  const sides: Record<(typeof CARTS)[number], readonly [Side, Side]> = {
    "cart-50": [asked(READ, { c: companyId, cart: cartId }), stated("cart", cartId)],
    // Changes of one cart come one after the other.
    "cart-50-update": [
      { ...asked(UPDATE, { c: companyId, id: itemId }), connections: 1 },
      { ...stated("cartUpdate", itemId), connections: 1 },
    ],
  };
  const figures: Figures[] = [];
  for (const name of CARTS.filter(isChosen)) {
    const [ours, theirs] = sides[name];
    if (name === "cart-50") await assertSameAnswers(ours, theirs);
    const statements = await statementsPerRequest(ours, url);
    figures.push(figuresOf(name, await compare(ours, theirs, rounds), statements));
  }
  return figures;
}

/** Makes a company with a full cart, through the service; later runs make another cart there. */
async function prepareCart({ gateway, url, token }: Given) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const one = async (text: string, values: unknown[]): Promise<number> =>
      (await client.query<{ id: number }>(text, values)).rows[0]?.id as number;
    const known = await one("SELECT id FROM companies WHERE name = $1", [COMPANY]);
    const companyId =
      known ??
      (await one(
        `INSERT INTO companies (name, email, domain, expires_at, folder_name, strings_json, styles_json, default_iso_lang, country_iso, updated_at)
         VALUES ($1, 'cart@bench.example', 'cart.bench.example', now() + interval '10 years', 'cart', '{}', '{}', 'en', 'US', now())
         RETURNING id`,
        [COMPANY],
      ));
    const propertyId = await one(
      "INSERT INTO properties (company_id, name, type, updated_at) VALUES ($1, 'Size', 256, now()) RETURNING id",
      [companyId],
    );
    await client.query(
      `INSERT INTO property_options (company_id, property_id, name, price_e2, in_order, updated_at)
       SELECT $1, $2, 'Option ' || n, n * 50, n, now() FROM generate_series(1, 3) AS n`,
      [companyId, propertyId],
    );
    const goods = await client.query<{ id: number }>(
      `INSERT INTO goods (company_id, name, short_details, details, price_e2, type, sku, updated_at)
       SELECT $1, 'Cart good ' || n, 'a', 'a', 100 + n, 0, 'C-' || n, now() FROM generate_series(1, ${ITEMS}) AS n RETURNING id`,
      [companyId],
    );
    await client.query(
      `INSERT INTO good_properties (company_id, good_id, property_id, display_name, options, in_order, updated_at)
       SELECT $1, id, $2, 'Size', 256, 1, now() FROM unnest($3::int[]) AS id`,
      [companyId, propertyId, goods.rows.map(({ id }) => id)],
    );
    const cartId = await one("INSERT INTO carts (company_id, updated_at) VALUES ($1, now()) RETURNING id", [
      companyId,
    ]);
    let itemId = 0;
    for (const { id: goodId } of goods.rows) {
      const extras = [{ propertyId, value: "Option 2" }];
      const variables = { c: companyId, cart: cartId, input: { goodId, quantity: 2, extras } };
      const answer = await fetch(`${gateway.url}/graphql`, {
        method: "POST",
        headers: headersOf(token),
        body: JSON.stringify({ query: ADD, variables }),
      });
      const body = (await answer.json()) as { data?: { createCartItem: { id: number } | null } };
      if (body.data?.createCartItem == null) throw new Error(`no cart item: ${JSON.stringify(body)}`);
      itemId = body.data.createCartItem.id;
    }
    return { companyId, cartId, itemId };
  } finally {
    await client.end();
  }
}
