import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { type Client, type Gateway, wrongFields } from "../support/gateway.js";

/** A client with a cart at a branch that sells a good. */
export interface Shopping {
  readonly company: TestCompany;
  readonly client: Client;
  readonly clientId: number;
  readonly shopId: number;
  readonly branchId: number;
  readonly cartId: number;
  readonly goodId: number;
  readonly branchGoodId: number;
}

export async function goShopping(
  gateway: Gateway,
  {
    good = {},
    branchGood = {},
  }: { good?: Record<string, unknown>; branchGood?: Record<string, unknown> } = {},
): Promise<Shopping> {
  const { db } = gateway;
  const company = await createCompany(gateway);
  const companyId = company.id;
  const { id: clientId, client } = await signedInClient(gateway, companyId);
  const { id: shopId } = await createBranchGroup(gateway, companyId);
  const { id: branchId } = await createBranch(gateway, companyId, { branchGroupId: shopId });
  const { id: goodId } = await createGood(gateway, companyId, { branchGroupId: shopId, ...good });
  const { id: branchGoodId } = await db.branchGood.create({
    data: { companyId, branchId, goodId, ...branchGood },
  });
  const { id: cartId } = await db.cart.create({ data: { companyId, clientId, branchId } });
  return { company, client, clientId, shopId, branchId, cartId, goodId, branchGoodId };
}

/** Puts a good into a cart over REST. */
export function add(
  { company, client, cartId, goodId }: Shopping,
  body: Record<string, unknown> = {},
  caller: Client = client,
) {
  return caller.rest("POST", `/companies/${company.id}/carts/${cartId}/cart-items`, {
    body: { good_id: goodId, quantity: 1, ...body },
  });
}

/** A row of a cart as REST shows it, as far as the tests look at it. */
export interface ShownItem {
  readonly is_valid: boolean;
  readonly snapshot: {
    readonly total_price_e2: number;
    readonly original_total_e2: number;
    readonly promo_id: number | null;
  };
}

/** The rows of a cart over REST, newest first. */
export async function itemsOf(
  { company, client, cartId }: Pick<Shopping, "company" | "client" | "cartId">,
  query = "",
): Promise<ShownItem[]> {
  const { body } = await client.rest("GET", `/companies/${company.id}/carts/${cartId}/cart-items${query}`);
  return body as ShownItem[];
}

/** Gives a good a property of options. @returns its ids. */
export async function offerOptions(
  { db }: Gateway,
  { company, goodId }: Pick<Shopping, "company" | "goodId">,
  { mask = 0, prices }: { mask?: number; prices: readonly number[] },
): Promise<{ propertyId: number; goodPropertyId: number; optionIds: number[] }> {
  const companyId = company.id;
  const { id: propertyId } = await db.property.create({ data: { companyId, name: "Size", type: 0x100 } });
  const rows = await db.propertyOption.createManyAndReturn({
    data: prices.map((priceE2, n) => ({ companyId, propertyId, name: `Option ${n}`, priceE2, inOrder: n })),
    select: { id: true },
  });
  const { id: goodPropertyId } = await db.goodProperty.create({
    data: { companyId, goodId, propertyId, displayName: "Size", options: 0x100 | mask, inOrder: 1 },
  });
  return { propertyId, goodPropertyId, optionIds: rows.map(({ id }) => id) };
}

/** `field:rule` of every wrong field that an answer over REST names, sorted. */
export function wrongIn({ body }: { readonly body: Record<string, unknown> }): string[] {
  return wrongFields(body["errors"] as Parameters<typeof wrongFields>[0]);
}
