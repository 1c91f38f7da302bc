import type { ChildrenOf } from "../../src/core/relations/relations.js";
import { RowBudget } from "../../src/engine/limits/row-budget.js";
import { Loaders } from "../../src/engine/loading/loaders.js";
import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
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

const OPTIONS = { model: "PropertyOption", foreignKey: "propertyId" } as const;
const DEAREST_FIRST: ChildrenOf = { ...OPTIONS, order: [{ priceE2: "desc" }] };
const CHEAPEST_FIRST: ChildrenOf = { ...OPTIONS, order: [{ priceE2: "asc" }] };
const DEFAULTS: ChildrenOf = { ...OPTIONS, order: [{ priceE2: "asc" }], where: { isDefault: true } };

const loaders = () => new Loaders(gateway.database.writer, { kind: "platform" }, new RowBudget(1_000));

/** Creates a property with the options "cheap", which is its default, and "dear". */
async function createOptions(): Promise<number> {
  const { id } = await createProperty(gateway, company.id);
  const option = { companyId: company.id, propertyId: id };
  await gateway.db.propertyOption.createMany({
    data: [
      { ...option, name: "cheap", priceE2: 1, inOrder: 1, isDefault: true },
      { ...option, name: "dear", priceE2: 2, inOrder: 2, isDefault: false },
    ],
  });
  return id;
}

describe("relations to many rows by one foreign key", () => {
  const names = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ name }) => name);

  it("have their own rows and their own order each", async () => {
    const id = await createOptions();
    const run = loaders();

    const [dearest, cheapest, defaults] = await Promise.all(
      [DEAREST_FIRST, CHEAPEST_FIRST, DEFAULTS].map(async (relation) => run.many(relation, company.id, id)),
    );

    expect([dearest, cheapest, defaults].map((rows) => names(rows ?? []))).toEqual([
      ["dear", "cheap"],
      ["cheap", "dear"],
      ["cheap"],
    ]);
  });

  it("have their own rows when they were read ahead, too", async () => {
    const id = await createOptions();
    const run = loaders();

    const ahead = [
      await run.readManyAhead(DEFAULTS, company.id, [id]),
      await run.readManyAhead(DEAREST_FIRST, company.id, [id]),
    ];

    expect(ahead.map(names)).toEqual([["cheap"], ["dear", "cheap"]]);
  });

  it("are read by one statement for all parents", async () => {
    const ids = [await createOptions(), await createOptions()];
    const run = loaders();
    gateway.statements.length = 0;

    const lists = await Promise.all(ids.map(async (id) => run.many(DEFAULTS, company.id, id)));
    const again = ids.map((id) => run.many(DEFAULTS, company.id, id));

    expect(lists.map(names)).toEqual([["cheap"], ["cheap"]]);
    expect(again).toEqual(lists);
    expect(gateway.statements.filter((sql) => sql.includes("property_options"))).toHaveLength(1);
  });
});
