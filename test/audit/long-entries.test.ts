import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";

interface Entry {
  changes: Record<string, [unknown, unknown]>;
}

describe("an entry of the audit trail", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: { RATE_LIMIT: "150" } });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const change = async (custom_json: object) => {
    const { status, headers } = await company.owner.rest("PATCH", `/companies/${company.id}`, {
      body: { custom_json },
    });
    return { status, left: Number(headers["ratelimit-remaining"]) };
  };
  const lastEntry = async () => {
    const [entry] = await gateway.db.$queryRaw<(Entry & { bytes: number })[]>`
      SELECT changes, octet_length(changes::text) AS bytes FROM audit_entries
       WHERE company_id = ${company.id} ORDER BY id DESC LIMIT 1`;
    return entry as Entry & { bytes: number };
  };
  const keys = (count: number, text: (key: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, key) => [`key${key}`, text(key)]));

  it.each([
    ["of many long values", 93, "x".repeat(9_900)],
    ["of values that need escapes", 40, '"\\'.repeat(3_000)],
    ["of letters with several bytes", 40, "漢字".repeat(2_400)],
  ])("has at most 64 KB %s", async (_what, count, text) => {
    await change(keys(count, () => `a${text}`));
    await change(keys(count, () => `b${text}`));

    const { changes, bytes } = await lastEntry();
    expect(bytes).toBeLessThanOrEqual(64_000);
    expect(Object.keys(changes)).toHaveLength(count);
    const [before, after] = changes["custom_json.key0"] as [Record<string, unknown>, Record<string, unknown>];
    const whole = Buffer.byteLength(JSON.stringify(`a${text}`));
    expect(before).toEqual({ cut: true, bytes: whole, start: expect.stringMatching(/^a/u) });
    expect(after).toEqual({ cut: true, bytes: whole, start: expect.stringMatching(/^b/u) });
  });

  it("shows keys that are too many under the name of their field", async () => {
    await change(keys(15_000, (key) => `a${key}`));
    await change(keys(15_000, (key) => `b${key}`));

    const { changes, bytes } = await lastEntry();
    expect(bytes).toBeLessThanOrEqual(64_000);
    expect(Object.keys(changes)).toEqual(["custom_json"]);
    const [before, after] = changes["custom_json"] as [Record<string, string>, Record<string, string>];
    expect([before["cut"], after["cut"]]).toEqual([true, true]);
    expect(before["start"]).toContain('"a1');
    expect(after["start"]).toContain('"b1');
  });

  it("costs 1 for each byte when it is longer than 4 KB", async () => {
    const text = unique();
    const short = await change({ text: text.padEnd(4_000, "x") });
    const long = await change({ text: text.padEnd(30_000, "y") });
    const { bytes } = await lastEntry();
    const next = await change({ text });

    expect([short.status, long.status, next.status]).toEqual([200, 200, 200]);
    expect(Math.floor(bytes / 1_000)).toBe(14);
    expect([short.left, long.left, next.left]).toEqual([149, 148, 148 - 14 - 1]);
  });
});
