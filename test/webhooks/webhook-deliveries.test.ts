import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { journalShowsAll } from "../support/journal.js";
import { deliveries, letPass, send } from "./sending.js";
import { asking, webhookOf } from "./webhooks.js";

const LIST = `query ($companyId: Int!, $webhookId: Int!, $filter: WebhookDeliveryFilterInput) {
  webhookDeliveries(companyId: $companyId, webhookId: $webhookId, filter: $filter) {
    nodes { id messageId event entityId fields status attempts nextAttemptAt responseStatus responseBody error finishedAt }
  }
}`;
const REDELIVER = `mutation ($companyId: Int!, $deliveryId: SafeInt!) {
  redeliver(companyId: $companyId, deliveryId: $deliveryId) { id status attempts finishedAt nextAttemptAt }
}`;
const TEST = `mutation ($companyId: Int!, $webhookId: Int!) {
  sendTestEvent(companyId: $companyId, webhookId: $webhookId) { id event entityId status }
}`;

let receiver: Receiver;
let gateway: Gateway;
let company: TestCompany;
let goodId: number;
let webhookId: number;
const ask = asking(() => company);
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: receiver.host } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ({ id: goodId } = await createGood(gateway, company.id));
  await journalShowsAll(gateway);
  webhookId = webhookOf(await ask.create({ url: receiver.url, types: ["Good"] }))["id"] as number;
  receiver.answers(() => 200);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

/** What came for the company; messages of those before it may come again meanwhile. */
const received = () => receiver.received.filter(({ body }) => body.data["company_id"] === company.id);
const rename = (name: string) =>
  company.owner.rest("PATCH", `/companies/${company.id}/goods/${goodId}`, { body: { name } });
const list = async (filter: object | null = null): Promise<Record<string, any>[]> =>
  dataOf(await ask.run(LIST, { webhookId, filter }))["webhookDeliveries"].nodes as Record<string, any>[];

describe("the deliveries of a webhook", () => {
  it("are listed with what the receiver said, the latest first, by their status", async () => {
    receiver.answers(({ body }) => ({
      status: body.data["fields"].includes("name") ? 200 : 500,
      body: "x".repeat(3_000),
    }));
    await rename("One");
    await send(gateway);
    await company.owner.rest("PATCH", `/companies/${company.id}/goods/${goodId}`, { body: { price_e2: 7 } });
    await send(gateway);

    const all = await list();

    expect(all).toMatchObject([
      {
        event: "good.updated",
        entityId: goodId,
        fields: ["priceE2"],
        status: "pending",
        attempts: 1,
        responseStatus: 500,
        error: "answered 500",
        finishedAt: null,
      },
      {
        fields: ["name"],
        status: "delivered",
        attempts: 1,
        responseStatus: 200,
        responseBody: "x".repeat(1_024),
        error: null,
        nextAttemptAt: null,
      },
    ]);
    expect(all[0]?.["messageId"]).toBe(`msg_${all[0]?.["id"]}`);
    expect(await list({ status: { eq: "delivered" } })).toEqual([all[1]]);
  });

  it("are sent again under the same id when somebody asks", async () => {
    await rename("One");
    await send(gateway);
    const [delivered] = await list();

    const again = dataOf(await ask.run(REDELIVER, { deliveryId: delivered?.["id"] as number }))["redeliver"];
    await send(gateway);

    expect(again).toMatchObject({ id: delivered?.["id"], status: "pending", attempts: 0, finishedAt: null });
    expect(received().map(({ headers }) => headers["webhook-id"])).toEqual(
      Array(2).fill(delivered?.["messageId"]),
    );
    expect(await list()).toMatchObject([{ status: "delivered", attempts: 1 }]);
  });

  it("are sent at once when one that waits is asked for", async () => {
    receiver.answers(() => 500);
    await rename("One");
    await send(gateway);
    receiver.answers(() => 200);
    const [waiting] = await list();
    await send(gateway);
    const early = received().length;

    await ask.run(REDELIVER, { deliveryId: waiting?.["id"] as number });
    await send(gateway);

    expect([early, received().length]).toEqual([0, 1]);
    expect(await list()).toMatchObject([{ status: "delivered", attempts: 2 }]);
  });

  it("are not sent again while the webhook is disabled, nor by others", async () => {
    await rename("One");
    await send(gateway);
    const [delivered] = await deliveries(gateway, company);
    const reader = await adminWith(gateway, company.id, "access_webhooks");
    const other = await createCompany(gateway);
    await ask.update(webhookId, { isEnabled: false });
    const deliveryId = Number(delivered?.id);

    const refused = [
      await ask.run(REDELIVER, { deliveryId }),
      await ask.run(REDELIVER, { deliveryId }, reader),
      await other.owner.run(REDELIVER, { companyId: other.id, deliveryId }),
      await ask.run(TEST, { webhookId }, reader),
    ];

    expect(refused.map(errorCodes)).toEqual([["INVALID_STATE"], ["FORBIDDEN"], ["NOT_FOUND"], ["FORBIDDEN"]]);
    expect(await deliveries(gateway, company)).toEqual([delivered]);
  });

  it("have test events, of a disabled webhook once", async () => {
    const made = dataOf(await ask.run(TEST, { webhookId }))["sendTestEvent"];
    await send(gateway);
    const sent = received().map(({ body }) => body);
    await ask.update(webhookId, { isEnabled: false });
    receiver.answers(() => 500);
    await ask.run(TEST, { webhookId });
    await send(gateway);
    await letPass(gateway, company, "1 hour");
    await send(gateway);

    expect(made).toMatchObject({ event: "webhook.test", entityId: webhookId, status: "pending" });
    expect(sent).toMatchObject([
      { type: "webhook.test", data: { company_id: company.id, id: webhookId, fields: [] } },
    ]);
    expect(received()).toHaveLength(1);
    expect((await list()).map(({ status }) => status)).toEqual(["dead", "delivered"]);
  });

  it("are counted for operators", async () => {
    receiver.answers(() => 500);
    await ask.run(TEST, { webhookId });
    await ask.update(webhookId, { isEnabled: false });
    await send(gateway);

    const { body } = await gateway.app.inject({ url: "/metrics" });

    expect(body).toMatch(/^gateway_webhook_messages\{state="dead"\} [1-9]/mu);
    expect(body).toMatch(/^gateway_webhook_messages\{state="late"\} 0$/mu);
  });

  it("are removed a fortnight after their end", async () => {
    await rename("Old");
    await send(gateway);
    await rename("New");
    await send(gateway);
    const [old, recent] = await deliveries(gateway, company);
    await gateway.db.webhookDelivery.updateMany({
      where: { companyId: company.id, id: old?.id ?? 0n },
      data: { finishedAt: new Date(Date.now() - 15 * 24 * 3_600_000) },
    });
    await gateway.db.$executeRaw`SELECT graphile_worker.add_job('removeOldDeliveries', '{}')`;

    await gateway.runJobs();

    expect((await deliveries(gateway, company)).map(({ id }) => id)).toEqual([recent?.id]);
  });
});
