import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { sendGraphqlForm } from "../files/uploads.js";
import { csv, goodsOf, importAll, openShop, readImport, send, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const SHEET = csv(["sku", "name", "price"], ["A-1", "Water", "1.50"], ["A-2", "Tea", "x"]);
const nothing = async () => {
  expect(await gateway.db.importJob.count({ where: { companyId: shop.company.id } })).toBe(0);
  expect(await gateway.db.storedFile.count({ where: { companyId: shop.company.id } })).toBe(0);
};

describe("a file", () => {
  it.each([
    ["without an ending", "goods", SHEET],
    ["of another kind", "goods.pdf", SHEET],
    ["without a byte", "goods.csv", ""],
  ])("%s is refused, and nothing is kept", async (_, name, text) => {
    const { status, body } = await send(shop, text, {}, { name });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["file:sheet"]]);
    await nothing();
  });

  it("is required", async () => {
    const { status, body } = await shop.company.owner.rest(
      "POST",
      `/companies/${shop.company.id}/branch-groups/${shop.shopId}/goods/import`,
      { body: {} },
    );

    expect([status, wrongFields(body.errors)]).toEqual([422, ["file:required"]]);
    await nothing();
  });

  it.each(["config", "config[]", "config[dry_run]", "mapping[]", "csv_settings[delimiter]"])(
    "in the place of an option is refused, and nothing is kept: %s",
    async (place) => {
      const { status, body } = await send(shop, SHEET, { [place]: { bytes: Buffer.from("dry_run") } });

      expect([status, body.code, wrongFields(body.errors)]).toEqual([400, "BAD_REQUEST", [`${place}:type`]]);
      await nothing();
    },
  );

  it("that cannot be read fails the import with the reason", async () => {
    const { body } = await send(shop, "no sheet", {}, { name: "goods.xlsx" });
    await gateway.runJobs();

    const job = await readImport(shop, body.id as number);
    expect([job.status, job.total_rows]).toEqual(["failed", 0]);
    expect(job.message).toEqual(expect.stringMatching(/\w+/u));
  });

  it("goes when the import is over", async () => {
    const { body } = await send(shop, SHEET);
    const kept = await gateway.db.storedFile.findMany({ where: { companyId: shop.company.id } });
    await gateway.runJobs();

    expect(kept.map(({ state }) => state)).toEqual(["used"]);
    expect(
      await gateway.db.storedFile.findFirst({
        where: { companyId: shop.company.id, key: kept[0]?.key ?? "" },
      }),
    ).toMatchObject({
      state: "unused",
    });
    expect((await readImport(shop, body.id as number)).status).toBe("finished");
  });
});

it("lists all wrong options at once, and keeps nothing", async () => {
  const { status, body } = await send(shop, SHEET, {
    "mapping[]": "Colour=colour",
    "config[]": "speed=9",
    "category_mapping[]": "Drinks=No such category",
    csv_settings: '{"delimiter":"::","use_bom":"perhaps"}',
    send_at: "2020-01-01 00:00:00",
    host_image_url: "ftp://x",
    host_image_var: "SKU",
  });

  expect(status).toBe(422);
  expect(wrongFields(body.errors)).toEqual([
    "category_mapping[0]:exists",
    "config[0]:enum",
    "csv_settings.delimiter:pattern",
    "csv_settings.use_bom:type",
    "host_image_url:url",
    "host_image_var:mismatch",
    "mapping[0]:enum",
    "send_at:after",
  ]);
  await nothing();
});

it("takes columns by header or letters, in any form of a list", async () => {
  const sheet = csv(["Nr", "Was", "Kostet"], ["A-1", "Water", "1,50"]);

  const job = await importAll(shop, sheet, {
    mapping: '["Nr=sku","was=name","C=price"]',
    "config[]": "decimal=,",
  });

  expect(job.columns.map(({ field }: { field: string }) => field)).toEqual(["sku", "name", "price"]);
  expect(await goodsOf(shop)).toMatchObject([{ sku: "A-1", name: "Water", priceE2: 150n }]);
});

it.each([
  ["SKU=sku", "SKU"],
  ["EAN=barcodes", "EAN"],
  ["ID=id", "ID"],
  ["XFD=sku", "XFD"],
  ["ZZZ=sku", "ZZZ"],
  ["C=sku", "C"],
  ["C=", "C"],
])("fails before the first row when %s names no column of the sheet", async (mapping, column) => {
  const job = await importAll(shop, csv(["name", "price"], ["Tea", 1]), { "mapping[]": mapping });
  const { data } = await shop.company.owner.run(
    `{ importJob(companyId: ${shop.company.id}, id: ${job.id}) { status message columns { column } } }`,
  );

  const message = `The mapping names the column ${column}, which the sheet does not have.`;
  expect(job).toMatchObject({ status: "failed", message, total_rows: 0, imported: 0, columns: [] });
  expect(data?.["importJob"]).toEqual({ status: "failed", message, columns: [] });
  expect(await goodsOf(shop)).toEqual([]);
});

it("fails before the first row when the one column that it would know is not there", async () => {
  const job = await importAll(shop, csv(["A", "P"], ["x", 1]), { "mapping[]": "Q=name" });

  expect(job).toMatchObject({ status: "failed", error_count: 0, failed: 0, columns: [] });
});

it("fails when the address of pictures names letters of no column", async () => {
  const job = await importAll(shop, csv(["name", "price"], ["Tea", 1]), {
    host_image_url: "https://example.com/{SKU}.jpg",
  });

  const message = "The address of pictures names the column SKU, which the sheet does not have.";
  expect([job.status, job.message, await goodsOf(shop)]).toEqual(["failed", message, []]);
});

it("takes letters for a column without a header where a row has a cell in it", async () => {
  const sheet = csv(["name", "price"], ["Tea", 1], ["Milk", 2, "", "M-1"]);

  const job = await importAll(shop, sheet, { "mapping[]": "D=sku" });

  expect([job.status, job.imported]).toEqual(["finished", 2]);
  expect(job.columns).toEqual([
    { column: "A", header: "name", field: "name" },
    { column: "B", header: "price", field: "price" },
    { column: "C", header: "", field: null },
    { column: "D", header: "", field: "sku" },
  ]);
  expect((await goodsOf(shop)).map(({ sku }) => sku)).toEqual([null, "M-1"]);
});

it("takes letters for the columns of a sheet whose first row is blank", async () => {
  const job = await importAll(
    shop,
    `
${csv(["Tea", 1])}`,
    { mapping: '["A=name","B=price"]' },
  );

  expect([job.status, job.imported, (await goodsOf(shop))[0]?.name]).toEqual(["finished", 1, "Tea"]);
});

it("leaves a column out that the mapping maps to nothing", async () => {
  const job = await importAll(shop, csv(["sku", "name", "price", "details"], ["A-1", "Water", 1, "Wet"]), {
    "mapping[]": "details=",
  });

  expect([job.ignored_columns, (await goodsOf(shop))[0]?.details]).toEqual([["details"], "Water"]);
});

it("does not take columns of a branch for a shop", async () => {
  const { body } = await send(shop, SHEET, { "mapping[]": "A=stock" });

  expect(wrongFields(body.errors)).toEqual(["mapping[0]:enum"]);
});

it("only updates or only creates when it is asked to", async () => {
  await importAll(shop, csv(["sku", "name", "price"], ["A-1", "Water", 1]));
  const sheet = csv(["sku", "name", "price"], ["A-1", "Wine", 2], ["A-3", "Milk", 1]);

  const noUpdates = await importAll(shop, sheet, { "config[]": "update=false" });
  const after = await goodsOf(shop);
  const noCreation = await importAll(shop, csv(["sku", "price"], ["A-1", 5], ["A-9", 1]), {
    "config[]": "create=false",
  });

  expect(noUpdates).toMatchObject({ imported: 1, updated: 1, unchanged: 1 });
  expect(after.map(({ name }) => name)).toEqual(["Water", "Milk"]);
  expect(noCreation).toMatchObject({ imported: 0, updated: 1, failed: 1 });
  expect(noCreation.errors).toMatchObject([{ row: 3, field: "sku", rule: "exists" }]);
});

it("shows in a dry run what would be, and changes no goods", async () => {
  await importAll(shop, csv(["sku", "name", "price"], ["A-1", "Water", 1]));
  const before = await goodsOf(shop);
  const entries = await gateway.db.auditEntry.count({
    where: { companyId: shop.company.id, targetType: "good" },
  });

  const job = await importAll(
    shop,
    csv(["sku", "name", "price"], ["A-1", "Wine", 1], ["A-2", "Tea", 2], ["A-3", "Bad", "x"]),
    {
      dry_run: "true",
    },
  );

  expect(job).toMatchObject({
    status: "finished",
    dry_run: true,
    imported: 1,
    updated: 1,
    unchanged: 0,
    failed: 1,
  });
  expect(job.preview).toMatchObject([
    { row: 2, action: "update", good: { sku: "A-1", name: "Wine", price_e2: 100 } },
    {
      row: 3,
      action: "create",
      good: { sku: "A-2", name: "Tea", price_e2: 200, branch_group_id: shop.shopId },
    },
  ]);
  expect(job.errors).toMatchObject([{ row: 4, field: "price" }]);
  expect(await goodsOf(shop)).toEqual(before);
  expect(
    await gateway.db.auditEntry.count({ where: { companyId: shop.company.id, targetType: "good" } }),
  ).toBe(entries);
});

it("notes in a dry run which rows would make a second good", async () => {
  await importAll(
    shop,
    csv(["sku", "name", "price"], ["A-1", "Water", 1], ["0042", "Tea", 1], ["C-3", "Milk", 1]),
  );
  const [water, tea] = (await goodsOf(shop)).map(({ id }) => id);

  const job = await importAll(
    shop,
    csv(
      ["sku", "name", "price"],
      ["A-2", "Water", 1],
      ["a-1", "Sparkling water", 1],
      ["42", "Green tea", 1],
      ["N-1", "Bread", 1],
      ["C-3", "Milk, fresh", 1],
    ),
    { dry_run: "true" },
  );

  expect(job.preview).toMatchObject([
    { row: 2, action: "create", note: `makes a second good of the name of good ${water}` },
    {
      row: 3,
      action: "create",
      note: `makes a second good beside good ${water}, whose sku differs by case or leading zeros alone`,
    },
    {
      row: 4,
      action: "create",
      note: `makes a second good beside good ${tea}, whose sku differs by case or leading zeros alone`,
    },
    { row: 5, action: "create", note: null },
    { row: 6, action: "update", note: null },
  ]);
  expect([job.imported, job.updated, job.error_count]).toEqual([4, 1, 0]);
});

it("waits until the moment that it is sent for, by the given offset", async () => {
  const day = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10);
  const { body } = await send(shop, SHEET, { send_at: `${day} 12:00:00`, send_at_timezone: "+02:00" });
  await gateway.runJobs();

  const waiting = await readImport(shop, body.id as number);
  expect([body.status, waiting.status, waiting.send_at]).toEqual([
    "scheduled",
    "scheduled",
    `${day} 10:00:00`,
  ]);
  await gateway.db.importJob.update({
    where: { companyId_id: { companyId: shop.company.id, id: body.id as number } },
    data: { sendAt: new Date() },
  });
  await gateway.db
    .$queryRaw`SELECT id FROM graphile_worker.add_job('importGoods', ${JSON.stringify({ companyId: shop.company.id, importJobId: body.id as number })}::json)`;
  await gateway.runJobs();

  expect((await readImport(shop, body.id as number)).status).toBe("finished");
});

describe("over GraphQL", () => {
  const IMPORT = `mutation ($companyId: Int!, $id: Int!, $input: ImportGoodsInput!) {
    importBranchGroupGoods(companyId: $companyId, branchGroupId: $id, input: $input) { id status }
  }`;
  const CANCEL = `mutation ($companyId: Int!, $id: Int!) { cancelImport(companyId: $companyId, importJobId: $id) { status message } }`;

  it("imports, lists imports and their errors page by page, and follows the job", async () => {
    const { id: companyId, owner } = shop.company;
    const file = { bytes: Buffer.from(SHEET), name: "goods.csv", type: "text/csv" };
    const variables = { companyId, id: shop.shopId, input: { file: null, mapping: ["name=name"] } };
    const { body } = await sendGraphqlForm(gateway, owner, {
      operations: JSON.stringify({ query: IMPORT, variables }),
      map: JSON.stringify({ file: ["variables.input.file"] }),
      file,
    });
    expect(body.errors).toBeUndefined();
    const id = body.data?.["importBranchGroupGoods"].id as number;
    await gateway.runJobs();

    const { data, errors } = await owner.run(
      `query ($companyId: Int!, $id: Int!, $job: String!) {
        importJobs(companyId: $companyId, filter: { status: { eq: finished } }) { totalCount nodes { id imported failed errors { row } } }
        importErrors(companyId: $companyId, importJobId: $id, first: 1) { totalCount nodes { row column header field rule } }
        job(companyId: $companyId, id: $job) { state done total }
      }`,
      { companyId, id, job: `import-${id}` },
    );

    expect(errors).toBeUndefined();
    expect(data).toEqual({
      importJobs: { totalCount: 1, nodes: [{ id, imported: 1, failed: 1, errors: [{ row: 3 }] }] },
      importErrors: {
        totalCount: 1,
        nodes: [{ row: 3, column: "C", header: "price", field: "price", rule: "type" }],
      },
      job: { state: "done", done: 2, total: 2 },
    });
  });

  it("cancels an import that has not ended; nothing more is done", async () => {
    const { id: companyId, owner } = shop.company;
    const { body } = await send(shop, SHEET);

    const canceled = await owner.run(CANCEL, { companyId, id: body.id });
    await gateway.runJobs();
    const again = await owner.run(CANCEL, { companyId, id: body.id });

    expect(canceled.data?.["cancelImport"]).toEqual({ status: "failed", message: "It was canceled." });
    expect(again.errors?.[0]?.extensions).toMatchObject({ code: "INVALID_STATE", state: "failed" });
    expect(await goodsOf(shop)).toEqual([]);
  });
});
