import { webhookSender } from "../../src/slices/webhooks/webhook-sender.js";
import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { beginLoop } from "../support/jobs.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { deliveries, journalShowsAll, letPass, send } from "./sending.js";
import { asking } from "./webhooks.js";

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
  receiver.answers(() => 200);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const ids = (): unknown[] => receiver.received.map(({ body }) => body.data["id"]);

describe("sending", () => {
  it("has so many places for a company, whose slow receiver holds nobody up", async () => {
    await ask.create({ url: `${receiver.url}/slow`, types: ["Good"] });
    for (let n = 0; n < 12; n += 1) await createGood(gateway, company.id);
    const slow = company;
    company = await createCompany(gateway);
    await ask.create({ url: `${receiver.url}/quick`, types: ["Good"] });
    const { id } = await createGood(gateway, company.id);
    const waiting: (() => void)[] = [];
    receiver.answers(({ path }) =>
      path === "/hook/quick" ? 200 : new Promise((resolve) => waiting.push(() => resolve(200))),
    );
    const run = beginLoop(webhookSender, gateway.database, gateway.app.forLoops);

    await journalShowsAll(gateway);
    await run.look();
    while (waiting.length < 8 || !ids().includes(id)) await new Promise(setImmediate);
    await run.look();
    const atOnce = waiting.length;
    receiver.answers(() => 200);
    for (const answer of waiting) answer();
    await run.settled();
    await send(gateway, 2);

    expect(atOnce).toBe(8);
    expect((await deliveries(gateway, slow)).map(({ status, attempts }) => [status, attempts])).toEqual(
      Array(12).fill(["delivered", 1]),
    );
  });

  it("goes on after a process that was killed, with what it had not recorded", async () => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    const { id } = await createGood(gateway, company.id);
    await send(gateway);
    await gateway.db.$executeRaw`
      UPDATE webhook_deliveries SET status = 'pending', finished_at = NULL, next_at = now() + interval '45 seconds'
       WHERE company_id = ${company.id}`;
    await company.owner.rest("PATCH", `/companies/${company.id}/goods/${id}`, { body: { name: "Later" } });

    await send(gateway, 2);
    const whileLeased = receiver.received.length;
    await letPass(gateway, company, "46 seconds");
    await send(gateway, 2);

    expect(whileLeased).toBe(1);
    expect(receiver.received.map(({ body }) => body.type)).toEqual([
      "good.created",
      "good.created",
      "good.updated",
    ]);
    expect((await deliveries(gateway, company)).map(({ attempts }) => attempts)).toEqual([2, 1]);
  });

  it("of several processes at once makes each message once", async () => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    for (let n = 0; n < 20; n += 1) await createGood(gateway, company.id);

    await Promise.all(Array.from({ length: 4 }, () => send(gateway, 4)));
    await send(gateway, 2);

    expect(receiver.received).toHaveLength(20);
    expect(new Set(ids()).size).toBe(20);
  });

  it("makes few messages ahead for a receiver that is away, and loses none", async () => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    receiver.answers(() => 500);
    await gateway.db.$executeRaw`
      INSERT INTO journal_entries (company_id, transaction, at, type, action, entity_id, fields)
      SELECT ${company.id}::int, pg_current_xact_id()::text::bigint, now(), 'Good', 'updated', n, '{}'
        FROM generate_series(1, 1500) AS n`;
    await send(gateway, 6);
    const ahead = await gateway.db.webhookDelivery.count({ where: { companyId: company.id } });
    receiver.answers(() => 200);
    await letPass(gateway, company, "5 seconds");
    await send(gateway, 10);

    expect(ahead).toBe(1_000);
    expect(new Set(ids()).size).toBe(1_500);
    expect(
      await gateway.db.webhookDelivery.count({ where: { companyId: company.id, status: "delivered" } }),
    ).toBe(1_500);
  });

  it("says that changes are lost which are not kept any more", async () => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    await gateway.db.$executeRaw`
      UPDATE webhook_states SET transaction = 3, entry_id = 1, entry_at = now() - interval '40 days',
             seen_at = now() - interval '40 days'
       WHERE company_id = ${company.id}`;
    await gateway.asOwner(
      "UPDATE journal_states SET purged_before = now() - interval '30 days' WHERE id = 1",
    );
    await createGood(gateway, company.id);

    await send(gateway);

    expect(await gateway.db.webhook.findFirst({ where: { companyId: company.id } })).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(/^Changes that it had still to send are not kept any more/u),
    });
    expect(receiver.received).toEqual([]);
  });
});
