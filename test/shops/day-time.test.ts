import { isOpenAt } from "../../src/slices/shops/opening-hours.rules.js";
import { createBranch, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const DAY_TIME = `query ($companyId: Int!, $branchId: Int!, $updatedAt: DateTime) {
  dayTime(companyId: $companyId, branchId: $branchId, updatedAt: $updatedAt) { time date weekday timezone isOpen updatedAt }
}`;
/** Open the whole day, every day. */
const ALWAYS = Object.fromEntries(
  Array.from({ length: 7 }, (_, day) => [String(day), [{ from: "00:00", to: "23:59" }]]),
);

describe("opening hours", () => {
  const minute = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
  const night = {
    5: [
      { from: "09:00", to: "12:00" },
      { from: "18:00", to: "02:00" },
    ],
    6: [{ from: "20:00", to: "00:00" }],
  };

  it.each([
    [5, "08:59", false],
    [5, "09:00", true],
    [5, "11:59", true],
    [5, "12:00", false],
    [5, "18:00", true],
    [5, "23:59", true],
    [6, "01:59", true],
    [6, "02:00", false],
    [6, "20:00", true],
    [6, "23:59", true],
    [0, "00:00", false],
    [4, "01:00", false],
  ])("on weekday %d at %s: %s", (weekday, clock, open) => {
    expect(isOpenAt(night, { weekday, minute: minute(clock) })).toBe(open);
  });

  it("until 23:59 last until midnight, and with equal ends all day", () => {
    expect(isOpenAt(ALWAYS, { weekday: 3, minute: minute("23:59") })).toBe(true);
    expect(isOpenAt({ 1: [{ from: "07:00", to: "07:00" }] }, { weekday: 1, minute: 0 })).toBe(true);
    expect(isOpenAt({ 1: [{ from: "07:00", to: "07:00" }] }, { weekday: 2, minute: 0 })).toBe(false);
    // Saturday night ends on Sunday.
    expect(isOpenAt({ 6: [{ from: "22:00", to: "03:00" }] }, { weekday: 0, minute: 60 })).toBe(true);
  });
});

describe("dayTime", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let branchId: number;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { timeZoneOffset: "-04:00" });
    ({ id: branchId } = await createBranch(gateway, company.id, { updatedAt: new Date("2020-01-01") }));
    path = `/companies/${company.id}/branches/${branchId}/day-time`;
  });
  afterAll(() => gateway.close());

  const setBranch = (data: object) =>
    gateway.db.branch.update({ where: { companyId_id: { companyId: company.id, id: branchId } }, data });

  it.each([
    ["+14:00", "+14:00", 14 * 60],
    ["-11:30", "-11:30", -(11 * 60 + 30)],
    [null, "-04:00", -4 * 60],
  ])("answers day and time at a branch with the offset %s", async (timeZoneOffset, timezone, minutes) => {
    await setBranch({ timeZoneOffset, openingHours: ALWAYS });
    const localNow = () => new Date(Date.now() + minutes * 60_000);

    const before = localNow();
    const { status, body, headers } = await gateway.anonymous.rest("GET", path);
    const after = localNow();

    expect(status).toBe(200);
    const told = `${body.date} ${body.time}`;
    expect([before, after].map((moment) => moment.toISOString().slice(0, 16).replace("T", " "))).toContain(
      told,
    );
    expect([before.getUTCDay(), after.getUTCDay()]).toContain(body.weekday);
    expect(body).toMatchObject({ timezone, is_open: true });
    expect(headers["cache-control"]).toBe("public, max-age=5");
  });

  it("says whether the branch is open, as far as that is known", async () => {
    const isOpen = async () => (await gateway.anonymous.rest("GET", path)).body.is_open as boolean | null;
    const found = [await isOpen()];
    await setBranch({ openingHours: {} });
    found.push(await isOpen());
    await setBranch({ openingHours: ALWAYS });
    found.push(await isOpen());
    await setBranch({ enabled: false });
    found.push(await isOpen());

    expect(found).toEqual([null, false, true, false]);
  });

  it("answers 304 until the branch, or the company by whose offset it goes, has changed", async () => {
    const { body } = await gateway.anonymous.rest("GET", path);
    const since = `${path}?updated_at=${encodeURIComponent(body.updated_at)}`;
    const status = async (url = since) => (await gateway.anonymous.rest("GET", url)).status;
    const variables = { companyId: company.id, branchId, updatedAt: body.updated_at };
    expect(await status()).toBe(304);
    expect(dataOf(await gateway.anonymous.run(DAY_TIME, variables))["dayTime"]).toBeNull();

    await company.owner.rest("PATCH", `/companies/${company.id}`, { body: { time_zone_offset: "+01:00" } });
    const changed = await gateway.anonymous.rest("GET", since);
    expect([changed.status, changed.body.timezone]).toEqual([200, "+01:00"]);

    await setBranch({ timeZoneOffset: "+05:00" });
    const own = (await gateway.anonymous.rest("GET", path)).body.updated_at as string;
    await company.owner.rest("PATCH", `/companies/${company.id}`, { body: { name: "Other" } });
    expect(await status(`${path}?updated_at=${encodeURIComponent(own)}`)).toBe(304);
    expect(await status(`${path}?updated_at=2020-01-01`)).toBe(200);
  });

  it("knows no branch of another company", async () => {
    const other = await createCompany(gateway);
    const foreign = await createBranch(gateway, other.id);

    const rest = await gateway.anonymous.rest("GET", path.replace(String(branchId), String(foreign.id)));
    const graphql = await gateway.anonymous.run(DAY_TIME, { companyId: company.id, branchId: foreign.id });

    expect([rest.status, rest.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(errorCodes(graphql)).toEqual(["NOT_FOUND"]);
  });
});
