import { setTimeout as sleep } from "node:timers/promises";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const TOTAL = 60_000;
const PROGRESS = `
  query Progress($companyId: Int!, $id: Int!) {
    coupon(companyId: $companyId, id: $id) { status generation { generated total } }
    couponCodes(companyId: $companyId, couponId: $id, first: 1) { totalCount }
  }`;

interface Progress {
  readonly coupon: { readonly status: string; readonly generation: { generated: number; total: number } };
  readonly couponCodes: { readonly totalCount: number };
}

describe("the making of codes, as an admin sees it", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database", worker: true });
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("is answered at once, shows how far it has come, and shows codes once they are all there", async () => {
    const created = await acme.owner.rest("POST", `/companies/${acme.id}/coupons`, {
      body: { name: "Sixty thousand", type: "personal", total_count: TOTAL, price_e2: 500 },
    });
    const { id } = created.body as { id: number };
    const ready = await acme.owner.rest("POST", `/companies/${acme.id}/coupons/${id}/set-ready`, {
      body: { coupon_length: 10 },
    });
    expect([ready.status, (ready.body as { status: string }).status]).toEqual([200, "generating"]);

    const seen: Progress[] = [];
    while (seen.at(-1)?.coupon.status !== "running") {
      seen.push(dataOf(await acme.owner.run(PROGRESS, { companyId: acme.id, id })) as Progress);
      await sleep(20);
    }

    const making = seen.filter(({ coupon }) => coupon.status === "generating");
    const steps = new Set(making.map(({ coupon }) => coupon.generation.generated));
    expect(steps.size).toBeGreaterThan(2);
    expect(making.every(({ coupon }) => coupon.generation.total === TOTAL)).toBe(true);
    // The two values are read one after the other.
    const shown = new Set(seen.map(({ couponCodes }) => couponCodes.totalCount));
    expect([...shown].filter((count) => count !== 0 && count !== TOTAL)).toEqual([]);
    expect(dataOf(await acme.owner.run(PROGRESS, { companyId: acme.id, id }))).toEqual({
      coupon: { status: "running", generation: { generated: TOTAL, total: TOTAL } },
      couponCodes: { totalCount: TOTAL },
    });
  });
});
