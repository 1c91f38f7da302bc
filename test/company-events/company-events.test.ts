import { setTimeout as sleep } from "node:timers/promises";
import { seedHash } from "../../src/slices/company-events/draw.rules.js";
import { expectRefused, type Refusal } from "../support/bounds.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { HOUR_MS, hoursFromNow, SEED, spoken, storeEvent } from "./events.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateCompanyEventInput!) {
  createCompanyEvent(companyId: $companyId, input: $input) { id }
}`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateCompanyEventInput!) {
  updateCompanyEvent(companyId: $companyId, id: $id, input: $input) { id }
}`;
const SET_READY = `mutation ($companyId: Int!, $id: Int!, $input: SetCompanyEventReadyInput) {
  setCompanyEventReady(companyId: $companyId, companyEventId: $id, input: $input) { id }
}`;

const LONG = "x".repeat(81);
const WHOLE = {
  name: "Summer drop",
  type: "coupon_gen",
  starts_at: "2035-06-01 12:00:00",
  ends_at: "2035-06-08T12:00:00Z",
  timezone: "-04:00",
  config: {
    coupon_seeds: [
      {
        max_count: 3,
        win_rate: 50,
        coupon_value_e2: 9_007_199_254_740_991,
        coupon_value_prc: 0.0375,
        coupon_min_purchase_e2: 1500,
        coupon_applies_to: "base_price",
        winner_message: "Jackpot!\nYours.",
        already_won_message: "One jackpot is enough.",
        available_since: "2035-06-02",
        available_until: "2035-06-03 00:00:00",
      },
      { max_count: 1, win_rate: 1 },
    ],
    expires_at: "2035-07-01",
    random_length: 1,
    winner_message: "Won",
    already_won_message: "Had won",
    loser_message: "Lost",
  },
};

describe("events of a company", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let path: string;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    acme = await createCompany(gateway, { timeZoneOffset: "+02:00" });
    path = `/companies/${acme.id}/company-events`;
  });
  afterAll(() => gateway.close());

  it("are created with everything, moments being shown in UTC", async () => {
    const { status, body, headers } = await acme.owner.rest("POST", path, { body: WHOLE });

    expect(status).toBe(201);
    expect(headers["location"]).toBe(`/api${path}/${body.id}`);
    expect(body).toEqual({
      id: expect.any(Number),
      name: "Summer drop",
      type: "coupon_gen",
      status: "pending",
      starts_at: "2035-06-01 16:00:00",
      ends_at: "2035-06-08 12:00:00",
      config: {
        ...WHOLE.config,
        coupon_seeds: [
          {
            ...WHOLE.config.coupon_seeds[0],
            available_since: "2035-06-02 04:00:00",
            available_until: "2035-06-03 04:00:00",
          },
          {
            max_count: 1,
            win_rate: 1,
            coupon_value_e2: null,
            coupon_value_prc: null,
            coupon_min_purchase_e2: null,
            coupon_applies_to: null,
            winner_message: null,
            already_won_message: null,
            available_since: null,
            available_until: null,
          },
        ],
        expires_at: "2035-07-01 04:00:00",
      },
      created_at: expect.any(String),
      updated_at: expect.any(String),
      version: 1,
      deleted_at: null,
    });
    expect((await acme.owner.rest("GET", `${path}/${body.id}`)).body).toEqual(body);
  });

  it("take times without an offset as the company's own, and need no more than a name and a type", async () => {
    const timed = { name: "A", type: "coupon_gen", starts_at: "2035-06-01 12:00:00" };

    const { body } = await acme.owner.rest("POST", path, { body: timed });
    const { body: bare } = await acme.owner.rest("POST", path, { body: { name: "A", type: "coupon_gen" } });

    expect(body.starts_at).toBe("2035-06-01 10:00:00");
    expect(bare).toMatchObject({ starts_at: null, ends_at: null });
    expect(bare.config).toEqual({
      coupon_seeds: [],
      expires_at: null,
      random_length: null,
      winner_message: null,
      already_won_message: null,
      loser_message: null,
    });
  });

  it("lose all of the config that is null", async () => {
    const config = { coupon_seeds: [{ max_count: 1, win_rate: 1 }], winner_message: "Hooray" };
    const { body } = await acme.owner.rest("POST", path, { body: { name: "A", type: "coupon_gen", config } });

    const change = `mutation ($c: Int!, $id: Int!) { updateCompanyEvent(companyId: $c, id: $id, input: { config: null }) {
      config { winnerMessage couponSeeds { maxCount } } } }`;
    const changed = await acme.owner.run(change, { c: acme.id, id: body.id });

    expect(dataOf(changed)["updateCompanyEvent"].config).toEqual({ winnerMessage: null, couponSeeds: [] });
    const again = await acme.owner.rest("PATCH", `${path}/${body.id}`, { body: { config } });
    const cleared = await acme.owner.rest("PATCH", `${path}/${body.id}`, { body: { config: null } });
    expect([again.body.config, cleared.status]).toEqual([body.config, 200]);
    expect(cleared.body.config).toMatchObject({ winner_message: null, coupon_seeds: [] });
  });

  it("change nothing when the config is sent back as it was answered", async () => {
    for (const config of [{}, { coupon_seeds: [{ max_count: 1, win_rate: 1 }], winner_message: "Hooray" }]) {
      const { body } = await acme.owner.rest("POST", path, {
        body: { name: "A", type: "coupon_gen", config },
      });

      const again = await acme.owner.rest("PATCH", `${path}/${body.id}`, { body: { config: body.config } });

      expect([again.status, again.body]).toEqual([200, body]);
    }
  });

  it("change nothing when the config of an earlier release is sent back, which kept keys with null", async () => {
    const seed = { maxCount: 1, winRate: 1, availableSince: null, availableUntil: null };
    const { id } = await storeEvent(gateway, acme.id, "pending", { couponSeeds: [seed] });
    const { body } = await acme.owner.rest("GET", `${path}/${id}`);

    const again = await acme.owner.rest("PATCH", `${path}/${id}`, { body: { config: body.config } });

    expect([again.status, again.body]).toEqual([200, body]);
  });

  const seeds = (...couponSeeds: object[]) => ({ config: { couponSeeds } });
  const seed = (change: object) => seeds({ maxCount: 1, winRate: 1, ...change });
  const FIELDS: readonly Refusal[] = [
    { change: { name: "" }, wrong: ["name:min_length"] },
    { change: { name: "x".repeat(65) }, wrong: ["name:max_length"] },
    { change: { name: "a\nb" }, wrong: ["name:control_characters"] },
    { change: { type: "raffle" }, wrong: ["type:enum"] },
    { change: { startsAt: "2020-01-01" }, wrong: ["startsAt:after"] },
    { change: { startsAt: "soon" }, wrong: ["startsAt:datetime"] },
    { change: { endsAt: "2020-01-01" }, wrong: ["endsAt:after"] },
    { change: { startsAt: "2035-01-02", endsAt: "2035-01-02" }, wrong: ["endsAt:after"] },
    { change: { startsAt: "2035-01-02", endsAt: "2035-01-01" }, wrong: ["endsAt:after"] },
    // 01:30 at +01:00 is 00:30 in UTC, so the event would end when it starts.
    {
      change: { startsAt: "2035-01-01T00:30:00Z", endsAt: "2035-01-01 01:30:00", timezone: "+01:00" },
      wrong: ["endsAt:after"],
    },
    { change: { timezone: "CET" }, wrong: ["timezone:offset"] },
    { change: { timezone: "+24:00" }, wrong: ["timezone:offset"] },
    { change: { config: { expiresAt: "2020-01-01" } }, wrong: ["config.expiresAt:after"] },
    { change: { config: { randomLength: 0 } }, wrong: ["config.randomLength:min"] },
    {
      change: { config: { winnerMessage: LONG, alreadyWonMessage: LONG, loserMessage: LONG } },
      wrong: [
        "config.winnerMessage:max_length",
        "config.alreadyWonMessage:max_length",
        "config.loserMessage:max_length",
      ],
    },
    {
      change: seed({ maxCount: 0, winRate: 0 }),
      wrong: ["config.couponSeeds[0].maxCount:min", "config.couponSeeds[0].winRate:min"],
    },
    {
      change: seed({ couponValueE2: -1, couponValuePrc: 1.01, couponMinPurchaseE2: -1 }),
      wrong: [
        "config.couponSeeds[0].couponValueE2:min",
        "config.couponSeeds[0].couponValuePrc:max",
        "config.couponSeeds[0].couponMinPurchaseE2:min",
      ],
    },
    { change: seed({ couponValuePrc: 0.00001 }), wrong: ["config.couponSeeds[0].couponValuePrc:decimals"] },
    { change: seed({ couponAppliesTo: "tip" }), wrong: ["config.couponSeeds[0].couponAppliesTo:enum"] },
    {
      change: seed({ winnerMessage: LONG, alreadyWonMessage: LONG }),
      wrong: [
        "config.couponSeeds[0].winnerMessage:max_length",
        "config.couponSeeds[0].alreadyWonMessage:max_length",
      ],
    },
    {
      change: seed({ availableSince: "2035-01-01", availableUntil: "2035-01-01" }),
      wrong: ["config.couponSeeds[0].availableUntil:after"],
    },
    {
      change: {
        name: "",
        startsAt: "2020-01-01",
        config: { expiresAt: "never", couponSeeds: [{ maxCount: 1, winRate: 0 }] },
      },
      wrong: [
        "name:min_length",
        "startsAt:after",
        "config.expiresAt:datetime",
        "config.couponSeeds[0].winRate:min",
      ],
    },
  ];

  it.each(FIELDS)("are not created with $change", async ({ change, wrong }) => {
    const faces = { graphql: CREATE, variables: { companyId: acme.id }, method: "POST" as const, path };

    await expectRefused(acme.owner, faces, { name: "A", type: "coupon_gen", ...change }, wrong);
  });

  it.each(FIELDS)("are not changed to $change", async ({ change, wrong }) => {
    const { id } = await storeEvent(gateway, acme.id, "pending");
    const faces = {
      graphql: UPDATE,
      variables: { companyId: acme.id, id },
      method: "PATCH" as const,
      path: `${path}/${id}`,
    };

    await expectRefused(acme.owner, faces, change, wrong);
  });

  it.each([
    [{}, ["name:required", "type:required"]],
    [
      { name: "A", type: "coupon_gen", config: { coupon_seeds: [{}] } },
      ["config.coupon_seeds[0].max_count:required", "config.coupon_seeds[0].win_rate:required"],
    ],
  ])("are not created from %j", async (body, wrong) => {
    const answer = await acme.owner.rest("POST", path, { body });

    expect(answer.status).toBe(422);
    expect(
      answer.body.errors.map(({ field, rule }: Record<string, string>) => `${field}:${rule}`).sort(),
    ).toEqual(wrong);
  });

  it("change in what is sent while they are pending, in their config too", async () => {
    const { body: before } = await acme.owner.rest("POST", path, { body: WHOLE });

    const { status, body } = await acme.owner.rest("PATCH", `${path}/${before.id}`, {
      body: { ends_at: null, config: { coupon_seeds: [{ max_count: 2, win_rate: 9 }], loser_message: null } },
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      ...before,
      ends_at: null,
      config: {
        ...before.config,
        coupon_seeds: [{ ...before.config.coupon_seeds[1], max_count: 2, win_rate: 9 }],
        loser_message: null,
      },
      updated_at: expect.any(String),
      version: 2,
    });
  });

  it("never end before they start, whichever of the two is sent", async () => {
    const { id } = await storeEvent(
      gateway,
      acme.id,
      "pending",
      {},
      {
        startsAt: hoursFromNow(2),
        endsAt: hoursFromNow(4),
      },
    );
    const send = (body: object) => acme.owner.rest("PATCH", `${path}/${id}`, { body });

    const late = await send({ starts_at: hoursFromNow(5).toISOString() });
    const early = await send({ ends_at: hoursFromNow(1).toISOString() });
    const readied = await acme.owner.rest("POST", `${path}/${id}/set-ready`, {
      body: { ends_at: hoursFromNow(1).toISOString() },
    });

    expect([late, early, readied].map(({ status }) => status)).toEqual([422, 422, 422]);
    expect([late, early, readied].map(({ body }) => body.errors[0])).toMatchObject([
      { field: "starts_at", rule: "before" },
      { field: "ends_at", rule: "after" },
      { field: "ends_at", rule: "after" },
    ]);
  });

  describe("set ready", () => {
    const ready = (id: number, body?: object) =>
      acme.owner.rest("POST", `${path}/${id}/set-ready`, body === undefined ? {} : { body });

    it("wait for their start, keep their prizes apart, and publish the hash of a seed that stays secret", async () => {
      const start = hoursFromNow(3);
      const config = {
        couponSeeds: [
          { maxCount: 5, winRate: 2 },
          { maxCount: 1, winRate: 9 },
        ],
      };
      const { id } = await storeEvent(gateway, acme.id, "pending", config, { startsAt: start });

      const { status, body } = await ready(id);
      const shown = await acme.owner.run(
        `query ($companyId: Int!, $id: Int!) { companyEvent(companyId: $companyId, id: $id) {
          seed seedHash prizes { place maxCount wonCount } } }`,
        { companyId: acme.id, id },
      );
      const row = await gateway.db.companyEvent.findFirstOrThrow({ where: { companyId: acme.id, id } });

      expect([status, body.status, body.starts_at]).toEqual([200, "ready", spoken(start)]);
      expect(row.seed).toHaveLength(32);
      expect(dataOf(shown)["companyEvent"]).toEqual({
        seed: null,
        seedHash: seedHash(row.seed as Uint8Array),
        prizes: [
          { place: 0, maxCount: 5, wonCount: 0 },
          { place: 1, maxCount: 1, wonCount: 0 },
        ],
      });
    });

    it("run at once without a start to come", async () => {
      const { id } = await storeEvent(gateway, acme.id, "pending");
      const { id: past } = await storeEvent(gateway, acme.id, "pending", {}, { startsAt: hoursFromNow(-9) });

      for (const one of [id, past]) {
        const { body } = await ready(one);

        expect(body.status).toBe("running");
        expect(Math.abs(Date.parse(`${body.starts_at}Z`) - Date.now())).toBeLessThan(60_000);
      }
    });

    it("lose times that are sent as null, and keep those that are absent", async () => {
      const passed = { startsAt: hoursFromNow(-9), endsAt: hoursFromNow(-1) };
      const toCome = { startsAt: hoursFromNow(3), endsAt: hoursFromNow(5) };
      const pending = async (times: typeof passed) =>
        (await storeEvent(gateway, acme.id, "pending", {}, times)).id;
      const row = (id: number) =>
        gateway.db.companyEvent.findFirstOrThrow({ where: { companyId: acme.id, id } });
      const [refused, open, atOnce] = [await pending(passed), await pending(passed), await pending(toCome)];
      const before = await row(refused);

      const withoutEnd = await ready(open, { ends_at: null });
      const withoutStart = await ready(atOnce, { starts_at: null });
      const kept = await ready(refused, { starts_at: null });

      expect(withoutEnd).toMatchObject({ status: 200, body: { status: "running", ends_at: null } });
      expect(withoutStart).toMatchObject({
        status: 200,
        body: { status: "running", ends_at: spoken(toCome.endsAt) },
      });
      expect(kept).toMatchObject({ status: 422, body: { errors: [{ field: "ends_at", rule: "after" }] } });
      expect(await row(refused)).toEqual(before);
      const byGraphql = await acme.owner.run(SET_READY, {
        companyId: acme.id,
        id: refused,
        input: { endsAt: null },
      });
      expect(errorCodes(byGraphql)).toEqual([]);
      expect(await row(refused)).toMatchObject({ status: "ready", endsAt: null });
    });

    it("take other times when they are sent, read where the sender is", async () => {
      const { id } = await storeEvent(gateway, acme.id, "pending", {}, { startsAt: hoursFromNow(1) });

      const { body } = await ready(id, {
        starts_at: "2035-01-01 00:00:00",
        ends_at: "2035-01-02",
        timezone: "+01:00",
      });

      expect(body).toMatchObject({
        status: "ready",
        starts_at: "2034-12-31 23:00:00",
        ends_at: "2035-01-01 23:00:00",
      });
    });

    it.each([
      { change: { startsAt: "2020-01-01" }, wrong: ["startsAt:after"] },
      { change: { endsAt: "2020-01-01" }, wrong: ["endsAt:after"] },
      { change: { startsAt: "2035-01-01", endsAt: "2035-01-01" }, wrong: ["endsAt:after"] },
      { change: { timezone: "CET" }, wrong: ["timezone:offset"] },
    ])("are not, with $change", async ({ change, wrong }) => {
      const { id } = await storeEvent(gateway, acme.id, "pending");
      const faces = {
        graphql: SET_READY,
        variables: { companyId: acme.id, id },
        method: "POST" as const,
        path: `${path}/${id}/set-ready`,
      };

      await expectRefused(acme.owner, faces, change, wrong);
    });

    it.each([{ couponSeeds: [] }, { couponSeeds: null }])(
      "are not with $couponSeeds to win",
      async (config) => {
        const { id } = await storeEvent(gateway, acme.id, "pending", config);
        const where = { where: { companyId: acme.id, id }, include: { prizes: true } };
        const before = await gateway.db.companyEvent.findFirstOrThrow(where);

        const { status, body } = await ready(id);

        expect([status, body.errors]).toMatchObject([
          422,
          [{ field: "config.coupon_seeds", rule: "required" }],
        ]);
        expect(await gateway.db.companyEvent.findFirstOrThrow(where)).toEqual(before);
      },
    );

    it("are not when their end has passed meanwhile", async () => {
      const { id } = await storeEvent(gateway, acme.id, "pending", {}, { endsAt: hoursFromNow(-1) });

      const { status, body } = await ready(id);

      expect([status, body.errors]).toMatchObject([422, [{ field: "ends_at", rule: "after" }]]);
    });
  });

  it("end when somebody says so, and tell their seed from then on", async () => {
    const { id } = await storeEvent(gateway, acme.id, "running", {}, { endsAt: hoursFromNow(5) });
    const seedOf = async () =>
      dataOf(
        await acme.owner.run(
          "query ($companyId: Int!, $id: Int!) { companyEvent(companyId: $companyId, id: $id) { seed } }",
          {
            companyId: acme.id,
            id,
          },
        ),
      )["companyEvent"].seed as string | null;

    const before = await seedOf();
    const { status, body } = await acme.owner.rest("POST", `${path}/${id}/set-finished`);

    expect([before, status, body.status]).toEqual([null, 200, "finished"]);
    expect(Math.abs(Date.parse(`${body.ends_at}Z`) - Date.now())).toBeLessThan(60_000);
    expect(await seedOf()).toBe(Buffer.from(SEED).toString("hex"));
  });

  it("change their stored status when they are due, a late job doing both at once", async () => {
    const begun = await storeEvent(gateway, acme.id, "pending");
    await acme.owner.rest("POST", `${path}/${begun.id}/set-ready`);
    const ending = await storeEvent(gateway, acme.id, "pending");
    await acme.owner.rest("POST", `${path}/${ending.id}/set-ready`);
    await gateway.db.companyEvent.update({
      where: { companyId_id: { companyId: acme.id, id: ending.id } },
      data: { endsAt: new Date() },
    });
    const waiting = await storeEvent(gateway, acme.id, "pending", {}, { startsAt: hoursFromNow(1) });
    await acme.owner.rest("POST", `${path}/${waiting.id}/set-ready`);

    await gateway.runJobs();

    const rows = await gateway.db.companyEvent.findMany({
      where: { companyId: acme.id, id: { in: [begun.id, ending.id, waiting.id] } },
      orderBy: { id: "asc" },
    });
    expect(rows.map(({ status }) => status)).toEqual(["running", "finished", "ready"]);
  });

  it("start and end by themselves", async () => {
    const busy = await startGateway({ on: gateway, worker: true });
    const soon = () => new Date(Date.now() + 2_000).toISOString();
    const begins = await storeEvent(gateway, acme.id, "pending");
    const ends = await storeEvent(gateway, acme.id, "pending");
    const setReady = async (id: number, body: object): Promise<string> =>
      (await acme.owner.rest("POST", `${path}/${id}/set-ready`, { body })).body.status;
    const before = [
      await setReady(begins.id, { starts_at: soon() }),
      await setReady(ends.id, { ends_at: soon() }),
    ];
    const statuses = async (): Promise<string[]> => {
      const where = { companyId: acme.id, id: { in: [begins.id, ends.id] } };
      return (await gateway.db.companyEvent.findMany({ where, orderBy: { id: "asc" } })).map(
        ({ status }) => status,
      );
    };

    // The time limit of the test ends the waiting for a status that never comes.
    while ((await statuses()).join() !== "running,finished") await sleep(20);
    await busy.close();

    expect(before).toEqual(["ready", "running"]);
  });

  it("are another company's or none: not found", async () => {
    const other = await createCompany(gateway);
    const { id } = await storeEvent(gateway, other.id, "running");

    const result = await acme.owner.run(UPDATE, { companyId: acme.id, id, input: { name: "" } });

    expect(errorCodes(result)).toEqual(["NOT_FOUND"]);
    expect((await acme.owner.rest("POST", `${path}/${id}/set-finished`)).status).toBe(404);
    expect((await acme.owner.rest("GET", `${path}/${id}`)).status).toBe(404);
  });

  it("come in lists, filtered and ordered, with their prizes when these are asked for", async () => {
    const other = await createCompany(gateway);
    const config = { couponSeeds: [{ maxCount: 4, winRate: 2 }] };
    const first = await storeEvent(gateway, other.id, "running", config, {
      startsAt: new Date(Date.now() - 5 * HOUR_MS),
    });
    // No job has noted these two; the status that counts now is shown all the same.
    const second = await storeEvent(gateway, other.id, "begun", config);
    await storeEvent(gateway, other.id, "ended");
    await storeEvent(gateway, other.id, "pending");

    const { body, headers } = await other.owner.rest(
      "GET",
      `/companies/${other.id}/company-events?filter[status]=running&sort=starts_at&load=prizes&fields=id,prizes&page=1`,
    );

    expect(headers["x-total-count"]).toBe("2");
    expect(body).toEqual([
      { id: first.id, prizes: [{ place: 0, max_count: 4, won_count: 0 }] },
      { id: second.id, prizes: [{ place: 0, max_count: 4, won_count: 0 }] },
    ]);
  });

  it("are found by type and by when they last changed, and come in that order", async () => {
    const other = await createCompany(gateway);
    const ids: number[] = [];
    for (const hours of [3, 1, 2]) {
      const { id } = await storeEvent(gateway, other.id, "pending", {}, { updatedAt: hoursFromNow(hours) });
      ids.push(id);
    }
    const [latest, earliest, middle] = ids;
    const ask = async (query: string) =>
      (await other.owner.rest("GET", `/companies/${other.id}/company-events?${query}`)).body.map(
        ({ id }: { id: number }) => id,
      );
    const since = hoursFromNow(1.5);

    expect(await ask("filter[type]=coupon_gen&sort=updated_at")).toEqual([earliest, middle, latest]);
    expect(await ask("filter[type][ne]=coupon_gen")).toEqual([]);
    expect(await ask(`filter[updated_at][gte]=${since.toISOString()}&sort=-updated_at`)).toEqual([
      latest,
      middle,
    ]);
    const result = await other.owner.run(
      `query ($companyId: Int!, $filter: CompanyEventFilterInput) {
        companyEvents(companyId: $companyId, filter: $filter, orderBy: [{ field: UPDATED_AT }]) { nodes { id } }
      }`,
      {
        companyId: other.id,
        filter: { type: { eq: "coupon_gen" }, updatedAt: { lt: since.toISOString() } },
      },
    );
    expect(dataOf(result)["companyEvents"].nodes).toEqual([{ id: earliest }]);
  });
});
