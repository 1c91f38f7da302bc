import {
  adminWith,
  createBranch,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import {
  dataOf,
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
} from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteClient(companyId: $companyId, id: $id) { id deletedAt } }`;
const RESTORE = `mutation ($companyId: Int!, $id: Int!) { restoreClient(companyId: $companyId, id: $id) { id deletedAt } }`;
const SHOW = `query ($companyId: Int!, $id: Int!, $withDeleted: Boolean) {
  client(companyId: $companyId, id: $id, withDeleted: $withDeleted) { id deletedAt } }`;
const LIST = `query ($companyId: Int!, $withDeleted: Boolean) {
  clients(companyId: $companyId, withDeleted: $withDeleted) { nodes { id } totalCount } }`;

let gateway: Gateway;
let company: TestCompany;
let id: number;
let client: Client;

beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());
beforeEach(async () => {
  company = await createCompany(gateway);
  ({ id, client } = await signedInClient(gateway, company.id));
});

const run = (document: string, variables: Record<string, unknown> = {}) =>
  company.owner.run(document, { companyId: company.id, id, ...variables });

it("keeps a deleted client, for those who ask for it", async () => {
  const deleted = dataOf(await run(DELETE))["deleteClient"];

  expect(deleted.deletedAt).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u);
  expect(errorCodes(await run(SHOW))).toEqual(["NOT_FOUND"]);
  expect(dataOf(await run(SHOW, { withDeleted: true }))["client"]).toEqual(deleted);
  expect(dataOf(await run(LIST))["clients"]).toEqual({ nodes: [], totalCount: 0 });
  expect(dataOf(await run(LIST, { withDeleted: true }))["clients"]).toEqual({
    nodes: [{ id }],
    totalCount: 1,
  });
});

it("refuses new links to a deleted client", async () => {
  await run(DELETE);

  const result = await run(
    `mutation ($companyId: Int!, $id: Int!) { createCart(companyId: $companyId, input: { clientId: $id }) { id } }`,
  );

  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual(["clientId:exists"]);
});

describe("carts of a client that is deleted or erased", () => {
  const CREATE_CART = `mutation ($companyId: Int!, $input: CreateCartInput!) { createCart(companyId: $companyId, input: $input) { id } }`;
  const UPDATE_CART = `mutation ($companyId: Int!, $cartId: Int!) { updateCart(companyId: $companyId, id: $cartId, input: { branchId: null }) { id } }`;
  const DELETE_CART = `mutation ($companyId: Int!, $cartId: Int!) { deleteCart(companyId: $companyId, id: $cartId) { id } }`;
  const ERASE = `mutation ($companyId: Int!, $id: Int!) { eraseClient(companyId: $companyId, clientId: $id) { id } }`;

  const cartWithRow = async () => {
    const companyId = company.id;
    const { id: branchId } = await createBranch(gateway, companyId);
    const { id: goodId } = await createGood(gateway, companyId);
    const { id: cartId } = await gateway.db.cart.create({ data: { companyId, clientId: id, branchId } });
    const path = `/companies/${companyId}/carts/${cartId}/cart-items`;
    const add = (by: Client) => by.rest("POST", path, { body: { good_id: goodId, quantity: 1 } });
    return { branchId, cartId, add, row: (await add(company.owner)).body };
  };
  const stored = () =>
    Promise.all([
      gateway.db.cart.findMany({ where: { companyId: company.id } }),
      gateway.db.cartItem.findMany({ where: { companyId: company.id } }),
    ]);

  it.each([
    ["deleted", DELETE],
    ["erased", ERASE],
  ])("are not written by one that is %s, while its token still counts", async (_state, end) => {
    const { branchId, cartId, add, row } = await cartWithRow();
    const forget = keepRemembered();
    const item = `/companies/${company.id}/cart-items/${row["id"] as number}`;
    const as = (document: string, variables: object = {}) =>
      client.run(document, { companyId: company.id, cartId, ...variables });
    dataOf(await as("query ($companyId: Int!) { carts(companyId: $companyId) { nodes { id } } }"));
    dataOf(await run(end));
    const before = await stored();

    const answers = [
      await as(CREATE_CART, { input: { branchId } }),
      await as(UPDATE_CART),
      await as(DELETE_CART),
    ];
    const added = await add(client);
    const rows = [
      await client.rest("PATCH", item, { body: { quantity: 2 } }),
      await client.rest("DELETE", item),
    ];
    forget();

    expect(answers.map(errorCodes)).toEqual(answers.map(() => ["UNAUTHENTICATED"]));
    expect([added.status, added.body["errors"]]).toEqual([401, undefined]);
    const ofRows = end === DELETE ? [401, 401] : [404, 404];
    expect(rows.map(({ status }) => status)).toEqual(ofRows);
    expect(await stored()).toEqual(before);
  });

  it("keep its id in rows that others write, which are its own again when it is restored", async () => {
    const { cartId, add } = await cartWithRow();
    await run(DELETE);

    const { status, body } = await add(company.owner);
    await run(RESTORE);
    const { body: rows } = await client.rest("GET", `/companies/${company.id}/carts/${cartId}/cart-items`);

    expect([status, body["snapshot"]]).toMatchObject([201, { client_id: id }]);
    expect(rows).toMatchObject([{ snapshot: { client_id: id } }, { snapshot: { client_id: id } }]);
  });
});

it("restores a deleted client, once", async () => {
  await run(DELETE);

  expect(dataOf(await run(RESTORE))["restoreClient"]).toEqual({ id, deletedAt: null });
  expect(errorCodes(await run(RESTORE))).toEqual(["INVALID_STATE"]);
  expect(errorCodes(await run(RESTORE, { id: 2_000_000_000 }))).toEqual(["NOT_FOUND"]);
});

it("needs can_edit_clients to restore", async () => {
  const reader = await adminWith(gateway, company.id, "access_clients");
  await run(DELETE);

  expect(errorCodes(await reader.run(RESTORE, { companyId: company.id, id }))).toEqual(["FORBIDDEN"]);
});
