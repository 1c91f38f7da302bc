import { createSheets } from "../../src/engine/sheets/sheets.js";
import { removeFiles } from "../files/uploads.js";
import { createBranchGroup } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, readImport, send, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterEach(() => gateway.db.$executeRaw`DELETE FROM graphile_worker._private_jobs`);
afterAll(() => gateway.close());

const SHEET = csv(["sku", "name", "price"], ["A-1", "Water", "1.50"]);
const importsOf = ({ company }: Shop) => gateway.db.importJob.count({ where: { companyId: company.id } });
const filesOf = ({ company }: Shop) => gateway.db.storedFile.count({ where: { companyId: company.id } });
const inDays = (days: number): string =>
  new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 19).replace("T", " ");

describe("a sheet of which no column is known", () => {
  it("fails before its first row, and names the columns", async () => {
    const job = await importAll(shop, csv(["Foo", "Bar"], ["1", "2"], ["3", "4"]));

    expect(job).toMatchObject({
      status: "failed",
      message:
        "No header in row 1 is known: name the columns in the mapping, or take away the rows above the headers.",
      total_rows: 0,
      failed: 0,
      error_count: 0,
      errors: [],
      error_counts: [],
      ignored_columns: ["Foo", "Bar"],
      report_url: null,
    });
  });

  it("is read when the mapping names one by its letters", async () => {
    const job = await importAll(shop, csv(["Foo", "Bar"], ["Water", "2"]), {
      mapping: '["A=name","B=price"]',
    });

    expect([job.status, job.imported]).toEqual(["finished", 1]);
  });
});

it("keeps 10,000 errors and counts all by field and rule", async () => {
  const wrong = Array.from({ length: 10_050 }, (_, i) => [`A-${i}`, `Water ${i}`, "x"]);
  const nameless = Array.from({ length: 3 }, (_, i) => [`B-${i}`, "", "1"]);
  const sheet = csv(["sku", "name", "price"], ["A", "Tea", "1"], ...nameless, ...wrong);

  const job = await importAll(shop, sheet);

  const counts = [
    { field: "price", rule: "type", count: 10_050, first_row: 6 },
    { field: "name", rule: "required", count: 3, first_row: 3 },
  ];
  expect(job).toMatchObject({
    status: "finished",
    total_rows: 10_054,
    imported: 1,
    failed: 10_053,
    error_count: 10_053,
    error_counts: counts,
  });
  const where = { companyId: shop.company.id, importJobId: job.id as number };
  expect(await gateway.db.importError.count({ where })).toBe(10_000);
  expect(job.report_url).toEqual(expect.any(String));
  const { data } = await shop.company.owner.run(
    "query ($c: Int!, $id: Int!) { importJob(companyId: $c, id: $id) { errorCounts { field rule count firstRow } } }",
    { c: shop.company.id, id: job.id },
  );
  expect(data).toEqual({
    importJob: { errorCounts: counts.map(({ first_row: firstRow, ...rest }) => ({ ...rest, firstRow })) },
  });
}, 60_000);

describe("imports that wait", () => {
  it("are at most 20 of a company, scheduled and queued together", async () => {
    const other = await openShop(gateway);
    for (let i = 0; i < 18; i += 1)
      expect((await send(shop, SHEET, i % 2 === 0 ? {} : { send_at: inDays(1) })).status).toBe(202);

    const several = await Promise.all(Array.from({ length: 4 }, () => send(shop, SHEET)));

    expect(several.map(({ status }) => status).sort()).toEqual([202, 202, 429, 429]);
    const refused = several.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({
      code: "RATE_LIMITED",
      detail: "At most 20 imports of a company may wait; this would be one more.",
    });
    expect(refused?.headers["retry-after"]).toBe("60");
    expect(await importsOf(shop)).toBe(20);
    expect((await send(shop, SHEET)).status).toBe(429);
    expect((await send(other, SHEET)).status).toBe(202);
  });

  it("go with their shop, as their files do", async () => {
    const { company } = shop;
    const { id } = await createBranchGroup(gateway, company.id);
    const path = `/companies/${company.id}/branch-groups/${id}`;
    const job = await send(shop, SHEET, { send_at: inDays(1) }, { path: `${path}/goods/import` });
    const kept = () => gateway.db.storedFile.findMany({ where: { companyId: company.id } });
    const before = await kept();

    const deleted = await company.owner.run(
      `mutation { deleteBranchGroup(companyId: ${company.id}, id: ${id}) { id } }`,
    );

    const jobPath = `/companies/${company.id}/import-jobs/${job.body.id as number}`;
    expect(dataOf(deleted)["deleteBranchGroup"]).toEqual({ id });
    expect((await company.owner.rest("GET", jobPath)).status).toBe(404);
    expect([before, await kept()].map((files) => files.map(({ state }) => state))).toEqual([
      ["used"],
      ["unused"],
    ]);
    await removeFiles(gateway, company.id);
    expect(await kept()).toEqual([]);
  });

  it("of which one is canceled or done make room for another, and a refused file is not kept", async () => {
    const sent = [];
    for (let i = 0; i < 20; i += 1)
      sent.push((await send(shop, SHEET, { send_at: inDays(1) })).body.id as number);
    const files = await filesOf(shop);

    const refused = await send(shop, SHEET);

    expect([refused.status, await filesOf(shop), await importsOf(shop)]).toEqual([429, files, 20]);
    await shop.company.owner.run(
      "mutation ($c: Int!, $id: Int!) { cancelImport(companyId: $c, importJobId: $id) { id } }",
      { c: shop.company.id, id: sent[0] },
    );
    const taken = await importAll(shop, SHEET);
    expect([taken.status, taken.imported]).toEqual(["finished", 1]);
    expect((await send(shop, SHEET)).status).toBe(202);
  });
});

it("begins within a year", async () => {
  const late = await send(shop, SHEET, { send_at: inDays(366) });
  const zoned = await send(shop, SHEET, { send_at: inDays(365), send_at_timezone: "-12:00" });
  const fine = await send(shop, SHEET, { send_at: inDays(364) });

  expect([late.status, wrongFields(late.body.errors)]).toEqual([422, ["send_at:before"]]);
  expect([zoned.status, wrongFields(zoned.body.errors)]).toEqual([422, ["send_at:before"]]);
  expect([fine.status, fine.body.status, await importsOf(shop)]).toEqual([202, "scheduled", 1]);
});

it("reads a company's files for 600 seconds of an hour, and says so", async () => {
  const other = await openShop(gateway);
  const bucket = `sheets ${shop.company.id}`;
  await gateway.db.$executeRaw`
    INSERT INTO rate_limits (bucket, count, resets_at) VALUES (${bucket}, 599999, now() + interval '29 minutes 30 seconds')`;
  const { body } = await send(shop, SHEET);

  // Only processes count the time that they take.
  const sheets = createSheets(gateway.database.pool);
  const { body: second } = await send(shop, SHEET);
  await gateway.runJobs({ sheets });
  const last = await readImport(shop, second.id as number);

  expect((await readImport(shop, body.id as number)).status).toBe("finished");
  expect(last).toMatchObject({
    status: "failed",
    message:
      "The file is not read any further: the company's files took 600 seconds of reading within an hour; " +
      "send it again in 30 minutes.",
    total_rows: 0,
  });
  expect(await goodsOf(shop)).toHaveLength(1);
  expect((await importAll(other, SHEET)).status).toBe("finished");
  await gateway.db.$executeRaw`UPDATE rate_limits SET resets_at = now() WHERE bucket = ${bucket}`;
  const { body: third } = await send(shop, SHEET);
  await gateway.runJobs({ sheets });
  expect(await readImport(shop, third.id as number)).toMatchObject({ status: "finished", unchanged: 1 });
});
