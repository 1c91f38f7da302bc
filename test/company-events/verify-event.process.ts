import { seedHash } from "../../src/slices/company-events/draw.rules.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { runCommand, type CommandEnd } from "../support/run-command.js";
import { SEED, storeEvent } from "./events.js";

const CONFIG = {
  couponSeeds: [
    { maxCount: 2, winRate: 2, couponValueE2: 500 },
    { maxCount: 50, winRate: 3, couponValuePrc: 0.15, couponAppliesTo: "total" },
  ],
};

describe("npm run verify:event", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let id: number;
  beforeAll(async () => {
    gateway = await startGateway({ environment: { RATE_LIMIT: "0" } });
  });
  beforeEach(async () => {
    acme = await createCompany(gateway);
    ({ id } = await storeEvent(gateway, acme.id, "running", CONFIG));
    for (let player = 0; player < 8; player += 1) {
      const { client } = await signedInClient(gateway, acme.id);
      for (let shake = 0; shake < 3; shake += 1)
        await client.rest("GET", `/companies/${acme.id}/events/shake`);
    }
    await acme.owner.rest("POST", `/companies/${acme.id}/company-events/${id}/set-finished`);
  });
  afterAll(() => gateway.close());

  const verify = (...args: string[]): Promise<CommandEnd> =>
    runCommand("verify-event", args, { ...process.env, DATABASE_URL: gateway.url, LOG_LEVEL: "silent" });

  const key = () => ({ companyId: acme.id, companyEventId: id });

  it("says in a few lines that all is as it has to be", async () => {
    const draws = await gateway.db.companyEventDraw.findMany({ where: key() });
    const won = (place: number) => draws.filter((draw) => draw.place === place).length;

    const { code, stdout, stderr } = await verify(String(id), "--hash", seedHash(SEED));

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout.split("\n")).toEqual([
      expect.stringMatching(new RegExp(`^Event ${id}, "Event \\w+"$`, "u")),
      `Seed hash ${seedHash(SEED)}, published ${seedHash(SEED)}`,
      `${draws.length} draws of 8 clients replayed`,
      `Place 0, 1 in 2, at most 2: ${won(0)} due, ${won(0)} given`,
      `Place 1, 1 in 3, at most 50: ${won(1)} due, ${won(1)} given`,
      "Every prize that was due was given, and no other.",
      "",
    ]);
    expect(won(0)).toBe(2);
  });

  const db = () => gateway.db;
  const aDraw = (won: boolean) =>
    db().companyEventDraw.findFirstOrThrow({
      where: { ...key(), place: won ? { not: null } : null },
      orderBy: { id: "asc" },
    });
  const drawKey = (drawId: bigint) => ({ companyId_companyEventId_id: { ...key(), id: drawId } });

  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      "another seed",
      () =>
        db().companyEvent.update({
          where: { companyId_id: { companyId: acme.id, id } },
          data: { seed: new Uint8Array(32) },
        }),
      /was due/u,
    ],
    [
      "a win that was taken away",
      async () =>
        db().companyEventDraw.update({
          where: drawKey((await aDraw(true)).id),
          data: { place: null, prizeNumber: null, couponId: null },
        }),
      /no prize was given, a prize of place \d was due/u,
    ],
    [
      "a draw that was left out",
      async () => db().companyEventDraw.delete({ where: drawKey((await aDraw(false)).id) }),
      /next draw is number|draws are counted/u,
    ],
    [
      "a draw of another client",
      async () => {
        const stranger = await signedInClient(gateway, acme.id);
        return db().companyEventDraw.update({
          where: drawKey((await aDraw(true)).id),
          data: { clientId: stranger.id },
        });
      },
      /is no player|draws are counted/u,
    ],
    [
      "a draw from before the start",
      async () =>
        db().companyEventDraw.update({
          where: drawKey((await aDraw(false)).id),
          data: { drawnAt: new Date(0) },
        }),
      /not drawn while the event ran/u,
    ],
    [
      "a coupon that is worth more",
      async () =>
        db().coupon.update({
          where: { companyId_id: { companyId: acme.id, id: (await aDraw(true)).couponId as number } },
          data: { priceE2: 50_000 },
        }),
      /its coupon is not the one that was due/u,
    ],
    [
      "a coupon without a draw",
      () =>
        db().coupon.create({
          data: { companyId: acme.id, type: "personal", totalCount: 1, companyEventId: id },
        }),
      /coupons come from the event/u,
    ],
    [
      "a counter that says otherwise",
      () => db().companyEventPrize.updateMany({ where: { ...key(), place: 1 }, data: { wonCount: 50 } }),
      /place 1: 50 of 50 were given/u,
    ],
    [
      "odds that were changed afterwards",
      () =>
        db().companyEvent.update({
          where: { companyId_id: { companyId: acme.id, id } },
          data: {
            config: { couponSeeds: CONFIG.couponSeeds.map((seed) => ({ ...seed, winRate: 1_000_000 })) },
          },
        }),
      /no prize was due/u,
    ],
  ])("finds %s", async (_, tamper, told) => {
    await tamper();

    const { code, stdout, stderr } = await verify(String(id), "--company", String(acme.id));

    expect(code).toBe(1);
    expect(stderr).toMatch(/^\d+ differences?:\n- /u);
    expect(stderr).toMatch(told);
    expect(stdout).not.toContain("Every prize");
  });

  it("finds that the seed is not the one that was published", async () => {
    const { code, stderr } = await verify(String(id), "--hash", seedHash(new Uint8Array(32)));

    expect([code, stderr]).toEqual([1, "The seed is not the one whose hash was published.\n"]);
  });

  it("refuses an event that is not finished, or not there", async () => {
    const { id: running } = await storeEvent(gateway, acme.id, "running", CONFIG);

    expect(await verify(String(running))).toMatchObject({
      code: 1,
      stderr: "The event is running: its seed is a secret until it is finished.\n",
    });
    expect(await verify("999999")).toMatchObject({ code: 1, stderr: "There is no event 999999.\n" });
    expect(await verify()).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Usage: /u) });
  });
});
