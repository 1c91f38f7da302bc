import { createCompany, createGood } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

/** The queries of lists by the model whose rows they list. */
const LISTS = { order: "orders", client: "clients", branchGood: "branchGoods" } as const;

const OLD = new Date("2026-01-01T10:00:00.000Z");
const NEW = new Date("2026-02-01T10:00:00.500Z");

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.close());

it.each(Object.keys(LISTS) as (keyof typeof LISTS)[])(
  "a list of %s is filtered by when rows changed",
  async (model) => {
    const company = await createCompany(gateway);
    const companyId = company.id;
    const rows = await twoRows(companyId, model);
    const ask = async (updatedAt: object): Promise<number[]> => {
      const type = `${model.charAt(0).toUpperCase()}${model.slice(1)}FilterInput`;
      const result = await company.owner.run(
        `query ($companyId: Int!, $filter: ${type}) {
        ${LISTS[model]}(companyId: $companyId, filter: $filter, orderBy: [{ field: ID }]) { nodes { id } }
      }`,
        { companyId, filter: { updatedAt } },
      );
      return dataOf(result)[LISTS[model]].nodes.map(({ id }: { id: number }) => id);
    };

    expect(await ask({ gte: "2026-02-01 10:00:00" })).toEqual([rows[1]]);
    expect(await ask({ lt: "2026-02-01 10:00:00" })).toEqual([rows[0]]);
    expect(await ask({ eq: "2026-02-01 10:00:00" })).toEqual([rows[1]]);
    expect(await ask({ gt: "2026-02-01 10:00:00" })).toEqual([]);
  },
);

/** Makes a row that changed long ago and one that changed later, and returns their ids. */
async function twoRows(companyId: number, model: keyof typeof LISTS): Promise<number[]> {
  const { db } = gateway;
  const ids: number[] = [];
  for (const updatedAt of [OLD, NEW]) {
    if (model === "order")
      ids.push((await db.order.create({ data: { companyId, currencyIso: "USD", updatedAt } })).id);
    else if (model === "client")
      ids.push((await db.client.create({ data: { companyId, name: "Ana", updatedAt } })).id);
    else {
      const { id: goodId } = await createGood(gateway, companyId);
      const { id: branchId } = await db.branch.create({ data: { companyId, name: "Here" } });
      ids.push((await db.branchGood.create({ data: { companyId, goodId, branchId, updatedAt } })).id);
    }
  }
  return ids;
}
