import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildSchema, print } from "graphql";
import { assertRestDocumentsFit, readRestDocuments } from "../../src/api/rest/rest-documents.js";

const SCHEMA = buildSchema(`
  type Query { shop: Shop }
  type Shop { firstName: String rule: Rule! rules: [Rule!]! }
  type Rule { priceMax: Int }`);
const SHOP = `query ReadShop @rest(method: GET, path: "/shop") { shop { ...ShopResource } }
fragment ShopResource on Shop { __typename }`;
const RULE = "fragment RuleResource on Rule { priceMax }";

describe("a shape that selects __typename alone", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "rest-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const shapeOf = async (text: string): Promise<string> => {
    await writeFile(join(folder, "shops.graphql"), text);
    assertRestDocumentsFit(folder, SCHEMA);
    const { resources } = readRestDocuments(folder, SCHEMA);
    return print(resources.get("Shop") as never).replace(/\s+/gu, " ");
  };

  it("is of every field, by its REST name, and of objects by their shapes", async () => {
    expect(await shapeOf(`${SHOP}\n${RULE}`)).toBe(
      "{ first_name: firstName rule { price_max: priceMax } rules { price_max: priceMax } }",
    );
  });

  it("needs a shape of each object", async () => {
    await expect(shapeOf(SHOP)).rejects.toThrow('Unknown fragment "RuleResource"');
  });

  it("may select nothing that its type lacks", async () => {
    await expect(
      shapeOf(`query ReadShop @rest(method: GET, path: "/shop") { shop { price } }`),
    ).rejects.toThrow('schema/rest does not fit the schema:\n- Cannot query field "price" on type "Shop".');
  });
});
