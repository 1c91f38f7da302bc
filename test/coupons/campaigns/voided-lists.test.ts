import { createCompany, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../../support/gateway.js";
import { sendGraphqlForm } from "../../files/uploads.js";
import { createCoupon } from "../coupon-rows.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

describe("many coupons and codes at once", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const run = (document: string, variables: object) =>
    company.owner.run(document, { companyId: company.id, ...variables });
  const upload = async (couponId: number, text: string) => {
    const { body } = await sendGraphqlForm(gateway, company.owner, {
      operations: JSON.stringify({
        query: `mutation ($companyId: Int!, $id: Int!, $input: UploadCouponCodesInput!) {
          answer: voidUploadedCouponCodes(companyId: $companyId, couponId: $id, input: $input) { id action status } }`,
        variables: { companyId: company.id, id: couponId, input: { file: null } },
      }),
      map: JSON.stringify({ file: ["variables.input.file"] }),
      file: { bytes: Buffer.from(text), name: "codes.csv", type: "text/csv" },
    });
    return body;
  };

  it("voids the codes of a list, and lists the lines of those that stay", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id, {
      type: "personal",
      totalCount: 5,
      generatedCount: 5,
    });
    const [used, held, free, voided, last] = codes as [string, string, string, string, string];
    const mutate = async (name: string, input: object) =>
      run(
        `mutation ($companyId: Int!, $input: ${name[0]?.toUpperCase()}${name.slice(1)}Input!) {
          ${name}(companyId: $companyId, input: $input) { couponId } }`,
        { input },
      );
    for (const [name, code] of [
      ["consumeCoupon", used],
      ["holdCoupon", held],
    ] as const)
      dataOf(await mutate(name, { code, orderId: (await createOrder(gateway, company.id)).id }));
    dataOf(
      await run(
        `mutation ($companyId: Int!, $id: Int!, $codes: [String!]!) {
          voidCouponCodes(companyId: $companyId, couponId: $id, codes: $codes) { ok } }`,
        { id, codes: [voided] },
      ),
    );

    const sent = dataOf(
      await upload(id, ["code", used, held, free.toLowerCase(), voided, "NOSUCHCODE", free].join("\n")),
    );
    await gateway.runJobs();
    const read = await run(
      `query ($companyId: Int!, $id: Int!) { answer: couponCodeUpload(companyId: $companyId, id: $id) {
        status action total added failed errors { line rule } } }`,
      { id: sent["answer"].id },
    );

    expect(sent["answer"]).toMatchObject({ action: "void", status: "queued" });
    expect(dataOf(read)["answer"]).toEqual({
      ...{ status: "finished", action: "void", total: 6, added: 2, failed: 4 },
      errors: [
        { line: 2, rule: "used" },
        { line: 3, rule: "held" },
        { line: 6, rule: "exists" },
        { line: 7, rule: "unique" },
      ],
    });
    const stored = await gateway.db.couponCode.findMany({
      where: { companyId: company.id, couponId: id, voidedAt: { not: null } },
    });
    expect(stored.map(({ code }) => code).sort()).toEqual([free, voided].sort());
    expect(await gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id } })).toMatchObject({
      ...{ voidedCount: 2, spentCount: 1, heldCount: 1 },
    });
    const orderId = (await createOrder(gateway, company.id)).id;
    expect(errorCodes(await mutate("consumeCoupon", { code: free, orderId }))).toEqual(["COUPON_CODE_USED"]);
    expect(errorCodes(await mutate("consumeCoupon", { code: last, orderId }))).toEqual([]);
  });

  it("voids no promo code", async () => {
    const { id, codes } = await runningCoupon(gateway, company.id);

    expect(errorCodes(await upload(id, codes[0] as string))).toEqual(["INVALID_STATE"]);
  });

  it("sets coupons ready at times that are sent for all, or at each one's own", async () => {
    const own = { startsAt: new Date("2090-05-01T00:00:00Z"), endsAt: new Date("2090-06-01T00:00:00Z") };
    const ids: number[] = [];
    for (let n = 0; n < 3; n += 1)
      ids.push((await createCoupon(gateway, company.id, { type: "promo", priceE2: 100, ...own })).id);
    const [first, second, third] = ids as [number, number, number];
    const ready = `mutation ($companyId: Int!, $ids: [Int!]!, $startsAt: DateTime, $endsAt: DateTime) {
      setCouponsReady(companyId: $companyId, ids: $ids, startsAt: $startsAt, endsAt: $endsAt) { id ok error { code } } }`;
    const times = async (id: number) => {
      const { startsAt, endsAt } = await gateway.db.coupon.findFirstOrThrow({
        where: { companyId: company.id, id },
      });
      return [startsAt?.toISOString(), endsAt?.toISOString()];
    };

    const sent = await run(ready, {
      ids: [first, second],
      startsAt: "2090-01-01T00:00:00Z",
      endsAt: "2090-02-01T00:00:00Z",
    });
    const wrong = await run(ready, { ids: [third], startsAt: "2090-02-01", endsAt: "2090-01-01" });
    const alone = await run(ready, { ids: [third] });

    expect(dataOf(sent)["setCouponsReady"]).toEqual(
      [first, second].map((id) => ({ id, ok: true, error: null })),
    );
    for (const id of [first, second])
      expect(await times(id)).toEqual(["2090-01-01T00:00:00.000Z", "2090-02-01T00:00:00.000Z"]);
    expect(errorCodes(wrong)).toEqual(["VALIDATION_FAILED"]);
    expect(dataOf(alone)["setCouponsReady"]).toEqual([{ id: third, ok: true, error: null }]);
    expect(await times(third)).toEqual([own.startsAt.toISOString(), own.endsAt.toISOString()]);
  });
});
