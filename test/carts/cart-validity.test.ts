import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { add, goShopping, itemsOf, offerOptions, type Shopping } from "./carts.js";

let gateway: Gateway;
let shopping: Shopping;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  shopping = await goShopping(gateway, { branchGood: { stock: 5 } });
});
afterAll(() => gateway.close());

const validOf = async () => (await itemsOf(shopping)).map(({ is_valid }) => is_valid);

it("follows what other parts of the service change, and back", async () => {
  const { company, goodId, branchGoodId } = shopping;
  const c = company.id;
  const { propertyId, optionIds } = await offerOptions(gateway, shopping, { prices: [70, 80] });
  await add(shopping, { extras: [{ property_id: propertyId, value: String(optionIds[0]) }] });
  const seen: [string, boolean[]][] = [["written", await validOf()]];
  const change = async (what: string, mutation: string) => {
    dataOf(await company.owner.run(`mutation { ${mutation} { id } }`));
    seen.push([what, await validOf()]);
  };
  const branchGood = (input: string) =>
    `updateBranchGood(companyId: ${c}, id: ${branchGoodId}, input: { ${input} })`;
  const optionPrice = (price: number) =>
    `updateProperty(companyId: ${c}, id: ${propertyId}, input: { name: "Size", propertyOptions: [{ id: ${optionIds[0]}, priceE2: ${price} }] })`;

  await change("good dearer", `updateGood(companyId: ${c}, id: ${goodId}, input: { priceE2: 1001 })`);
  await change("good as before", `updateGood(companyId: ${c}, id: ${goodId}, input: { priceE2: 1000 })`);
  await change("branch price", branchGood("priceE2: 900"));
  await change("no branch price", branchGood("priceE2: null"));
  await change("disabled", branchGood("disabled: true"));
  await change("enabled", branchGood("disabled: false"));
  await change("out of stock", branchGood("stock: 0.5"));
  await change("in stock", branchGood("stock: 1"));
  await change("option dearer", optionPrice(71));
  await change("option as before", optionPrice(70));
  await change("deleted", `deleteGood(companyId: ${c}, id: ${goodId})`);
  await change("restored", `restoreGood(companyId: ${c}, id: ${goodId}, input: {})`);
  await change("branch good gone", `deleteBranchGood(companyId: ${c}, id: ${branchGoodId})`);

  expect(seen).toEqual([
    ["written", [true]],
    ["good dearer", [false]],
    ["good as before", [true]],
    ["branch price", [false]],
    ["no branch price", [true]],
    ["disabled", [false]],
    ["enabled", [true]],
    ["out of stock", [false]],
    ["in stock", [true]],
    ["option dearer", [false]],
    ["option as before", [true]],
    ["deleted", [false]],
    ["restored", [true]],
    ["branch good gone", [false]],
  ]);
});

it("follows the parts that a unit is sold in", async () => {
  const { company, goodId } = shopping;
  const sell = async (unitConfig: string): Promise<boolean[]> => {
    dataOf(
      await company.owner.run(
        `mutation { updateGood(companyId: ${company.id}, id: ${goodId}, input: { unitConfig: ${unitConfig} }) { id } }`,
      ),
    );
    return validOf();
  };
  const parts = (fraction: number, min: number, step = 50): string =>
    `{ enabled: true, unitName: "kg", fraction: ${fraction}, minQuantity: ${min}, stepQuantity: ${step}, maxQuantity: 5000, displayMode: decimal }`;
  await sell(parts(1000, 100));
  await add(shopping, { quantity: 350 });

  const seen = [await validOf(), await sell(parts(100, 100)), await sell(parts(1000, 400))];
  seen.push(await sell(parts(1000, 100, 100)), await sell("null"), await sell(parts(1000, 50)));

  expect(seen).toEqual([[true], [false], [false], [false], [false], [true]]);
});

it("follows statements that no service has made", async () => {
  await add(shopping);

  await gateway.db.$executeRaw`UPDATE goods SET price_e2 = 1 WHERE company_id = ${shopping.company.id}`;

  expect(await validOf()).toEqual([false]);
});

it("is judged for all rows of the cart together: they share the stock", async () => {
  await add(shopping, { quantity: 3 });
  await add(shopping, { quantity: 2 });
  expect(await validOf()).toEqual([true, true]);

  await gateway.db.branchGood.updateMany({ where: { companyId: shopping.company.id }, data: { stock: 4 } });

  expect(await validOf()).toEqual([false, false]);
});

it("takes the same number of statements for 2 and 20 rows", async () => {
  await add(shopping);
  const counts: number[] = [];
  const forget = keepRemembered();
  for (const rows of [2, 20]) {
    const row = await gateway.db.cartItem.findFirstOrThrow({ where: { companyId: shopping.company.id } });
    const { id: _, extras, snapshot, ...values } = row;
    const missing = rows - (await gateway.db.cartItem.count({ where: { companyId: row.companyId } }));
    await gateway.db.cartItem.createMany({
      data: Array.from({ length: missing }, () => ({
        ...values,
        stockTaken: 0.001,
        snapshot: snapshot as object,
        ...(extras !== null && { extras }),
      })),
    });
    await itemsOf(shopping);
    gateway.statements.length = 0;
    expect(await validOf()).toEqual(Array.from({ length: rows }, () => true));
    counts.push(gateway.statements.length);
  }
  forget();

  expect(counts[1]).toBe(counts[0]);
});
