import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import type { CompanyScope } from "../../src/core/scope/company-scope.js";
import type { Sql } from "../../src/core/db/sql.js";
import { picturesOfLikeGoods } from "../../src/slices/goods/good-picture.sql.js";
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

it("names the good, too, when it is asked for", async () => {
  const { id } = await createGood(gateway, company.id, { name: "Lemonade" });
  const like = await pictured("lemonade", { barcodes: ["1"] });

  const { body } = await query(id, gateway.anonymous, "?load=good");

  expect(body).toMatchObject([{ good_id: like.id, good: { id: like.id, barcodes: ["1"] } }]);
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
  const own = await startGateway({ own: "database" });
  const { id: companyId } = await createCompany(own);
  await own.db.$executeRaw`
    INSERT INTO goods (company_id, name, short_details, details, price_e2, type, barcodes, picture_urls)
    SELECT ${companyId}, 'Article ' || md5(n::text), '', '', 1, 0, ARRAY[n::text], ARRAY['https://img.example/' || n]
      FROM generate_series(1, 5000) AS n`;
  await own.asOwner("ANALYZE goods");
  const good = { id: 1, name: "Article 1", barcodes: ["17"] };

  const plan = await planOf(
    own,
    (scope) => picturesOfLikeGoods(scope, good, { most: 20, withDeleted: false }),
    companyId,
  );
  await own.close();

  expect(plan.match(/Bitmap Index Scan on goods_filters_idx/gu)).toHaveLength(2);
  expect(plan).not.toMatch(/Seq Scan/u);
});

/** The plan of the statement that `work` sends. */
async function planOf(
  { db }: Gateway,
  work: (scope: CompanyScope) => Promise<unknown>,
  companyId: number,
): Promise<string> {
  let plan: Record<string, string>[] = [];
  const rows = async (statement: Sql): Promise<never[]> => {
    plan = await db.$queryRawUnsafe<typeof plan>(`EXPLAIN ${statement.text}`, ...statement.values);
    return [];
  };
  await work({ companyId, rows } as unknown as CompanyScope);
  return plan.map((row) => row["QUERY PLAN"]).join("\n");
}
