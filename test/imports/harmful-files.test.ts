import { localStore, sendForm, type TestStore } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import { createSheets } from "../../src/engine/sheets/sheets.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { zipOf } from "../sheets/sheet-files.js";
import { csv, goodsOf, importAll, openShop, readImport, shopPath, type Shop } from "./imports.js";

let web: WebServer;
let store: TestStore;
let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  web = await startWebServer();
  store = await localStore();
  gateway = await startGateway({
    own: "database",
    environment: { STORAGE_URL: store.url, FETCH_ALLOW: web.host },
  });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(async () => {
  await gateway.close();
  await web.close();
  await store.close();
});

/** Sends a file as it is, and reads what came of it. */
async function importBytes(bytes: Buffer, name: string) {
  const file = { bytes, name, type: "application/octet-stream" };
  const { status, body } = await sendForm(gateway, shop.company.owner, shopPath(shop), { file });
  expect(status).toBe(202);
  await gateway.runJobs({ sheets: createSheets(gateway.database.pool) });
  return readImport(shop, body.id as number);
}

const spreadsheetXml = (cells: string, doctype = ""): Buffer =>
  Buffer.from(
    `<?xml version="1.0"?>${doctype}<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" ` +
      `xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="a"><Table>` +
      `<Row><Cell><Data ss:Type="String">name</Data></Cell><Cell><Data ss:Type="String">price</Data></Cell></Row>` +
      `<Row>${cells}</Row></Table></Worksheet></Workbook>`,
  );

async function zipBomb(): Promise<Buffer> {
  const zip = await zipOf({ "xl/workbook.xml": "<workbook/>", "content.xml": Buffer.alloc(40_000_000, " ") });
  const name = zip.lastIndexOf("content.xml");
  zip.writeUInt32LE(2 ** 31, name - 46 + 24);
  return zip;
}

it("fails with a message when its archive is a bomb, and the next file is imported as ever", async () => {
  const bomb = await importBytes(await zipBomb(), "goods.ods");

  expect(bomb).toMatchObject({ status: "failed", message: "The file is too large.", total_rows: 0 });
  const good = await importAll(shop, csv(["name", "price"], ["Water", 1]));
  expect([good.status, good.imported]).toEqual(["finished", 1]);
});

it.each([
  [
    "entities that multiply",
    `<!DOCTYPE b [<!ENTITY a "${"a".repeat(1_000)}">${Array.from(
      { length: 9 },
      (_, i) => `<!ENTITY a${i} "${`&a${i === 0 ? "" : i - 1};`.repeat(50)}">`,
    ).join("")}]>`,
    "&a8;",
  ],
  ["a file of the server", `<!DOCTYPE b [<!ENTITY a SYSTEM "file:///etc/passwd">]>`, "&a;"],
  ["a file of the network", `<!DOCTYPE b [<!ENTITY a SYSTEM "http://HOST/entity">]>`, "&a;"],
])("follows no entity: %s", async (_case, doctype, text) => {
  const cells = `<Cell><Data ss:Type="String">Tea ${text}</Data></Cell><Cell><Data ss:Type="Number">1</Data></Cell>`;

  const job = await importBytes(spreadsheetXml(cells, doctype.replace("HOST", web.host)), "goods.xml");

  expect(["finished", "failed"]).toContain(job.status);
  for (const { name } of await goodsOf(shop)) expect(name).toMatch(/^Tea( &a8?;)?$/u);
  expect(web.requests).toHaveLength(0);
});
