import { MAX_INT } from "../../../src/core/integers.js";
import { createCompany, type TestCompany } from "../../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway, type GraphqlResult } from "../../support/gateway.js";
import { sendGraphqlForm } from "../../files/uploads.js";
import { createCoupon, inState } from "../coupon-rows.js";
import { createOrder, runningCoupon } from "../running-coupon.js";

interface Upload {
  id: number;
  status: string;
  message: string | null;
  total: number;
  added: number;
  failed: number;
  errors: { line: number; rule: string; message: string }[];
}

const FIELDS =
  "id couponId status message fileName total added failed errors { line rule message } finishedAt";
const UPLOAD = `mutation ($companyId: Int!, $id: Int!, $input: UploadCouponCodesInput!) {
  uploadCouponCodes(companyId: $companyId, couponId: $id, input: $input) { ${FIELDS} }
}`;

let gateway: Gateway;
let acme: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  acme = await createCompany(gateway);
});
afterAll(() => gateway.close());

async function send(id: number, text: string, name = "codes.csv"): Promise<GraphqlResult> {
  const { body } = await sendGraphqlForm(gateway, acme.owner, {
    operations: JSON.stringify({
      query: UPLOAD,
      variables: { companyId: acme.id, id, input: { file: null } },
    }),
    map: JSON.stringify({ file: ["variables.input.file"] }),
    file: { bytes: Buffer.from(text), name, type: "text/csv" },
  });
  return body;
}

async function read(id: number): Promise<Upload> {
  const query = `query ($c: Int!, $id: Int!) { couponCodeUpload(companyId: $c, id: $id) { ${FIELDS} } }`;
  return dataOf(await acme.owner.run(query, { c: acme.id, id }))["couponCodeUpload"] as Upload;
}

async function upload(id: number, text: string, name?: string): Promise<Upload> {
  const sent = dataOf(await send(id, text, name))["uploadCouponCodes"] as Upload;
  expect(sent).toMatchObject({ status: "queued", total: 0, added: 0, errors: [] });
  await gateway.runJobs();
  return read(sent.id);
}

const stored = (id: number) => gateway.db.coupon.findFirstOrThrow({ where: { companyId: acme.id, id } });
const codesOf = async (couponId: number) =>
  (
    await gateway.db.couponCode.findMany({
      where: { companyId: acme.id, couponId },
      orderBy: { id: "asc" },
    })
  ).map(({ code }) => code);

describe("a partner's list of codes", () => {
  it("is added to a running coupon in its order, and its codes can be used", async () => {
    const { id } = await runningCoupon(gateway, acme.id, {
      type: "personal",
      totalCount: 1,
      generatedCount: 1,
    });
    const [first] = await codesOf(id);

    const done = await upload(id, 'Code\r\nzebra1\r\n\r\nAPPLE2\r\n"mango3"\r\n');

    expect(done).toMatchObject({ status: "finished", total: 3, added: 3, failed: 0, errors: [] });
    expect(await codesOf(id)).toEqual([first, "ZEBRA1", "APPLE2", "MANGO3"]);
    expect(await stored(id)).toMatchObject({ totalCount: 4, generatedCount: 4, status: "running" });
    const { id: orderId } = await createOrder(gateway, acme.id);
    const used = await acme.owner.run(
      "mutation ($c: Int!, $i: ConsumeCouponInput!) { consumeCoupon(companyId: $c, input: $i) { couponId } }",
      { c: acme.id, i: { code: "Apple2", orderId } },
    );
    expect(dataOf(used)["consumeCoupon"]).toEqual({ couponId: id });
    const { fileKey } = await gateway.db.couponCodeUpload.findFirstOrThrow({
      where: { companyId: acme.id, couponId: id },
    });
    expect(fileKey).toBeNull();
    const inTrail = { companyId: acme.id, targetType: "coupon_code_upload" };
    expect(await gateway.db.auditEntry.findMany({ where: inTrail })).toMatchObject([
      { operation: "uploadCouponCodes", action: "create", adminId: acme.ownerId },
    ]);
  });

  it("is added below a header that blank lines stand before", async () => {
    const { id } = await runningCoupon(gateway, acme.id, { type: "personal", totalCount: 0 });

    const done = await upload(id, "\n\nCode\nzebra1\ncode\n");

    const wrong = [{ line: 5, rule: "min", message: "must have at least 5 characters" }];
    expect(done).toMatchObject({ status: "finished", total: 2, added: 1, failed: 1, errors: wrong });
    expect(await codesOf(id)).toEqual(["ZEBRA1"]);
  });

  it("lists each wrong line, and adds all others", async () => {
    const { id } = await runningCoupon(gateway, acme.id, {
      type: "personal",
      totalCount: 0,
    });
    await runningCoupon(gateway, acme.id, { promoCode: "Summer26" });
    dataOf(await send(id, "EARLY1"));
    await gateway.runJobs();
    const lines = [
      "good11",
      "abc",
      "GOOD11",
      "with-dash",
      "SUMMER26",
      "early1",
      "A".repeat(21),
      "good22",
      "ÄÖÜÄÖÜ",
    ];

    const done = await upload(id, lines.join("\n"));

    expect(done).toMatchObject({ status: "finished", total: 9, added: 2, failed: 7 });
    expect(done.errors).toEqual([
      { line: 2, rule: "min", message: "must have at least 5 characters" },
      { line: 3, rule: "unique", message: "is the code of line 1" },
      { line: 4, rule: "pattern", message: "must have digits and ASCII letters alone" },
      { line: 5, rule: "unique", message: "is already a code of another coupon" },
      { line: 6, rule: "unique", message: "is already a code of this coupon" },
      { line: 7, rule: "max", message: "must have at most 20 characters" },
      { line: 9, rule: "pattern", message: "must have digits and ASCII letters alone" },
    ]);
    expect(await codesOf(id)).toEqual(["EARLY1", "GOOD11", "GOOD22"]);
    const again = await upload(id, lines.join("\n"));
    expect(again).toMatchObject({ added: 0, failed: 9 });
    expect(await stored(id)).toMatchObject({ totalCount: 3, generatedCount: 3 });
  });

  it("fills a pending coupon, whose other codes are made when it is set ready", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", totalCount: 2 });
    await upload(id, "PARTNER1\nPARTNER2");
    expect(await stored(id)).toMatchObject({ status: "pending", totalCount: 4, generatedCount: 2 });
    const path = `/companies/${acme.id}/coupons/${id}`;

    const fewer = await acme.owner.rest("PATCH", path, { body: { total_count: 1 } });
    expect([fewer.status, fewer.body.errors]).toMatchObject([422, [{ field: "total_count", rule: "min" }]]);
    expect((await acme.owner.rest("POST", `${path}/set-ready`)).status).toBe(200);
    await gateway.runJobs();

    expect(await stored(id)).toMatchObject({ status: "running", totalCount: 4, generatedCount: 4 });
    expect(await codesOf(id)).toHaveLength(4);
    expect((await codesOf(id)).slice(0, 2)).toEqual(["PARTNER1", "PARTNER2"]);
  });

  it("wants longer codes for gift cards", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "gift_card", totalCount: 0 });

    const done = await upload(id, "TENLETTERS\nTWELVELETTER", "codes.txt");

    expect(done.errors).toEqual([{ line: 1, rule: "min", message: "must have at least 12 characters" }]);
    expect(await codesOf(id)).toEqual(["TWELVELETTER"]);
  });

  it("is refused for other coupons and in other states", async () => {
    const coupons = [
      await runningCoupon(gateway, acme.id),
      await createCoupon(gateway, acme.id, { type: "personal", ...inState("finished") }),
      await createCoupon(gateway, acme.id, { type: "personal", ...inState("ready") }),
    ];

    for (const { id } of coupons) {
      expect(errorCodes(await send(id, "SOMECODE"))).toEqual(["INVALID_STATE"]);
    }
    const { id } = await createCoupon(gateway, acme.id, { type: "personal" });
    expect(errorCodes(await send(id, "SOMECODE", "codes.xlsx"))).toEqual(["VALIDATION_FAILED"]);
    expect(errorCodes(await send(id, ""))).toEqual(["VALIDATION_FAILED"]);
    expect(await gateway.db.couponCodeUpload.count({ where: { companyId: acme.id } })).toBe(0);
  });

  it("ends when its coupon is deleted", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", totalCount: 0 });
    const sent = dataOf(await send(id, "LATECODE"))["uploadCouponCodes"] as Upload;
    await acme.owner.rest("DELETE", `/companies/${acme.id}/coupons/${id}`);

    await gateway.runJobs();

    expect(await read(sent.id)).toMatchObject({
      status: "failed",
      message: "The coupon is finished or deleted.",
      added: 0,
    });
    expect(await codesOf(id)).toEqual([]);
  });

  it.each([
    ["the last two that a coupon can have", 2, { status: "finished", message: null, added: 2 }],
    ["one too many", 1, { status: "failed", message: "The coupon has too many codes.", added: 0 }],
  ])("may have %s", async (_, room, ending) => {
    const full = { totalCount: MAX_INT - room, generatedCount: MAX_INT - room };
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", ...full });

    const done = await upload(id, "LASTBUTONE\nLASTCODE");

    expect(done).toMatchObject(ending);
    expect(await codesOf(id)).toHaveLength(ending.added);
    expect((await stored(id)).totalCount).toBe(MAX_INT - room + ending.added);
  });

  it("is added once when its job runs more than once, and goes on where another process ended", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", totalCount: 0 });
    const codes = Array.from({ length: 12_000 }, (_, i) => `P${String(i).padStart(7, "0")}`);
    const sent = dataOf(await send(id, codes.join("\n")))["uploadCouponCodes"] as Upload;
    // This is what a process leaves that died after 7,000 lines.
    await gateway.db.couponCode.createMany({
      data: codes.slice(0, 7_000).map((code) => ({ companyId: acme.id, couponId: id, code })),
    });
    await gateway.db.coupon.update({
      where: { companyId_id: { companyId: acme.id, id } },
      data: { totalCount: 7_000, generatedCount: 7_000 },
    });
    await gateway.db.couponCodeUpload.update({
      where: { companyId_id: { companyId: acme.id, id: sent.id } },
      data: { status: "running", nextLine: 7_001, total: 7_000, added: 7_000 },
    });
    const payload = JSON.stringify({ companyId: acme.id, uploadId: sent.id });
    await gateway.db.$queryRaw`SELECT id FROM graphile_worker.add_job('addUploadedCodes', ${payload}::json)`;

    await Promise.all([gateway.runJobs(), gateway.runJobs()]);

    expect(await read(sent.id)).toMatchObject({
      status: "finished",
      total: 12_000,
      added: 12_000,
      failed: 0,
    });
    expect(await codesOf(id)).toEqual(codes);
    expect(await stored(id)).toMatchObject({ totalCount: 12_000, generatedCount: 12_000 });
    const job = await acme.owner.run(
      "query ($c: Int!, $j: String!) { job(companyId: $c, id: $j) { state done total } }",
      { c: acme.id, j: `coupon-code-upload-${sent.id}` },
    );
    expect(dataOf(job)["job"]).toEqual({ state: "done", done: 12_000, total: 12_000 });
  });

  it("is not made anew for a copy of the coupon, which makes as many codes as the original made", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", totalCount: 3 });
    await upload(id, "PRINTEDONE\nPRINTEDTWO");
    const run = async (document: string, name: string, couponId: number) =>
      dataOf(await acme.owner.run(document, { c: acme.id, id: couponId }))[name] as { id: number };

    const copied = await run(
      "mutation ($c: Int!, $id: Int!) { copyCoupon(companyId: $c, couponId: $id, input: {}) { id } }",
      "copyCoupon",
      id,
    );
    await run(
      "mutation ($c: Int!, $id: Int!) { setReady(companyId: $c, couponId: $id, input: {}) { id } }",
      "setReady",
      copied.id,
    );
    await gateway.runJobs();

    expect(await stored(id)).toMatchObject({ totalCount: 5, uploadedCount: 2 });
    expect(await stored(copied.id)).toMatchObject({ totalCount: 3, generatedCount: 3, uploadedCount: 0 });
    expect(await codesOf(copied.id)).toHaveLength(3);
  });

  it("lists the first thousand wrong lines and counts the others", async () => {
    const { id } = await createCoupon(gateway, acme.id, { type: "personal", totalCount: 0 });

    const done = await upload(id, `${"bad!\n".repeat(6_000)}GOODCODE`);

    expect([done.total, done.added, done.failed, done.errors.length]).toEqual([6_001, 1, 6_000, 1_000]);
    expect(done.errors.at(-1)).toMatchObject({ line: 1_000, rule: "pattern" });
  });
});
