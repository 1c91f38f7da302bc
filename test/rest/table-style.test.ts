import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

async function table(query: string, path = "goods") {
  const headers = { authorization: `Bearer ${company.owner.token}` };
  const url = `/api/companies/${company.id}/${path}?format=csv&${query}`;
  const { statusCode, body } = await gateway.app.inject({ method: "GET", url, headers });
  return { status: statusCode, body };
}

async function wrong(query: string) {
  const { status, body } = await table(query);
  const { errors } = JSON.parse(body) as { errors: { field: string; rule: string }[] };
  return [status, ...errors.map(({ field, rule }) => `${field}:${rule}`)];
}

describe("how a table is written", () => {
  it("is chosen: columns in their order, delimiter, byte order mark and the sign before decimals", async () => {
    const { id } = await createGood(gateway, company.id, {
      name: 'Tea; "hot" | new',
      priceE2: 125_050,
      providerFeePrc: 0.0375,
      sku: "A,1",
    });

    const columns = "columns=price,name,sku,provider_fee_prc,price_e2";
    const semicolons = await table(`${columns}&delimiter=;&decimals=,&bom=1`);
    const plain = await table(columns);
    const bars = await table("columns=name,id&delimiter=|");
    const tabs = await table("columns=name,price&delimiter=tab&bom=0&decimals=.");

    expect(semicolons.body.split("\r\n")).toEqual([
      "\ufeffprice;name;sku;provider_fee_prc;price_e2",
      '1250,50;"Tea; ""hot"" | new";A,1;0,0375;125050',
      "",
    ]);
    expect(plain.body.split("\r\n")[1]).toBe('1250.50,"Tea; ""hot"" | new","A,1",0.0375,125050');
    expect(bars.body).toBe(`name|id\r\n"Tea; ""hot"" | new"|${id}\r\n`);
    expect(tabs.body).toBe('name\tprice\r\n"Tea; ""hot"" | new"\t1250.50\r\n');
  });

  it("reads no relation that none of its columns shows", async () => {
    await createGood(gateway, company.id, { name: "Tea", sku: "A-1" });
    const relationsRead = async (columns: string): Promise<string[]> => {
      gateway.statements.length = 0;
      const { body } = await table(`columns=${columns}`);
      expect(body.split("\r\n")).toHaveLength(3);
      const all = gateway.statements.join("\n");
      return ["good_properties", "good_categories"].filter((name) => all.includes(name));
    };

    expect(await relationsRead("name,sku")).toEqual([]);
    expect(await relationsRead("name,category_names")).toEqual(["good_categories"]);
    expect(await relationsRead("variants,name")).toEqual(["good_properties"]);
  });

  it("is refused where a value is unknown, under the name of its parameter", async () => {
    await createGood(gateway, company.id);

    expect(await wrong("columns=name,nmae")).toEqual([400, "columns:unknown"]);
    const { body } = await table("columns=nmae");
    expect(JSON.parse(body).detail).toMatch(
      /^columns: "nmae" is unknown; allowed: id, name, .*, price, .*, variants\.$/u,
    );
    expect(await wrong("columns=name&fields=name")).toEqual([400, "columns:forbidden"]);
    expect(await wrong("delimiter=x&bom=2&decimals=;")).toEqual([
      400,
      "delimiter:enum",
      "bom:enum",
      "decimals:enum",
    ]);
  });

  it("has columns, too, where a list does not choose its keys", async () => {
    const { status, body } = await table("columns=credit_e2,holder_type", "trial-balance");
    const unknown = await table("columns=nothing", "trial-balance");

    expect([status, body.split("\r\n")[0]]).toEqual([200, "credit_e2,holder_type"]);
    expect([unknown.status, unknown.body.includes('"columns"')]).toEqual([400, true]);
  });
});
