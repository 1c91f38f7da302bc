import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCartInput!) {
  createCart(companyId: $companyId, input: $input) { id clientId } }`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateCartInput!) {
  updateCart(companyId: $companyId, id: $id, input: $input) { id clientId } }`;
const SHOW = `query ($companyId: Int!, $id: Int!) { cart(companyId: $companyId, id: $id) { id } }`;
const LIST = `query ($companyId: Int!) { carts(companyId: $companyId) { nodes { id } totalCount } }`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteCart(companyId: $companyId, id: $id) { id } }`;

let gateway: Gateway;
let company: TestCompany;
let mine: { id: number; client: Client };
let other: { id: number; client: Client };
let otherCart: { id: number };

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await createCompany(gateway);
  mine = await signedInClient(gateway, company.id);
  other = await signedInClient(gateway, company.id);
  otherCart = await gateway.db.cart.create({ data: { companyId: company.id, clientId: other.id } });
});

const run = (document: string, variables: Record<string, unknown> = {}) =>
  mine.client.run(document, { companyId: company.id, ...variables });

it("gives a client carts of its own", async () => {
  const cart = dataOf(await run(CREATE, { input: {} }))["createCart"];

  expect(cart.clientId).toBe(mine.id);
  expect(dataOf(await run(LIST))["carts"]).toEqual({ nodes: [{ id: cart.id }], totalCount: 1 });
  expect(dataOf(await run(DELETE, { id: cart.id }))["deleteCart"]).toEqual({ id: cart.id });
});

it("hides the carts of other clients and leaves them alone", async () => {
  const id = otherCart.id;

  expect(errorCodes(await run(SHOW, { id }))).toEqual(["NOT_FOUND"]);
  expect(errorCodes(await run(UPDATE, { id, input: { branchId: null } }))).toEqual(["NOT_FOUND"]);
  expect(errorCodes(await run(DELETE, { id }))).toEqual(["NOT_FOUND"]);
  expect(await gateway.db.cart.findFirst({ where: { companyId: company.id, id } })).toEqual(otherCart);
});

it("refuses to make or give away a cart for somebody else", async () => {
  const cart = dataOf(await run(CREATE, { input: { clientId: mine.id } }))["createCart"];

  const made = await run(CREATE, { input: { clientId: other.id } });
  const given = await run(UPDATE, { id: cart.id, input: { clientId: other.id } });
  const dropped = await run(UPDATE, { id: cart.id, input: { clientId: null } });

  for (const result of [made, given, dropped]) {
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["clientId:exists"]);
  }
  const where = { companyId: company.id, clientId: mine.id };
  expect(await gateway.db.cart.findMany({ where, select: { id: true } })).toEqual([{ id: cart.id }]);
});
