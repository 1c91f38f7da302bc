import { createHmac } from "node:crypto";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { type Received, type Receiver, startReceiver } from "./receiver.js";
import { journalShowsAll } from "../support/journal.js";
import { deliveries, letPass, send } from "./sending.js";
import { asking, webhookOf } from "./webhooks.js";

let receiver: Receiver;
let gateway: Gateway;
let company: TestCompany;
const ask = asking(() => company);
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: receiver.host } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  receiver.answers(() => 204);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const make = async (input: object = {}) => {
  await journalShowsAll(gateway);
  return webhookOf(await ask.create({ url: receiver.url, types: ["Good"], ...input }));
};
const rename = (id: number, name: string) =>
  company.owner.rest("PATCH", `/companies/${company.id}/goods/${id}`, { body: { name } });
const short = ({ body }: Received) => [body.type, body.data["id"], body.data["fields"]];

/** Judges as the published verifiers of Standard Webhooks do. */
function isSigned({ headers, text }: Received, secret: string): boolean {
  const content = [headers["webhook-id"], headers["webhook-timestamp"], text].join(".");
  const digest = createHmac("sha256", Buffer.from(secret.slice("whsec_".length), "base64"))
    .update(content)
    .digest("base64");
  return (headers["webhook-signature"] as string).split(" ").includes(`v1,${digest}`);
}

describe("a webhook", () => {
  it("is sent each change once, signed, in the order of its row", async () => {
    const { id: old } = await createGood(gateway, company.id);
    const { id: webhookId, secret } = await make();
    await rename(old, "First");
    await rename(old, "Second");
    const { id } = await createGood(gateway, company.id);
    await gateway.db.client
      .create({ data: { companyId: company.id, name: "No good" } as never })
      .catch(() => null);

    await send(gateway, 3);

    const { received } = receiver;
    expect(received.filter(({ body }) => body.data["id"] === old).map(short)).toEqual([
      ["good.updated", old, ["name"]],
      ["good.updated", old, ["name"]],
    ]);
    expect(received.filter(({ body }) => body.data["id"] === id).map(short)).toEqual([
      ["good.created", id, []],
    ]);
    expect(received).toHaveLength(3);
    expect(received.map((message) => isSigned(message, secret as string))).toEqual([true, true, true]);
    expect(received[0]?.body).toEqual({
      type: "good.updated",
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/u),
      data: { company_id: company.id, id: old, fields: ["name"] },
    });
    expect(received[0]?.headers).toMatchObject({ "content-type": "application/json" });
    expect(Math.abs(Number(received[0]?.headers["webhook-timestamp"]) * 1000 - Date.now())).toBeLessThan(
      60_000,
    );
    expect(await deliveries(gateway, company)).toMatchObject(
      received.map(() => ({ webhookId, status: "delivered", attempts: 1, responseStatus: 204, error: null })),
    );
  });

  it("is sent a change by the look that finds it, however many others of its company follow the type", async () => {
    const { id } = await createGood(gateway, company.id);
    const webhooks = Array.from({ length: 6 }, (_, number) => `${receiver.url}/${number}`);
    for (const url of webhooks) await make({ url });

    for (const name of ["First", "Second", "Third", "Fourth", "Fifth"]) {
      await rename(id, name);
      await send(gateway);
      expect(receiver.received.splice(0)).toHaveLength(webhooks.length);
    }
  });

  it("is signed by both secrets for a day after a rotation", async () => {
    const { id } = await createGood(gateway, company.id);
    const { id: webhookId, secret } = await make();
    const rotated = webhookOf(await ask.rotate(webhookId as number));
    await rename(id, "Within the day");
    await send(gateway);
    await letPass(gateway, company, "24 hours");
    await rename(id, "After it");
    await send(gateway);

    const signed = receiver.received.map((message) => [
      isSigned(message, rotated["secret"] as string),
      isSigned(message, secret as string),
    ]);

    expect(signed).toEqual([
      [true, true],
      [true, false],
    ]);
  });

  it("holds the changes of a row behind one that fails, not those of others", async () => {
    const [{ id: stuck }, { id: other }] = [
      await createGood(gateway, company.id),
      await createGood(gateway, company.id),
    ];
    await make();
    receiver.answers(({ body }) => (body.data["id"] === stuck ? { status: 500, body: "Not now" } : 200));
    await rename(stuck, "One");
    await rename(stuck, "Two");
    await rename(other, "Three");

    await send(gateway, 3);
    const whileStuck = receiver.received.map(short);
    const [first] = await deliveries(gateway, company);
    receiver.answers(() => 200);
    await letPass(gateway, company, "5 seconds");
    await send(gateway, 2);

    expect(whileStuck.map(([, id]) => id).sort()).toEqual([stuck, other].sort());
    expect(first).toMatchObject({
      status: "pending",
      attempts: 1,
      responseStatus: 500,
      responseBody: "Not now",
      error: "answered 500",
    });
    const pause = (first?.nextAt.getTime() ?? 0) - (first?.attemptedAt?.getTime() ?? 0);
    expect(pause).toBeLessThan(10_000);
    expect(receiver.received.map(short)).toEqual([
      ["good.updated", stuck, ["name"]],
      ["good.updated", stuck, ["name"]],
    ]);
    expect(receiver.received[0]?.headers["webhook-id"]).toBe(`msg_${first?.id}`);
    expect((await deliveries(gateway, company)).map(({ status }) => status)).toEqual(
      Array(3).fill("delivered"),
    );
  });

  it("is tried for three days with growing pauses, then the message is dead and the webhook disabled", async () => {
    const { id } = await createGood(gateway, company.id);
    const { id: webhookId } = await make();
    receiver.answers(() => 503);
    await rename(id, "Never");
    await send(gateway);
    const pauses: number[] = [];
    for (let tries = 0; tries < 60; tries += 1) {
      const [message] = await deliveries(gateway, company);
      if (message?.status !== "pending") break;
      const seconds = Math.ceil((message.nextAt.getTime() - Date.now()) / 1000);
      pauses.push(seconds);
      await letPass(gateway, company, `${Math.max(seconds, 1)} seconds`);
      await send(gateway);
    }

    const [message] = await deliveries(gateway, company);
    const webhook = await gateway.db.webhook.findFirstOrThrow({
      where: { companyId: company.id, id: webhookId as number },
    });
    expect(
      pauses.slice(0, 8).map((pause, i) => pause <= [5, 30, 120, 600, 1800, 3600, 7200, 14_400][i]!),
    ).toEqual(Array(8).fill(true));
    expect(pauses.slice(0, -1)).toEqual([...pauses.slice(0, -1)].sort((a, b) => a - b));
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(71 * 3600);
    expect(message).toMatchObject({ status: "dead", responseStatus: 503, attempts: pauses.length + 1 });
    expect(webhook).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(/^No message was delivered since \d{4}-/u),
    });

    await rename(id, "Later");
    receiver.answers(() => 200);
    await send(gateway);
    expect(receiver.received).toEqual([]);
    const enabled = webhookOf(await ask.update(webhookId as number, { isEnabled: true }));
    await send(gateway, 2);
    expect(enabled).toMatchObject({ isEnabled: true, disabledReason: null });
    expect(receiver.received.map(short)).toEqual([["good.updated", id, ["name"]]]);
  });

  it("is sent all that changed while its receiver was away for an hour, once and in the order of each row", async () => {
    const [{ id: first }, { id: second }] = [
      await createGood(gateway, company.id),
      await createGood(gateway, company.id),
    ];
    await make();
    receiver.answers(() => "broken");
    for (let minutes = 0; minutes < 60; minutes += 10) {
      await rename(first, `First ${minutes}`);
      await rename(second, `Second ${minutes}`);
      await send(gateway);
      await letPass(gateway, company, "10 minutes");
    }
    const waiting = await deliveries(gateway, company);
    receiver.answers(() => 200);
    // Each look sends the first message that waits of each row.
    await letPass(gateway, company, "2 hours");
    await send(gateway, 8);

    expect(waiting.map(({ status }) => status)).toEqual(Array(12).fill("pending"));
    expect(waiting[0]).toMatchObject({ responseStatus: null, error: expect.any(String) });
    for (const row of [first, second]) {
      const messages = receiver.received.filter(({ body }) => body.data["id"] === row);
      const made = waiting.filter(({ entityId }) => Number(entityId) === row);
      expect(messages.map(({ headers }) => headers["webhook-id"])).toEqual(made.map(({ id }) => `msg_${id}`));
    }
    expect((await deliveries(gateway, company)).map(({ status }) => status)).toEqual(
      Array(12).fill("delivered"),
    );
    const state = await gateway.db.webhookState.findFirstOrThrow({ where: { companyId: company.id } });
    expect(state.failingSince).toBeNull();
  });

  it("follows no redirect, and is not sent to an address that became private", async () => {
    const { id } = await createGood(gateway, company.id);
    const { id: webhookId } = await make();
    receiver.answers(() => ({ status: 302, headers: { location: receiver.url } }));
    await rename(id, "Elsewhere");
    await send(gateway);
    const [redirected] = await deliveries(gateway, company);
    await gateway.db.webhook.updateMany({
      where: { companyId: company.id, id: webhookId as number },
      data: { url: "https://127.0.0.1/hook" },
    });
    await letPass(gateway, company, "5 seconds");
    await send(gateway);
    const [refused] = await deliveries(gateway, company);

    expect(receiver.received).toHaveLength(1);
    expect([redirected?.error, redirected?.responseStatus]).toEqual([
      "answered 302; redirects are not followed",
      302,
    ]);
    expect([refused?.error, refused?.responseStatus, refused?.status, refused?.attempts]).toEqual([
      "is no public address of https",
      null,
      "pending",
      2,
    ]);
  });
});
