import { UNIT_CONFIG } from "../goods/examples.js";
import { startGateway, type Gateway } from "../support/gateway.js";
import { csv, goodsOf, importAll, openShop, type Shop } from "./imports.js";

let gateway: Gateway;
let shop: Shop;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
beforeEach(async () => {
  shop = await openShop(gateway);
});
afterAll(() => gateway.close());

const UNIT = { ...UNIT_CONFIG, weight_per_unit: 5 };
const KEYS = Object.keys(UNIT) as (keyof typeof UNIT)[];
/** A row of a good with all parts of its unit; those that are `null` are blank. */
const row = (sku: string, values: Partial<Record<keyof typeof UNIT, string | number | null>> = {}) => [
  ...[sku, "Coffee", 1],
  ...KEYS.map((key) => String({ ...UNIT, ...values }[key] ?? "")),
];
const HEADER = ["sku", "name", "price", ...KEYS.map((key) => `unit_config.${key}`)];
const units = async () => {
  const { owner, id } = shop.company;
  const { body } = await owner.rest("GET", `/companies/${id}/branch-groups/${shop.shopId}/goods?sort=id`);
  return (body as unknown as { unit_config: unknown }[]).map((good) => good.unit_config);
};
const made = () => importAll(shop, csv(HEADER, row("A")));

describe("parts of a good's unit", () => {
  it("stay as they are where their cells are blank, whichever", async () => {
    await made();
    const before = await goodsOf(shop);

    for (const key of KEYS) {
      const job = await importAll(shop, csv(HEADER, row("A", { [key]: null })));
      expect(job).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    }

    expect(await goodsOf(shop)).toEqual(before);
  });

  it("change alone, whatever else the sheet has no column for, and the same again changes nothing", async () => {
    await made();
    const sheet = csv(["sku", "unit_config.unit_name", "unit_config.enabled"], ["A", "lb", ""]);

    const first = await importAll(shop, sheet);
    const again = await importAll(shop, sheet);

    expect(first).toMatchObject({ updated: 1, unchanged: 0, failed: 0 });
    expect(again).toMatchObject({ updated: 1, unchanged: 1, failed: 0 });
    expect(await units()).toEqual([{ ...UNIT, unit_name: "lb" }]);
  });

  it("become empty by \\N where they may be empty", async () => {
    await made();

    const emptied = await importAll(shop, csv(["sku", "unit_config.weight_per_unit"], ["A", "\\N"]));
    const refused = await importAll(shop, csv(["sku", "unit_config.unit_name"], ["A", "\\N"]));

    expect(emptied).toMatchObject({ updated: 1, unchanged: 0, failed: 0 });
    expect(refused).toMatchObject({ failed: 1, errors: [{ field: "unit_config.unit_name", rule: "type" }] });
    expect(await units()).toEqual([{ ...UNIT, weight_per_unit: null }]);
  });

  it("go over the unit that a column beside them has as a whole", async () => {
    await made();
    const whole = JSON.stringify({ ...UNIT_CONFIG, fraction: 10 });

    await importAll(shop, csv(["sku", "unit_config.unit_name", "unit_config"], ["A", "lb", whole]));

    expect(await units()).toEqual([{ ...UNIT_CONFIG, fraction: 10, unit_name: "lb", weight_per_unit: null }]);
  });

  it("are refused where they do not fit those that stay, and change nothing", async () => {
    await made();
    const before = await goodsOf(shop);

    const job = await importAll(
      shop,
      csv(["sku", "name", "unit_config.min_quantity"], ["A", "Other", UNIT.max_quantity + 1]),
    );

    expect(job.errors).toMatchObject([
      { row: 2, column: "C", field: "unit_config.max_quantity", rule: "min" },
    ]);
    expect(job).toMatchObject({ updated: 0, failed: 1 });
    expect(await goodsOf(shop)).toEqual(before);
  });

  it("are all required of a good that has no unit, and of a new one with all else that it lacks", async () => {
    await importAll(shop, csv(["sku", "name", "price"], ["A", "Coffee", 1]));
    const before = await goodsOf(shop);

    const job = await importAll(
      shop,
      csv(
        HEADER,
        row("A", { fraction: null }),
        ["A-2", "New", "", ...KEYS.map((key) => (key === "fraction" ? "" : UNIT[key]))].map(String),
      ),
    );

    expect(
      job.errors.map(({ row: number, field, rule }: Record<string, unknown>) => [number, field, rule]),
    ).toEqual([
      [2, "unit_config.fraction", "required"],
      [3, "price", "required"],
      [3, "unit_config.fraction", "required"],
    ]);
    expect(await goodsOf(shop)).toEqual(before);
  });

  it("say nothing of a new good where all of them are blank", async () => {
    const job = await importAll(shop, csv(HEADER, ["A", "Coffee", 1, ...KEYS.map(() => "")]));

    expect(job).toMatchObject({ imported: 1, failed: 0 });
    expect(await units()).toEqual([null]);
  });
});
