import {
  adminWith,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { GOOD_BODY } from "./examples.js";

const SHARED = `query ($companyId: Int!, $offset: Int) {
  sharedSkus(companyId: $companyId, offset: $offset) { sku branchGroupId goodIds }
}`;

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const goods = () => `/companies/${company.id}/goods`;
const create = (sku: string | null, path = goods()) =>
  company.owner.rest("POST", path, { body: { ...GOOD_BODY, sku } });
const withSku = (sku: string) => gateway.db.good.count({ where: { companyId: company.id, sku } });

describe("the sku of a good", () => {
  it("is that of one good of its shop, and may be that of others elsewhere", async () => {
    const { id: shopId } = await createBranchGroup(gateway, company.id);
    const inShop = `/companies/${company.id}/branch-groups/${shopId}/goods`;
    const first = await create("A-1");

    const again = await create("A-1");
    const elsewhere = await create("A-1", inShop);
    const without = await Promise.all([create(null), create(null), create(""), create("")]);

    expect([first.status, again.status, elsewhere.status]).toEqual([201, 422, 201]);
    expect(again.body.errors).toMatchObject([{ field: "sku", rule: "unique" }]);
    expect(without.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(await withSku("A-1")).toBe(2);
  });

  it("is taken once, however many want it at once", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => create("B-1")));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(422)]);
    expect(await withSku("B-1")).toBe(1);
  });

  it("is not changed to that of another good; of what shares one already, the rest is changed", async () => {
    const one = await createGood(gateway, company.id, { sku: "C-1", name: "One" });
    const twin = await createGood(gateway, company.id, { sku: "C-1" });
    const other = await createGood(gateway, company.id, { sku: "C-2", name: "Other" });
    const change = (id: number, body: object) => company.owner.rest("PATCH", `${goods()}/${id}`, { body });

    const refused = await change(other.id, { sku: "C-1", name: "Changed" });
    const same = await change(twin.id, { sku: "C-1", name: "Twin" });
    const free = await change(twin.id, { sku: "C-3" });

    expect([refused.status, refused.body.errors[0].rule]).toEqual([422, "unique"]);
    expect([same.status, free.status]).toEqual([200, 200]);
    const rows = await gateway.db.good.findMany({
      where: { companyId: company.id },
      orderBy: { id: "asc" },
    });
    expect(rows.map(({ id, sku, name }) => [id, sku, name])).toEqual([
      [one.id, "C-1", "One"],
      [twin.id, "C-3", "Twin"],
      [other.id, "C-2", "Other"],
    ]);
  });

  it("is given to one of many goods that are changed alike", async () => {
    const ids = [(await createGood(gateway, company.id)).id, (await createGood(gateway, company.id)).id];
    const result = await company.owner.run(
      `mutation ($companyId: Int!, $ids: [Int!]!) {
        updateGoods(companyId: $companyId, ids: $ids, input: { sku: "D-1" }) { id ok error { code } }
      }`,
      { companyId: company.id, ids },
    );

    expect(dataOf(result)["updateGoods"]).toMatchObject([
      { id: ids[0], ok: true },
      { id: ids[1], ok: false },
    ]);
    expect(await withSku("D-1")).toBe(1);
  });

  it("keeps a deleted good away while another one has it", async () => {
    const gone = await createGood(gateway, company.id, { sku: "E-1" });
    await company.owner.rest("DELETE", `${goods()}/${gone.id}`);
    const next = await create("E-1");

    const refused = await company.owner.rest("POST", `${goods()}/${gone.id}/restore`);
    await company.owner.rest("DELETE", `${goods()}/${next.body.id as number}`);
    const restored = await company.owner.rest("POST", `${goods()}/${gone.id}/restore`);

    expect([next.status, refused.status, refused.body.code, restored.status]).toEqual([
      201,
      409,
      "CONFLICT",
      200,
    ]);
  });
});

describe("skus that several goods have", () => {
  it("are listed with their goods, for who may access goods", async () => {
    const { id: shopId } = await createBranchGroup(gateway, company.id);
    const make = (sku: string, others: object = {}) =>
      createGood(gateway, company.id, { sku, ...others }).then(({ id }) => id);
    const twice = [await make("B"), await make("B")];
    const inShop = [await make("A", { branchGroupId: shopId }), await make("A", { branchGroupId: shopId })];
    await make("A");
    await make("C", { deletedAt: new Date() });
    await make("C");
    const reader = await adminWith(gateway, company.id, "access_goods");
    const stranger = await adminWith(gateway, company.id, "access_coupons");

    const list = async (offset = 0) =>
      dataOf(await reader.run(SHARED, { companyId: company.id, offset }))["sharedSkus"];

    expect(await list()).toEqual([
      { sku: "A", branchGroupId: shopId, goodIds: inShop },
      { sku: "B", branchGroupId: null, goodIds: twice },
    ]);
    expect(await list(1)).toMatchObject([{ sku: "B" }]);
    expect(errorCodes(await stranger.run(SHARED, { companyId: company.id }))).toEqual(["FORBIDDEN"]);
  });
});
