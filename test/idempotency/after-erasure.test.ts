import pg from "pg";
import { goShopping, type Shopping } from "../carts/carts.js";
import { createCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, saidBy, startGateway, type Gateway } from "../support/gateway.js";
import { untilLockWaits } from "../support/lock-waits.js";
import { newKey, runWithKey } from "./with-key.js";

let gateway: Gateway;
let shopping: Shopping;
beforeAll(async () => {
  // For the platform the erasures of all companies count, also those of other tests, of which the database may not know when they ended.
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shopping = await goShopping(gateway);
});
afterAll(() => gateway.close());

const ERASE = `mutation ($c: Int!, $id: Int!) { eraseClient(companyId: $c, clientId: $id) { id } }`;
const DELETE = `mutation ($c: Int!, $id: Int!) { deleteClient(companyId: $c, id: $id) { id } }`;
const GONE = "The request under this key took effect; its answer is gone";

const clientOf = (companyId: number, name = unique()) =>
  gateway.db.client.create({ data: { companyId, name } });
/** Erases a client of whom nothing else in these tests is. */
async function eraseSomebody(companyId = shopping.company.id): Promise<void> {
  const { id } = await clientOf(companyId);
  dataOf(await gateway.platform.run(ERASE, { c: companyId, id }));
}
const keyed = (key: string, query: string, id: number, by = shopping.company.owner) =>
  runWithKey(gateway, by, key, query, { c: shopping.company.id, id });

describe("an answer that was made after an erasure", () => {
  it("comes again over REST as it was, whatever became of its row", async () => {
    await eraseSomebody();
    const headers = { "idempotency-key": newKey() };
    const { company, client, cartId, goodId } = shopping;
    const path = `/companies/${company.id}`;
    const send = () =>
      client.rest("POST", `${path}/carts/${cartId}/cart-items`, {
        body: { good_id: goodId, quantity: 1 },
        headers,
      });
    const first = await send();
    const item = `${path}/cart-items/${first.body.id as number}`;

    await client.rest("PATCH", item, { body: { quantity: 2 } });
    const changed = await send();
    await client.rest("DELETE", item);
    const deleted = await send();

    expect(first.status).toBe(201);
    for (const again of [changed, deleted]) {
      expect([again.status, again.body]).toEqual([201, first.body]);
      expect(again.headers["idempotent-replayed"]).toBe("true");
    }
  });

  it("comes again to the platform, too, for whom the erasures of all companies count", async () => {
    await eraseSomebody();
    const { id } = await clientOf(shopping.company.id);
    const query = `mutation ($c: Int!, $id: Int!) { deleteClient(companyId: $c, id: $id) { id name } }`;
    const key = newKey();

    const first = await keyed(key, query, id, gateway.platform);
    const again = await keyed(key, query, id, gateway.platform);

    expect(dataOf(first.body)["deleteClient"].id).toBe(id);
    expect(saidBy(again.body)).toEqual(saidBy(first.body));
  });
});

describe("an answer from before an erasure", () => {
  it("comes again as it was when it holds ids, numbers and moments alone", async () => {
    const { company, clientId } = shopping;
    const [deleting, erasing, changing] = [newKey(), newKey(), newKey()];
    const { id } = await clientOf(company.id);
    const deleted = await keyed(deleting, DELETE, id);
    const erased = await keyed(erasing, ERASE, clientId);
    const query = `mutation ($c: Int!, $id: Int!) {
      updateClient(companyId: $c, id: $id, input: { name: "New" }) { __typename id version updatedAt city { id } } }`;
    const other = await clientOf(company.id);
    const updated = await keyed(changing, query, other.id);
    await eraseSomebody();
    await gateway.db.client.updateMany({
      where: { companyId: company.id, id: other.id },
      data: { name: "Newer" },
    });

    const again = [
      await keyed(deleting, DELETE, id),
      await keyed(erasing, ERASE, clientId),
      await keyed(changing, query, other.id),
    ];

    expect(erased.body.data.eraseClient).toEqual({ id: clientId });
    expect(again.map(({ body }) => saidBy(body))).toEqual(
      [deleted, erased, updated].map(({ body }) => saidBy(body)),
    );
    expect(again.map(({ headers }) => headers["idempotent-replayed"])).toEqual(["true", "true", "true"]);
  });

  it("is gone where its row is, which the request itself has deleted, or a later one", async () => {
    const { company, client, cartId, goodId } = shopping;
    const name = unique();
    const { id } = await clientOf(company.id, name);
    const query = `mutation ($c: Int!, $id: Int!) { deleteClient(companyId: $c, id: $id) { id name } }`;
    const [key, headers] = [newKey(), { "idempotency-key": newKey() }];
    const path = `/companies/${company.id}`;
    const send = () =>
      client.rest("POST", `${path}/carts/${cartId}/cart-items`, {
        body: { good_id: goodId, quantity: 1, notes: name },
        headers,
      });
    const deleted = await keyed(key, query, id);
    const added = await send();
    await eraseSomebody();
    await client.rest("DELETE", `${path}/cart-items/${added.body.id as number}`);

    const deletedAgain = await keyed(key, query, id);
    const addedAgain = await send();

    expect([deleted.body.data.deleteClient.name, added.body.notes]).toEqual([name, name]);
    expect(errorCodes(deletedAgain.body)).toEqual(["CONFLICT"]);
    expect(deletedAgain.body.errors[0].message).toContain(GONE);
    expect(addedAgain).toMatchObject({ status: 409, body: { code: "CONFLICT" } });
    expect(addedAgain.body.detail).toContain(GONE);
    expect(JSON.stringify([deletedAgain, addedAgain])).not.toContain(name);
    expect(await gateway.db.cartItem.count({ where: { companyId: company.id } })).toBe(0);
  });

  it("is read anew by the client itself, whose addresses are of a person as a whole", async () => {
    const { company, client, clientId } = shopping;
    const query = `mutation ($c: Int!, $id: Int!, $address: String!) {
      createClientAddress(companyId: $c, clientId: $id, input: { name: "Home", address: $address, latitudeE6: 1, longitudeE6: 1 }) {
        id latitudeE6 } }`;
    const variables = { c: company.id, id: clientId, address: unique() };
    const key = newKey();
    const first = await runWithKey(gateway, client, key, query, variables);
    const { id } = dataOf(first.body)["createClientAddress"];
    await gateway.asOwner("UPDATE client_addresses SET latitude_e6 = 2 WHERE company_id = $1 AND id = $2", [
      company.id,
      id,
    ]);
    await eraseSomebody();

    const again = await runWithKey(gateway, client, key, query, variables);

    expect(first.body.data.createClientAddress.latitudeE6).toBe(1);
    expect(again.body.data.createClientAddress).toEqual({ id, latitudeE6: 2 });
  });
});

it("tells nothing of who is erased while the answer is made, though the erasure began before", async () => {
  const { company, clientId, goodId } = shopping;
  const name = unique();
  await gateway.db.client.updateMany({ where: { companyId: company.id, id: clientId }, data: { name } });
  const create = (input: string) => `mutation ($c: Int!, $id: Int!) {
    createOrder(companyId: $c, input: { clientId: $id ${input} }) { id client { name } } }`;
  const variables = { c: company.id, id: clientId };
  const withLines = create(`items: [{ goodId: ${goodId}, quantity: 1 }]`);
  const { id: orderId } = dataOf(await company.owner.run(withLines, variables))["createOrder"];
  const holder = new pg.Client({ connectionString: gateway.url });
  await holder.connect();
  await holder.query("BEGIN");
  await holder.query("SELECT FROM orders WHERE company_id = $1 AND id = $2 FOR UPDATE", [
    company.id,
    orderId,
  ]);
  const erasing = company.owner.run(ERASE, { c: company.id, id: clientId });
  await untilLockWaits(gateway.url, 1);
  const key = newKey();
  // An order with lines would wait until its client is erased.
  const order = create("");

  const beside = await runWithKey(gateway, company.owner, key, order, variables);
  await holder.query("ROLLBACK");
  await holder.end();
  dataOf(await erasing);
  const again = await runWithKey(gateway, company.owner, key, order, variables);

  expect(dataOf(beside.body)["createOrder"].client).toEqual({ name });
  expect(again.body.data.createOrder.id).toBe(beside.body.data.createOrder.id);
  expect(JSON.stringify(again.body)).not.toContain(name);
});

it("asks no other company's erasures for a caller of one", async () => {
  const { company } = shopping;
  const { id } = await clientOf(company.id);
  const query = `mutation ($c: Int!, $id: Int!) { deleteClient(companyId: $c, id: $id) { id name } }`;
  const key = newKey();
  const first = await keyed(key, query, id);
  await eraseSomebody((await createCompany(gateway)).id);

  const again = await keyed(key, query, id);

  expect(saidBy(again.body)).toEqual(saidBy(first.body));
});
