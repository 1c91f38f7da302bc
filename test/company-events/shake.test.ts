import { createHash } from "node:crypto";
import { CODE_ALPHABET } from "../../src/slices/coupons/codes/random-code.js";
import { placesHit } from "../../src/slices/company-events/draw.rules.js";
import type { StoredEventConfig } from "../../src/slices/company-events/company-event-config.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { hoursFromNow, SEED, spoken, storeEvent } from "./events.js";

const SHAKE = `mutation ($companyId: Int!) {
  shake(companyId: $companyId) { won message code companyEventId drawNumber seedHash coupon { id } }
}`;
const ALWAYS: StoredEventConfig = { couponSeeds: [{ maxCount: 1_000_000, winRate: 1 }] };
const NEVER: StoredEventConfig = { couponSeeds: [], loserMessage: "Not this time." };
const MESSAGES = {
  winnerMessage: "You won.",
  alreadyWonMessage: "You had won.",
  loserMessage: "Not this time.",
};

describe("shaking", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let player: { id: number; client: Client };
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    acme = await createCompany(gateway);
    player = await signedInClient(gateway, acme.id);
  });
  afterAll(() => gateway.close());

  const path = () => `/companies/${acme.id}/events/shake`;
  const drawsOf = (companyEventId: number) =>
    gateway.db.companyEventDraw.findMany({
      where: { companyId: acme.id, companyEventId },
      orderBy: { id: "asc" },
    });

  it("loses without a prize, any number of times, and keeps each draw", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", NEVER);

    const { status, body } = await player.client.rest("GET", path());
    const second = dataOf(await player.client.run(SHAKE, { companyId: acme.id }))["shake"];

    expect([status, body]).toEqual([
      200,
      {
        ...{ won: false, message: "Not this time.", coupon: null, code: null },
        ...{ draw_number: 1, seed_hash: createHash("sha256").update(SEED).digest("hex") },
      },
    ]);
    expect(second).toMatchObject({ won: false, companyEventId: id, drawNumber: 2 });
    expect(await drawsOf(id)).toMatchObject([
      { clientId: player.id, number: 1, place: null, prizeNumber: null, couponId: null },
      { clientId: player.id, number: 2, place: null, prizeNumber: null, couponId: null },
    ]);
  });

  it("wins a coupon of the client's own that runs at once, with its one code", async () => {
    const expiresAt = hoursFromNow(24);
    const { id } = await storeEvent(gateway, acme.id, "running", {
      ...MESSAGES,
      expiresAt: expiresAt.toISOString(),
      couponSeeds: [
        {
          maxCount: 1,
          winRate: 1,
          couponValueE2: 1_250,
          couponValuePrc: 0.1,
          couponMinPurchaseE2: 5_000,
          couponAppliesTo: "total",
        },
      ],
    });

    const { status, body } = await player.client.rest("GET", path());

    expect(status).toBe(200);
    expect(body).toMatchObject({
      won: true,
      message: "You won.",
      coupon: {
        type: "personal",
        status: "running",
        price_e2: 1_250,
        price_prc: 0.1,
        min_purchase_e2: 5_000,
        applies_to: "total",
        // Clients see no counts.
        ...{ total_count: null, spent_count: null },
        ends_at: spoken(expiresAt),
        whitelist: [player.id],
      },
    });
    expect(body.code).toMatch(new RegExp(`^[${CODE_ALPHABET}]{8}$`, "u"));
    const coupon = await gateway.db.coupon.findFirstOrThrow({
      where: { companyId: acme.id, id: body.coupon.id },
      include: { codes: true },
    });
    expect(coupon).toMatchObject({
      companyEventId: id,
      generatedCount: 1,
      codes: [{ code: body.code, usedAt: null }],
    });
    expect(await drawsOf(id)).toMatchObject([
      { clientId: player.id, number: 1, place: 0, prizeNumber: 1, couponId: coupon.id },
    ]);
  });

  it("gives a code that can be checked and that is no good for others", async () => {
    await storeEvent(gateway, acme.id, "running", ALWAYS);
    const { body } = await player.client.rest("GET", path());
    const other = await signedInClient(gateway, acme.id);
    const check = (client: Client) =>
      client.rest("POST", `/companies/${acme.id}/coupons/check`, {
        body: { coupon_code: body.code, subtotal_e2: 1000 },
      });

    const [own, foreign] = [await check(player.client), await check(other.client)];

    expect([own.status, own.body.id]).toEqual([200, body.coupon.id]);
    expect([foreign.status, foreign.body.code]).toEqual([422, "COUPON_NOT_WHITELISTED"]);
  });

  it("wins once an event, and draws no more after that", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", { ...ALWAYS, ...MESSAGES });
    await player.client.rest("GET", path());

    const { body } = await player.client.rest("GET", path());
    const again = dataOf(await player.client.run(SHAKE, { companyId: acme.id }))["shake"];

    expect(body).toMatchObject({ won: false, message: "You had won.", coupon: null, code: null });
    expect(body.draw_number).toBeNull();
    expect(again).toMatchObject({ won: false, drawNumber: null });
    expect(await drawsOf(id)).toHaveLength(1);
    expect(await gateway.db.coupon.count({ where: { companyId: acme.id } })).toBe(1);
  });

  it("says what the coupon seed says, where it says something", async () => {
    await storeEvent(gateway, acme.id, "running", {
      ...MESSAGES,
      couponSeeds: [
        { maxCount: 9, winRate: 1, winnerMessage: "Jackpot!", alreadyWonMessage: "One is enough." },
      ],
    });

    const first = await player.client.rest("GET", path());
    const second = await player.client.rest("GET", path());

    expect([first.body.message, second.body.message]).toEqual(["Jackpot!", "One is enough."]);
  });

  it("tries the seeds in their order, leaving out what is gone or not there now", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", {
      couponSeeds: [
        { maxCount: 9, winRate: 1, availableUntil: hoursFromNow(-1).toISOString() },
        { maxCount: 9, winRate: 1, availableSince: hoursFromNow(1).toISOString() },
        { maxCount: 2, winRate: 1, availableSince: hoursFromNow(-1).toISOString() },
        { maxCount: 1, winRate: 1, availableUntil: hoursFromNow(1).toISOString() },
      ],
    });

    const won: unknown[] = [];
    for (let one = 0; one < 4; one += 1) {
      const { client } = await signedInClient(gateway, acme.id);
      won.push((await client.rest("GET", path())).body.won);
    }

    expect(won).toEqual([true, true, true, false]);
    expect((await drawsOf(id)).map(({ place, prizeNumber }) => [place, prizeNumber])).toEqual([
      [2, 1],
      [2, 2],
      [3, 1],
      [null, null],
    ]);
  });

  it("gives nothing any more once the coupons would have ended", async () => {
    await storeEvent(gateway, acme.id, "running", { ...ALWAYS, expiresAt: hoursFromNow(-1).toISOString() });

    const { body } = await player.client.rest("GET", path());

    expect([body.won, body.coupon]).toEqual([false, null]);
  });

  it("follows from the seed, the client and the number of the draw", async () => {
    const config = {
      couponSeeds: [
        { maxCount: 1_000, winRate: 7 },
        { maxCount: 1_000, winRate: 5 },
      ],
    };
    const { id } = await storeEvent(gateway, acme.id, "running", config);

    for (let number = 1; number <= 30; number += 1) {
      const { won } = dataOf(await player.client.run(SHAKE, { companyId: acme.id }))["shake"];
      const [place] = placesHit(
        config,
        SEED,
        { companyEventId: id, clientId: player.id, number },
        new Date(),
      );

      expect(won).toBe(place !== undefined);
      if (won !== true) continue;
      expect((await drawsOf(id)).at(-1)).toMatchObject({ number, place });
      break;
    }
  });

  it.each([
    [1, 5],
    [5, 5],
    [12, 12],
    [20, 20],
    [64, 20],
  ])("makes codes of 5 to 20 characters: for %i of %i", async (randomLength, characters) => {
    await storeEvent(gateway, acme.id, "running", { ...ALWAYS, randomLength });

    const { body } = await player.client.rest("GET", path());

    expect(body.code).toHaveLength(characters);
  });

  it("takes the event that started first, by the exact times", async () => {
    await storeEvent(gateway, acme.id, "ended", NEVER);
    await storeEvent(gateway, acme.id, "ready", NEVER);
    await storeEvent(gateway, acme.id, "running", NEVER, { startsAt: hoursFromNow(-1) });
    const first = await storeEvent(gateway, acme.id, "begun", NEVER, { startsAt: hoursFromNow(-2) });

    const { companyEventId } = dataOf(await player.client.run(SHAKE, { companyId: acme.id }))["shake"];

    expect(companyEventId).toBe(first.id);
  });

  it("goes on to the next event where nothing can be won any more, or not by the client", async () => {
    const oldest = async (hours: number, config: StoredEventConfig) =>
      (await storeEvent(gateway, acme.id, "running", config, { startsAt: hoursFromNow(-hours) })).id;
    const closed = { maxCount: 9, winRate: 1, availableUntil: hoursFromNow(-1).toISOString() };
    const other = await signedInClient(gateway, acme.id);
    const over = await oldest(5, { ...MESSAGES, couponSeeds: [closed] });
    const small = await oldest(4, { couponSeeds: [{ maxCount: 1, winRate: 1 }] });
    const large = await oldest(3, { couponSeeds: [{ maxCount: 2, winRate: 1 }] });
    const shaken = async (by: Client) => {
      const { won, companyEventId } = dataOf(await by.run(SHAKE, { companyId: acme.id }))["shake"];
      return [companyEventId, won];
    };

    expect(await shaken(player.client)).toEqual([small, true]);
    expect(await shaken(player.client)).toEqual([large, true]);
    expect(await shaken(player.client)).toEqual([over, false]);
    expect(await shaken(other.client)).toEqual([large, true]);
    expect(await shaken(other.client)).toEqual([over, false]);
    expect((await drawsOf(large)).map(({ clientId }) => clientId)).toEqual([player.id, other.id]);
  });

  it.each(["pending", "ready", "finished", "ended"] as const)(
    "is not possible while the only event is %s",
    async (stored) => {
      await storeEvent(gateway, acme.id, stored, ALWAYS);
      const other = await createCompany(gateway);
      await storeEvent(gateway, other.id, "running", ALWAYS);

      const answer = await player.client.rest("GET", path());
      const result = await player.client.run(SHAKE, { companyId: acme.id });

      expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
      expect(errorCodes(result)).toEqual(["NOT_FOUND"]);
      expect(await gateway.db.companyEventPlayer.count({ where: { companyId: acme.id } })).toBe(0);
    },
  );

  it("is for clients alone", async () => {
    await storeEvent(gateway, acme.id, "running", ALWAYS);

    const answers = await Promise.all([
      acme.owner.rest("GET", path()),
      gateway.platform.rest("GET", path()),
      gateway.anonymous.rest("GET", path()),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 401]);
    expect(await gateway.db.companyEventDraw.count({ where: { companyId: acme.id } })).toBe(0);
  });
});
