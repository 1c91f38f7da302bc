import { addJob } from "../../../src/core/jobs/jobs.js";
import { createCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../../support/gateway.js";
import { createCoupon, inDays } from "../coupon-rows.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
afterAll(() => gateway.close());

it("removes what is kept of a list of codes 30 days after its end, and nothing else", async () => {
  const { db } = gateway;
  const acme = await createCompany(gateway);
  const { id: couponId } = await createCoupon(gateway, acme.id);
  const common = { companyId: acme.id, couponId, fileName: "codes.csv", format: "csv" };
  await db.couponCode.create({ data: { companyId: acme.id, couponId, code: "PARTNER1" } });
  const ends = [
    { status: "finished", finishedAt: inDays(-31), total: 1, added: 1 },
    { status: "failed", finishedAt: inDays(-30.01) },
    { status: "finished", finishedAt: inDays(-29.9) },
    { status: "running", createdAt: inDays(-40) },
  ];
  const ids: number[] = [];
  for (const end of ends) ids.push((await db.couponCodeUpload.create({ data: { ...common, ...end } })).id);

  await addJob({ db }, "removeOldUploads", {});
  await gateway.runJobs();

  const query =
    "query ($c: Int!, $id: Int!, $j: String!) { couponCodeUpload(companyId: $c, id: $id) { id } job(companyId: $c, id: $j) { state } }";
  const [first, second, ...others] = ids;
  for (const id of [first, second]) {
    const gone = await acme.owner.run(query, { c: acme.id, id, j: `coupon-code-upload-${id}` });
    expect(errorCodes(gone)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  }
  for (const id of others) {
    const kept = dataOf(await acme.owner.run(query, { c: acme.id, id, j: `coupon-code-upload-${id}` }));
    expect(kept["couponCodeUpload"]).toEqual({ id });
  }
  expect(await db.couponCode.count({ where: { companyId: acme.id, couponId } })).toBe(1);
});
