import { adminNamed } from "../admins/people.js";
import { makeKey } from "../api-keys/keys.js";
import { createTwoShops, type TwoShops } from "../bounds/two-shops.js";
import { dataOf, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { deliveries, letPass, send } from "./sending.js";
import { asking, webhookOf } from "./webhooks.js";

const ROLES = ["access_webhooks", "can_edit_webhooks", "access_goods", "access_carts"] as const;
const LIST = `query ($companyId: Int!, $webhookId: Int!) {
  webhookDeliveries(companyId: $companyId, webhookId: $webhookId) { nodes { event entityId status attempts error finishedAt } } }`;
const REDELIVER = `mutation ($companyId: Int!, $deliveryId: SafeInt!) {
  redeliver(companyId: $companyId, deliveryId: $deliveryId) { status } }`;
const UNREADABLE = "was not sent: the author may not read it any more";

let receiver: Receiver;
let gateway: Gateway;
let shops: TwoShops;
let author: Client;
let typeId: number;
let webhookId: number;
const company = () => ({ id: shops.companyId, owner: shops.owner, ownerId: shops.ownerId });
const ask = asking(company);
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: receiver.host } });
});
beforeEach(async () => {
  shops = await createTwoShops(gateway);
  const { id, client } = await adminNamed(gateway, shops.companyId, ...ROLES);
  author = client;
  const where = { companyId: shops.companyId, id };
  typeId = (await gateway.db.admin.findFirstOrThrow({ where })).adminTypeId as number;
  await journalShowsAll(gateway);
  receiver.answers(() => 500);
  const made = await ask.create({ url: receiver.url, types: ["Good", "Order", "BranchGood"] }, author);
  webhookId = webhookOf(made)["id"] as number;
});
// Those of a test that has failed are not sent in the next one.
afterEach(() => gateway.db.webhook.deleteMany({ where: { companyId: shops.companyId } }));
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const run = async (call: string, variables: object = {}) =>
  dataOf(await shops.owner.run(call, { companyId: shops.companyId, ...variables }));
const setBounds = (branchGroupIds: number[]) =>
  run(
    `mutation ($companyId: Int!, $id: Int!, $input: UpdateAdminTypeInput!) {
      updateAdminType(companyId: $companyId, id: $id, input: $input) { id } }`,
    { id: typeId, input: { branchGroupIds } },
  );
const rename = (id: number, name: string) =>
  run(
    `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) {
      updateGood(companyId: $companyId, id: $id, input: $input) { id } }`,
    { id, input: { name } },
  );
const changeOrder = (id: number) =>
  run(
    `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
      updateOrder(companyId: $companyId, id: $id, input: $input) { id } }`,
    { id, input: { source: "desk" } },
  );
/** Lets the attempts that failed be due again, which succeed now. */
const sendAgain = async (): Promise<unknown[]> => {
  receiver.answers(() => 200);
  await letPass(gateway, company(), "5 seconds");
  await send(gateway);
  return receiver.received.map(({ body }) => [body.type, body.data["id"]]);
};
const list = async () =>
  (await run(LIST, { webhookId }))["webhookDeliveries"].nodes as Record<string, unknown>[];

describe("a message that waits", () => {
  it("of a row that its author reaches no more is given up, and is no failure", async () => {
    const { own, other } = shops;
    for (const id of [own.goodId, other.goodId]) await rename(id, "Lamp");
    await send(gateway);
    await setBounds([own.id]);

    const sent = await sendAgain();

    expect(sent).toEqual([["good.updated", own.goodId]]);
    expect(await list()).toEqual([
      {
        event: "good.updated",
        entityId: other.goodId,
        status: "dead",
        attempts: 1,
        error: UNREADABLE,
        finishedAt: expect.any(String),
      },
      expect.objectContaining({ entityId: own.goodId, status: "delivered", attempts: 2, error: null }),
    ]);
    const state = await gateway.db.webhookState.findFirstOrThrow({ where: { companyId: shops.companyId } });
    expect(state.failingSince).toBeNull();
    const { body } = await gateway.app.inject({ url: "/metrics" });
    expect(body).toMatch(/^gateway_webhook_messages\{state="dead"\} 0$/mu);
  });

  it("is sent when it is asked for again, once its author reaches the row", async () => {
    await rename(shops.other.goodId, "Lamp");
    await send(gateway);
    await setBounds([shops.own.id]);
    await sendAgain();
    const [waiting] = await deliveries(gateway, company());
    const deliveryId = Number(waiting?.id);
    await run(REDELIVER, { deliveryId });
    await send(gateway);
    const beyond = receiver.received.length;

    await setBounds([]);
    await run(REDELIVER, { deliveryId });
    await send(gateway);

    expect(beyond).toBe(0);
    expect(receiver.received.map(({ body }) => body.data["id"])).toEqual([shops.other.goodId]);
    expect(await list()).toMatchObject([{ status: "delivered", error: null }]);
  });

  it("of a type that its author may not read any more is given up, however many wait", async () => {
    const { own, other } = shops;
    await rename(own.goodId, "Lamp");
    for (const id of [own.orderId, other.orderId]) await changeOrder(id);
    await gateway.db.order.createMany({
      data: Array.from({ length: 20 }, () => ({
        companyId: shops.companyId,
        branchId: own.branchId,
        currencyIso: "USD",
      })),
    });
    await send(gateway, 3);
    await run(
      `mutation ($companyId: Int!, $id: Int!, $roles: [String!]!) {
        removeAdminTypeRoles(companyId: $companyId, adminTypeId: $id, input: $roles) { id } }`,
      { id: typeId, roles: ["access_carts"] },
    );

    const sent = await sendAgain();

    expect(sent).toEqual([["good.updated", own.goodId]]);
    const stored = await deliveries(gateway, company());
    expect(stored.filter(({ type }) => type === "Order")).toEqual(
      Array(22).fill(expect.objectContaining({ status: "dead", error: UNREADABLE })),
    );
  });

  it("of a row that is gone for good is sent when its author reached where it was", async () => {
    const { own, other } = shops;
    for (const { branchGoodId } of [own, other])
      await run(
        `mutation ($companyId: Int!, $id: Int!) { deleteBranchGood(companyId: $companyId, id: $id) { id } }`,
        { id: branchGoodId },
      );
    await send(gateway);
    await setBounds([own.id]);

    // The goods change along with what their branches have of them.
    expect((await sendAgain()).sort()).toEqual([
      ["branch_good.deleted", own.branchGoodId],
      ["good.updated", own.goodId],
    ]);
  });

  it("is kept for the next author when its key has expired, and the webhook is disabled", async () => {
    const { id, client } = await makeKey(gateway, shops.owner, shops.companyId, { roles: [...ROLES] });
    webhookOf(await ask.update(webhookId, { url: `${receiver.url}/key` }, client));
    await rename(shops.own.goodId, "Lamp");
    await send(gateway);
    await gateway.db.apiKey.updateMany({
      where: { companyId: shops.companyId, id },
      data: { expiresAt: new Date(Date.now() - 1_000) },
    });
    gateway.app.forLoops.runtime.roles.forgetCompany(shops.companyId);

    const expired = await sendAgain();
    const { webhook } = dataOf(await ask.read(webhookId)) as { webhook: object };
    await ask.update(webhookId, { url: receiver.url, isEnabled: true });
    await send(gateway);

    expect(expired).toEqual([]);
    expect(webhook).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(/^Its author is suspended/u),
    });
    expect(receiver.received.map(({ body }) => body.type)).toEqual(["good.updated"]);
  });
});
