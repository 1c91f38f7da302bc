import {
  adminWith,
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  createProperty,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const BY_GRAPHQL = `query ($companyId: Int!, $branchId: Int!, $branchGroupId: Int!, $categoryId: Int!, $goodTagId: Int!, $goodTypeId: Int!, $propertyId: Int!) {
  goodsOfBranch(companyId: $companyId, branchId: $branchId) { totalCount }
  goodsOfBranchGroup(companyId: $companyId, branchGroupId: $branchGroupId) { totalCount }
  goodsOfCategory(companyId: $companyId, branchId: $branchId, categoryId: $categoryId) { totalCount }
  goodsOfTag(companyId: $companyId, goodTagId: $goodTagId) { id }
  goodsOfType(companyId: $companyId, goodTypeId: $goodTypeId) { totalCount }
  goodsOfProperty(companyId: $companyId, propertyId: $propertyId) { totalCount }
}`;

describe("lists of goods", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  /** The ids of the rows that goods belong to. */
  let here: {
    branchId: number;
    branchGroupId: number;
    categoryId: number;
    goodTagId: number;
    goodTypeId: number;
    propertyId: number;
  };
  /** Goods: one of the shop, one that the branch sells besides, one of another shop, a deleted one of the shop. */
  let goods: { ofShop: number; sold: number; elsewhere: number; deleted: number };

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    here = await createPlaces(acme.id);
    const other = await createBranchGroup(gateway, acme.id);
    const { branchGroupId } = here;
    const create = async (overrides: object): Promise<number> =>
      (await createGood(gateway, acme.id, { goodTypeId: here.goodTypeId, ...overrides })).id;
    goods = {
      ofShop: await create({ branchGroupId }),
      sold: await create({}),
      elsewhere: await create({ branchGroupId: other.id, goodTypeId: null }),
      deleted: await create({ branchGroupId, deletedAt: new Date() }),
    };
    for (const goodId of Object.values(goods)) await link(acme.id, goodId);
    await gateway.db.branchGood.create({
      data: { companyId: acme.id, branchId: here.branchId, goodId: goods.sold },
    });
  });

  afterAll(() => gateway.close());

  it.each([
    ["the company", () => "goods", () => [goods.elsewhere, goods.sold, goods.ofShop]],
    ["a branch", () => `branches/${here.branchId}/goods`, () => [goods.sold, goods.ofShop]],
    ["a shop", () => `branch-groups/${here.branchGroupId}/goods`, () => [goods.ofShop]],
    [
      "a category at a branch",
      () => `branches/${here.branchId}/categories/${here.categoryId}/goods`,
      () => [goods.sold, goods.ofShop],
    ],
    ["a tag", () => `good-tags/${here.goodTagId}/goods`, () => [goods.elsewhere, goods.sold, goods.ofShop]],
    ["a good type", () => `good-types/${here.goodTypeId}/goods`, () => [goods.sold, goods.ofShop]],
    [
      "a property",
      () => `properties/${here.propertyId}/goods`,
      () => [goods.elsewhere, goods.sold, goods.ofShop],
    ],
  ])("of %s", async (_name, path, expected) => {
    const { status, body } = await acme.owner.rest("GET", `/companies/${acme.id}/${path()}`);
    const all = await acme.owner.rest("GET", `/companies/${acme.id}/${path()}?with_deleted=true`);

    expect([status, ids(body)]).toEqual([200, expected()]);
    const shopAndBeyond =
      path().includes("good-types") || path().startsWith("goods") || ids(body).includes(goods.ofShop);
    expect(ids(all.body)).toEqual(shopAndBeyond ? [goods.deleted, ...expected()] : expected());
  });

  it("answer through GraphQL too", async () => {
    const data = dataOf(await acme.owner.run(BY_GRAPHQL, { companyId: acme.id, ...here }));

    expect(data).toEqual({
      goodsOfBranch: { totalCount: 2 },
      goodsOfBranchGroup: { totalCount: 1 },
      goodsOfCategory: { totalCount: 2 },
      goodsOfTag: [{ id: goods.elsewhere }, { id: goods.sold }, { id: goods.ofShop }],
      goodsOfType: { totalCount: 2 },
      goodsOfProperty: { totalCount: 3 },
    });
  });

  it("have the goods that a branch outside every shop sells, not those that belong to no shop", async () => {
    const branch = await createBranch(gateway, acme.id);
    await gateway.db.branchGood.create({
      data: { companyId: acme.id, branchId: branch.id, goodId: goods.elsewhere },
    });

    const { body } = await acme.owner.rest("GET", `/companies/${acme.id}/branches/${branch.id}/goods`);

    expect(ids(body)).toEqual([goods.elsewhere]);
  });

  it("are open for the company and a good type, and need access to goods or properties for the others", async () => {
    const [reader, stranger] = [
      await adminWith(gateway, acme.id, "access_goods"),
      await adminWith(gateway, acme.id, "access_coupons"),
    ];
    const { client } = await signedInClient(gateway, acme.id);
    const open = ["goods", `good-types/${here.goodTypeId}/goods`];
    const closed = [
      `branches/${here.branchId}/goods`,
      `branch-groups/${here.branchGroupId}/goods`,
      `branches/${here.branchId}/categories/${here.categoryId}/goods`,
      `good-tags/${here.goodTagId}/goods`,
      `goods/${goods.ofShop}/allowed-providers`,
    ];
    const properties = `properties/${here.propertyId}/goods`;
    const status = async (caller: typeof client, path: string): Promise<number> =>
      (await caller.rest("GET", `/companies/${acme.id}/${path}`)).status;

    for (const path of open) expect(await status(gateway.anonymous, path)).toBe(200);
    for (const path of [...closed, properties]) {
      expect([
        await status(gateway.anonymous, path),
        await status(stranger, path),
        await status(client, path),
      ]).toEqual([401, 403, 403]);
    }
    for (const path of closed) expect(await status(reader, path)).toBe(200);
    expect(await status(reader, properties)).toBe(403);
    expect(await status(await adminWith(gateway, acme.id, "access_properties"), properties)).toBe(200);
  });

  it("are not found for rows that do not exist or are another company's", async () => {
    const globex = await createCompany(gateway);
    const theirs = await createPlaces(globex.id);
    const paths = (place: typeof here, mine = here): string[] => [
      `branches/${place.branchId}/goods`,
      `branch-groups/${place.branchGroupId}/goods`,
      `branches/${place.branchId}/categories/${mine.categoryId}/goods`,
      `branches/${mine.branchId}/categories/${place.categoryId}/goods`,
      `good-tags/${place.goodTagId}/goods`,
      `good-types/${place.goodTypeId}/goods`,
      `properties/${place.propertyId}/goods`,
    ];
    const nobody = Object.fromEntries(Object.keys(here).map((key) => [key, 2_000_000_000])) as typeof here;

    for (const path of [...paths(theirs), ...paths(nobody)]) {
      expect([path, (await acme.owner.rest("GET", `/companies/${acme.id}/${path}`)).status]).toEqual([
        path,
        404,
      ]);
    }
    const result = await acme.owner.run(BY_GRAPHQL, { companyId: acme.id, ...theirs });
    expect(new Set(errorCodes(result))).toEqual(new Set(["NOT_FOUND"]));
  });

  it("name the enabled providers of the good's shop", async () => {
    const provider = async (enabled: boolean, branchGroupId: number | null): Promise<number> => {
      const { id } = await gateway.db.provider.create({ data: { companyId: acme.id, name: "Pro", enabled } });
      if (branchGroupId !== null)
        await gateway.db.providerBranchGroup.create({
          data: { companyId: acme.id, providerId: id, branchGroupId },
        });
      return id;
    };
    const [first, second] = [
      await provider(true, here.branchGroupId),
      await provider(true, here.branchGroupId),
    ];
    await provider(false, here.branchGroupId);
    await provider(true, null);

    const { body } = await acme.owner.rest(
      "GET",
      `/companies/${acme.id}/goods/${goods.ofShop}/allowed-providers`,
    );

    expect(body).toEqual([
      {
        id: first,
        name: "Pro",
        email: null,
        external_id: null,
        phone: null,
        city_id: null,
        enabled: true,
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 2,
      },
      expect.objectContaining({ id: second }),
    ]);
    expect(
      (await acme.owner.rest("GET", `/companies/${acme.id}/goods/${goods.sold}/allowed-providers`)).body,
    ).toEqual([]);
    expect(
      (await acme.owner.rest("GET", `/companies/${acme.id}/goods/${goods.deleted}/allowed-providers`)).status,
    ).toBe(404);
  });

  async function createPlaces(companyId: number): Promise<typeof here> {
    const branchGroup = await createBranchGroup(gateway, companyId);
    const branch = await createBranch(gateway, companyId, { branchGroupId: branchGroup.id });
    const category = await gateway.db.category.create({ data: { companyId, name: "Drinks" } });
    const tag = await gateway.db.goodTag.create({ data: { companyId, name: "Hot" } });
    const type = await gateway.db.goodType.create({ data: { companyId, name: "Food" } });
    const property = await createProperty(gateway, companyId);
    return {
      branchId: branch.id,
      branchGroupId: branchGroup.id,
      categoryId: category.id,
      goodTagId: tag.id,
      goodTypeId: type.id,
      propertyId: property.id,
    };
  }

  async function link(companyId: number, goodId: number): Promise<void> {
    const { categoryId, goodTagId, propertyId } = here;
    await gateway.db.goodCategory.create({ data: { companyId, goodId, categoryId } });
    await gateway.db.goodTagGood.create({ data: { companyId, goodId, goodTagId } });
    await gateway.db.goodProperty.create({ data: { companyId, goodId, propertyId, displayName: "Size" } });
  }
});

const ids = (body: { id: number }[]): number[] => body.map(({ id }) => id);
