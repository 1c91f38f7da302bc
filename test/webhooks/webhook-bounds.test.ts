import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { deliveries, letPass, send } from "./sending.js";
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

  it("sends eight at once of a company whose receivers are slow, and holds up no other", async () => {
    for (let n = 0; n < 3; n += 1) await ask.create({ url: receiver.url, types: ["Good"] });
    for (let n = 0; n < 10; n += 1) await createGood(gateway, company.id);
    const slow = company.id;
    company = await createCompany(gateway);
    await ask.create({ url: receiver.url, types: ["Good"] });
    await createGood(gateway, company.id);
    const atOnce: number[] = [];
    let going = 0;
    let openGate = (): void => undefined;
    const gate = new Promise<void>((resolve) => (openGate = resolve));
    let isOtherServed = false;
    // The slow ones are answered once eight of them wait and the other company has been served, whichever came first.
    const check = (): void => {
      if (isOtherServed && Math.max(0, ...atOnce) >= 8) setTimeout(openGate, 100);
    };
    receiver.answers(async ({ body }) => {
      if (body.data["company_id"] === slow) {
        atOnce.push((going += 1));
        check();
        await gate;
        going -= 1;
      } else {
        isOtherServed = true;
        check();
      }
      return 200;
    });

    await send(gateway, 3);

    expect(Math.max(...atOnce)).toBe(8);
    expect(atOnce).toHaveLength(30);
  });

  it("makes few messages ahead for a receiver that is away, and loses none", async () => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    receiver.answers(() => 500);
    // The transaction is that of the company's worker, where the database is distributed.
    await gateway.db.$executeRaw`
      INSERT INTO journal_entries (company_id, transaction, at, type, action, entity_id, fields)
      SELECT id, pg_current_xact_id()::text::bigint, now(), 'Good', 'updated', n, '{}'
        FROM companies, generate_series(1, 1500) AS n WHERE id = ${company.id}::int`;
    const ahead: number[] = [];
    for (let look = 0; look < 6; look += 1) {
      await send(gateway);
      ahead.push(await gateway.db.webhookDelivery.count({ where: { companyId: company.id } }));
      // None of them is due, so that there are places for others.
      await letPass(gateway, company, "-1 hour");
    }
    receiver.answers(() => 200);
    await letPass(gateway, company, "6 hours 5 seconds");
    await send(gateway, 10);

    expect(ahead).toEqual([250, 500, 750, 1_000, 1_000, 1_000]);
    expect(new Set(ids()).size).toBe(1_500);
    expect(
      await gateway.db.webhookDelivery.count({ where: { companyId: company.id, status: "delivered" } }),
    ).toBe(1_500);
  });

  it.each([
    ["are not kept any more", "purged_before = now() - interval '30 days'", 3],
    ["were in a database that was restored", "started_at = now() - interval '1 day'", 2 ** 40],
  ])("says that changes are lost which %s, and goes on from then", async (_, state, transaction) => {
    await ask.create({ url: receiver.url, types: ["Good"] });
    await gateway.db.$executeRaw`
      UPDATE webhook_states SET transaction = ${transaction}::bigint, entry_id = 1,
             entry_at = now() - interval '40 days', seen_at = now() - interval '40 days'
       WHERE company_id = ${company.id}`;
    await gateway.asOwner(`UPDATE journal_states SET ${state} WHERE id = 1`);
    await createGood(gateway, company.id);
    await send(gateway);
    const webhook = await gateway.db.webhook.findFirstOrThrow({ where: { companyId: company.id } });
    const early = receiver.received.length;
    await gateway.asOwner(
      "UPDATE journal_states SET purged_before = NULL, started_at = 'epoch' WHERE id = 1",
    );

    await ask.update(webhook.id, { isEnabled: true });
    const { id } = await createGood(gateway, company.id);
    await send(gateway);

    expect(webhook).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(/^Changes that it had still to send are not kept any more/u),
    });
    expect(early).toBe(0);
    expect(ids()).toEqual([id]);
  });
});
