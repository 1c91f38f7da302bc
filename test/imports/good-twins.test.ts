import { settleTwins } from "../../src/slices/goods/good-twins.rules.js";
import type { SecondAmount } from "../../src/slices/goods/good-twins.rules.js";
import { sendForm } from "../files/uploads.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { goodsOf, openShop, readImport, type Shop } from "./imports.js";

const price = (value: number): Record<string, SecondAmount> => ({
  priceE2: { value, column: "price_e2", first: "price" },
});

describe("of an amount in two columns", () => {
  it.each([
    ["the second one was changed", { priceE2: 100 }, price(250), { priceE2: 100n }, 250],
    ["the first one was changed", { priceE2: 250 }, price(100), { priceE2: 100n }, 250],
    ["both were changed alike", { priceE2: 250 }, price(250), { priceE2: 100n }, 250],
    ["both agree for what is new", { priceE2: 250 }, price(250), null, 250],
  ])("%s", (_, first, second, stored, priceE2) => {
    expect(settleTwins(first, second, stored)).toEqual({ values: { priceE2 }, errors: [] });
  });

  it.each([
    ["both were changed", { priceE2: 100n }],
    ["the good is new", null],
  ])("neither can be told for the other where %s", (_, stored) => {
    const { errors } = settleTwins({ priceE2: 200 }, price(300), stored);
    expect(errors).toMatchObject([{ field: "price", rule: "mismatch" }]);
  });
});

describe("a sheet with amounts and categories twice", () => {
  let gateway: Gateway;
  let shop: Shop;
  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    shop = await openShop(gateway);
  });
  afterAll(() => gateway.close());

  async function sent(lines: readonly string[], path: string) {
    const file = { bytes: Buffer.from(lines.join("\n")), name: "goods.csv" };
    const { status, body } = await sendForm(gateway, shop.company.owner, path, { file });
    expect(status).toBe(202);
    await gateway.runJobs();
    return readImport(shop, body.id as number);
  }

  it("takes the column that was changed, and refuses a row in which both were", async () => {
    const path = `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`;
    const header = "sku,name,price_e2,price,provider_fee_e2,provider_fee,branch_price_e2,branch_price";
    await sent(
      [header, "A,Tea,1000,10.00,5,0.05,,", "B,Milk,1000,10.00,5,0.05,900,9", "C,Pot,1000,10,5,0.05,900,"],
      path,
    );

    const job = await sent(
      [
        header,
        "A,Tea,1000,12.50,7,0.05,,",
        "B,Milk,1100,10.00,5,0.05,900,9.50",
        "C,Pot,1100,12.00,5,0.05,800,7",
        "D,New,1,2,,,,",
      ],
      path,
    );

    expect(job).toMatchObject({ imported: 0, updated: 2, unchanged: 0, failed: 2 });
    expect(job.errors).toMatchObject([
      { row: 4, field: "price_e2", rule: "mismatch" },
      { row: 4, field: "branch_price_e2", rule: "mismatch" },
      { row: 5, field: "price_e2", rule: "mismatch" },
    ]);
    const goods = await goodsOf(shop);
    expect(
      goods.map(({ sku, priceE2, providerFeeE2 }) => [sku, Number(priceE2), Number(providerFeeE2)]),
    ).toEqual([
      ["A", 1250, 7],
      ["B", 1100, 5],
      ["C", 1000, 5],
    ]);
    const sold = await gateway.db.branchGood.findMany({
      where: { companyId: shop.company.id },
      orderBy: { goodId: "asc" },
    });
    expect(sold.map(({ priceE2 }) => priceE2)).toEqual([null, 950n, 900n]);
  });

  it("says which column contradicts which, in whatever order they stand", async () => {
    const path = `/companies/${shop.company.id}/branches/${shop.branchId}/goods/import`;
    await sent(["sku,name,price,branch_price", "T,Twin,1,2"], path);
    const before = await goodsOf(shop);

    const one = await sent(["sku,price,price_e2,branch_price,branch_price_e2", "T,5,600,7,800"], path);
    const other = await sent(["sku,price_e2,price,branch_price_e2,branch_price", "T,600,5,800,7"], path);

    const told = ({ errors }: typeof one) =>
      (errors as Record<string, string>[]).map(({ column, header, field, message }) => {
        expect(header).toBe(field);
        return `${column} ${field} ${message?.split(":")[0]}`;
      });
    expect([told(one), told(other)]).toEqual([
      ["B price contradicts price_e2", "D branch_price contradicts branch_price_e2"],
      ["B price_e2 contradicts price", "D branch_price_e2 contradicts branch_price"],
    ]);
    expect(await goodsOf(shop)).toEqual(before);
  });

  it("links by names what the ids do not name already", async () => {
    const { id: companyId } = shop.company;
    const make = (name: string) => gateway.db.category.create({ data: { companyId, name } });
    const [first, second, other] = [await make("Hot"), await make("Hot"), await make("Cold")];
    const path = `/companies/${companyId}/branch-groups/${shop.shopId}/goods/import`;

    const job = await sent(
      ["sku,name,price,categories,category_names", `K,Kettle,1,${second.id},"Hot, Cold, Warm"`],
      path,
    );

    expect(job).toMatchObject({ imported: 1, errors: [], unknown_categories: ["Warm"] });
    const links = await gateway.db.goodCategory.findMany({
      where: { companyId },
      select: { categoryId: true },
    });
    expect(links.map(({ categoryId }) => categoryId).sort((a, b) => a - b)).toEqual([second.id, other.id]);
    expect(first.id).toBeLessThan(second.id);
  });
});
