import { setTimeout as rest } from "node:timers/promises";
import { COST_PER_REQUEST } from "../../src/engine/limits/rate-limiter.js";
import { createCouponRow } from "../support/coupons.js";
import { adminWith, createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const LIMIT = 20;
/** What is left of the minute in which the export begins. */
const WINDOW_MS = 4_000;
/** The rows cost more than a request, by one at least. */
const ROWS = 2 * COST_PER_REQUEST;

describe("an export that has used up the rate limit", () => {
  let gateway: Gateway;
  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: { RATE_LIMIT: String(LIMIT) } });
  });
  afterAll(() => gateway.close());

  it.each(["csv", "xlsx"])("waits for the next minute, and is whole then as %s", async (format) => {
    const { id: companyId } = await createCompany(gateway);
    const { id: couponId } = await createCouponRow(gateway, companyId, {
      status: "running",
      totalCount: ROWS,
    });
    await gateway.db.$executeRaw`
      INSERT INTO coupon_codes (company_id, coupon_id, code)
      SELECT ${companyId}::int, ${couponId}::int, 'C' || lpad(n::text, 8, '0') FROM generate_series(1, ${ROWS}::int) AS n`;
    const { token } = await adminWith(gateway, companyId, "access_coupons");
    const { id: adminId } = await gateway.db.admin.findFirstOrThrow({
      where: { companyId },
      orderBy: { id: "desc" },
    });
    const bucket = `rate:${companyId}:admin:${adminId}`;
    const counted = async () => {
      const [row] = await gateway.db.$queryRaw<{ count: number; resetsAt: Date }[]>`
        SELECT count, resets_at AS "resetsAt" FROM rate_limits WHERE bucket = ${bucket}`;
      return row as { count: number; resetsAt: Date };
    };
    // One request is left of this minute: the export itself.
    await gateway.db.$executeRaw`
      INSERT INTO rate_limits (bucket, count, resets_at)
      VALUES (${bucket}, ${LIMIT - 1}, now() + ${WINDOW_MS} * interval '1 millisecond')`;
    const { resetsAt } = await counted();

    let isDone = false;
    const exporting = gateway.app
      .inject({
        method: "GET",
        url: `/api/companies/${companyId}/coupons/${couponId}/codes?format=${format}`,
        headers: { authorization: `Bearer ${token}` },
      })
      .finally(() => (isDone = true));
    while ((await counted()).count <= LIMIT && !isDone) await rest(20);

    expect([isDone, (await counted()).resetsAt]).toEqual([false, resetsAt]);
    const { statusCode, body, rawPayload } = await exporting;
    const after = await counted();
    expect(statusCode).toBe(200);
    if (format === "csv") expect(body.trimEnd().split("\r\n")).toHaveLength(ROWS + 1);
    // The directory of a workbook stands at its end.
    else expect(rawPayload.includes("PK\u0005\u0006")).toBe(true);
    expect(after.resetsAt.getTime()).toBeGreaterThan(resetsAt.getTime());
    expect([after.count > 0, after.count <= LIMIT]).toEqual([true, true]);
  });
});
