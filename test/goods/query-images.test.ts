import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { createGood, goodPath } from "./good-pictures.js";

let gateway: Gateway;
let company: TestCompany;

beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const pictured = (name: string, overrides: object = {}, count = 1) =>
  createGood(gateway, company.id, {
    name,
    pictures: Array.from({ length: count }, (_, n) => `https://img.example/${encodeURIComponent(name)}/${n}`),
    ...overrides,
  });
const query = (id: number, client = gateway.anonymous, search = "") =>
  client.rest("GET", `${goodPath(company.id, id)}/query-images${search}`);

it("suggests the pictures of goods with the same barcode, then of those with a like name, to everybody", async () => {
  const { id } = await createGood(gateway, company.id, {
    name: "Crème Brûlée",
    barcodes: ["4006381333931"],
    pictures: ["https://img.example/own"],
  });
  const same = await pictured("Dessert 7", { barcodes: ["1", "4006381333931"] }, 2);
  const folded = await pictured("creme brulee");
  const like = await pictured("Creme brulee gross");
  await pictured("Espresso");
  await createGood(gateway, company.id, { name: "Crème Brûlée" });
  const other = await createCompany(gateway);
  await createGood(gateway, other.id, { name: "Crème Brûlée", pictures: ["https://img.example/other"] });

  const { status, body } = await query(id);

  expect(status).toBe(200);
  expect(body).toEqual([
    { url: "https://img.example/Dessert%207/0", good_id: same.id, name: "Dessert 7", score: 1 },
    { url: "https://img.example/Dessert%207/1", good_id: same.id, name: "Dessert 7", score: 1 },
    { url: "https://img.example/creme%20brulee/0", good_id: folded.id, name: "creme brulee", score: 1 },
    {
      url: "https://img.example/Creme%20brulee%20gross/0",
      good_id: like.id,
      name: "Creme brulee gross",
      score: expect.closeTo(0.68, 1) as number,
    },
  ]);
});

it("suggests at most 20 over GraphQL, and none where there are none", async () => {
  const { id } = await createGood(gateway, company.id, { name: "Lemonade" });
  const lonely = await createGood(gateway, company.id, { name: "Unlike all" });
  for (const size of ["small", "large"]) await pictured(`Lemonade ${size}`, {}, 12);
  const of = async (goodId: number) =>
    dataOf(
      await gateway.anonymous.run(
        `query ($companyId: Int!, $id: Int!) { queryGoodImages(companyId: $companyId, id: $id) { url goodId name score } }`,
        { companyId: company.id, id: goodId },
      ),
    )["queryGoodImages"] as object[];

  expect(await of(id)).toHaveLength(20);
  expect(await of(lonely.id)).toEqual([]);
});

it("shows deleted goods to who may see them, and answers 404 for others", async () => {
  const { id } = await createGood(gateway, company.id, { name: "Old tea", deletedAt: new Date() });
  await pictured("Old tea", { deletedAt: new Date() });
  const reader = await adminWith(gateway, company.id, "access_goods");

  const hidden = await query(id);
  const refused = await query(id, gateway.anonymous, "?with_deleted=1");
  const shown = await query(id, reader, "?with_deleted=1");

  expect([hidden.status, refused.status, shown.status]).toEqual([404, 401, 200]);
  expect(shown.body).toHaveLength(1);
});

it("finds them through an index", async () => {
  const { db } = gateway;
  const data = Array.from({ length: 3_000 }, (_, n) => ({
    companyId: company.id,
    name: `Article ${n} ${(n * 7919).toString(36)}`,
    shortDetails: "",
    details: "",
    priceE2: 1,
    type: 0,
    barcodes: [String(n)],
    pictures: [`https://img.example/${n}`],
  }));
  await db.good.createMany({ data });

  const plans = await db.$transaction(async (transaction) => {
    await transaction.$executeRaw`ANALYZE goods`;
    const explained = await transaction.$queryRaw<Record<string, string>[]>`
      EXPLAIN SELECT g.id FROM goods g WHERE g.company_id = ${company.id} AND g.picture_urls <> '{}' AND g.id <> 1
         AND (false OR g.deleted_at IS NULL) AND folded(g.name) % folded('Article 17 2lx5')
      UNION ALL SELECT g.id FROM goods g WHERE g.company_id = ${company.id} AND g.picture_urls <> '{}' AND g.id <> 1
         AND (false OR g.deleted_at IS NULL) AND g.barcodes && ${["17"]}::text[]`;
    return explained.map((row) => row["QUERY PLAN"]).join("\n");
  });

  expect(plans.match(/goods_pictured_idx/gu)).toHaveLength(2);
  expect(plans).not.toMatch(/Seq Scan/u);
});
