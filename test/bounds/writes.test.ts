import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import { sendForm } from "../files/uploads.js";
import { csv } from "../imports/imports.js";
import { createBranch } from "../support/factories.js";
import { createAdminRow, createType } from "../admins/people.js";
import { runningCoupon } from "../coupons/running-coupon.js";
import { boundAdmin, createTwoShops, type TwoShops } from "./two-shops.js";

const ROLES = [
  "access_goods",
  "can_edit_goods",
  "can_edit_company",
  "can_edit_settings",
  "can_edit_coupons",
  "can_edit_carts",
  "access_company",
  "can_edit_properties",
] as const;

const CREATE = `mutation ($companyId: Int!, $branchGroupId: Int!, $input: CreateGoodInput!) {
  createGoodForBranchGroup(companyId: $companyId, branchGroupId: $branchGroupId, input: $input) { branchGroupId } }`;
const CREATE_COMMON = `mutation ($companyId: Int!, $input: CreateGoodInput!) { createGood(companyId: $companyId, input: $input) { id } }`;
const CREATE_BRANCH = `mutation ($companyId: Int!, $input: CreateBranchInput!) {
  createBranch(companyId: $companyId, input: $input) { branchGroupId } }`;
const CREATE_SHOP =
  'mutation ($companyId: Int!) { createBranchGroup(companyId: $companyId, input: { name: "x" }) { id } }';
const MOVE_BRANCH = `mutation ($companyId: Int!, $id: Int!, $input: UpdateBranchInput!) {
  updateBranch(companyId: $companyId, id: $id, input: $input) { branchGroupId } }`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) {
  updateGood(companyId: $companyId, id: $id, input: $input) { id name branchGroupId } }`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteGood(companyId: $companyId, id: $id) { id } }`;
const DELETE_MANY = `mutation ($companyId: Int!, $ids: [Int!]!) { deleteGoods(companyId: $companyId, ids: $ids) { id ok error { code } } }`;

const DELETE_ITEM = `mutation ($companyId: Int!, $id: Int!) { deleteCartItem(companyId: $companyId, id: $id) { id quantity } }`;
const CONSUME = `mutation ($companyId: Int!, $input: ConsumeCouponInput!) { consumeCoupon(companyId: $companyId, input: $input) { id } }`;
const UPDATE_ORDER = `mutation ($companyId: Int!, $id: Int!, $input: UpdateOrderInput!) {
  updateOrder(companyId: $companyId, id: $id, input: $input) { subtotalE2 items { goodId quantity } } }`;
const ADJUST = `mutation ($companyId: Int!, $input: AdjustBalanceInput!) { adjustBalance(companyId: $companyId, input: $input) { id } }`;
const ERASE = `mutation ($companyId: Int!, $id: Int!) { eraseClient(companyId: $companyId, clientId: $id) { id } }`;
const FINISH = `mutation ($companyId: Int!, $id: Int!) { setFinished(companyId: $companyId, couponId: $id) { id } }`;
const DELETE_TYPE = `mutation ($companyId: Int!, $id: Int!) { deleteAdminType(companyId: $companyId, id: $id) { id } }`;
const DELETE_TYPES = `mutation ($companyId: Int!, $ids: [Int!]!) { deleteAdminTypes(companyId: $companyId, ids: $ids) { ok error { code } } }`;
const SET_SHOPS = `mutation ($companyId: Int!, $providerId: Int!, $shops: [Int!]!) {
  setProviderBranchGroups(companyId: $companyId, providerId: $providerId, input: $shops) { id } }`;

describe("what an admin writes who is bound to a shop", () => {
  let gateway: Gateway;
  let shops: TwoShops;
  let bound: Client;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    shops = await createTwoShops(gateway);
    bound = await boundAdmin(gateway, shops.companyId, { branchGroupIds: [shops.own.id] }, ...ROLES);
  });
  afterAll(() => gateway.close());

  const good = { name: "New", shortDetails: "Short", details: "Long", priceE2: 100, type: 0 };
  const goods = () =>
    gateway.db.good.findMany({ where: { companyId: shops.companyId }, orderBy: { id: "asc" } });
  const run = (query: string, variables: Record<string, unknown>) =>
    bound.run(query, { companyId: shops.companyId, ...variables });

  it("creates in the shop, not in another one and not for the whole company", async () => {
    const inOwn = await run(CREATE, { branchGroupId: shops.own.id, input: good });
    const before = await goods();
    const inOther = await run(CREATE, { branchGroupId: shops.other.id, input: good });
    const common = await run(CREATE_COMMON, { input: good });

    expect(dataOf(inOwn)["createGoodForBranchGroup"]).toEqual({ branchGroupId: shops.own.id });
    expect([inOther, common].map(errorCodes)).toEqual([["NOT_FOUND"], ["FORBIDDEN"]]);
    expect(await goods()).toEqual(before);
  });

  it("offers at a branch of the shop a property of the good that it sells", async () => {
    const { companyId, own, other } = shops;
    const { db } = gateway;
    const { id: propertyId } = await db.property.create({ data: { companyId, name: "Size", type: 0x100 } });
    const [mine, theirs] = await db.goodProperty.createManyAndReturn({
      data: [own, other].map(({ goodId }) => ({ companyId, goodId, propertyId, displayName: "Size" })),
    });
    const offer = (branchGoodId: number, goodPropertyId: number | undefined) =>
      run(
        `mutation ($companyId: Int!, $input: CreateBranchGoodPropertyInput!) {
          createBranchGoodProperty(companyId: $companyId, input: $input) { goodPropertyId } }`,
        { input: { branchGoodId, goodPropertyId } },
      );

    expect(dataOf(await offer(own.branchGoodId, mine?.id))).toEqual({
      createBranchGoodProperty: { goodPropertyId: mine?.id },
    });
    const refused = [await offer(own.branchGoodId, theirs?.id), await offer(other.branchGoodId, theirs?.id)];
    expect(refused.map(errorCodes)).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
    expect(await db.branchGoodProperty.count({ where: { companyId } })).toBe(1);
  });

  it("changes, moves and removes rows of the shop alone", async () => {
    const { own, other, commonGoodId } = shops;
    const changed = await run(UPDATE, { id: own.goodId, input: { name: "Other name" } });
    const before = await goods();
    const refused = [
      await run(UPDATE, { id: other.goodId, input: { name: "x" } }),
      await run(UPDATE, { id: commonGoodId, input: { name: "x" } }),
      await run(DELETE, { id: other.goodId }),
      await run(DELETE, { id: commonGoodId }),
    ];

    expect(dataOf(changed)["updateGood"]).toMatchObject({ name: "Other name" });
    expect(refused.map(errorCodes)).toEqual([["NOT_FOUND"], ["FORBIDDEN"], ["NOT_FOUND"], ["FORBIDDEN"]]);
    expect(await goods()).toEqual(before);
  });

  it("neither takes a branch out of the shop nor gives another shop one", async () => {
    const { own, other } = shops;
    const branches = () =>
      gateway.db.branch.findMany({ where: { companyId: shops.companyId }, orderBy: { id: "asc" } });
    const made = await run(CREATE_BRANCH, { input: { name: "New", branchGroupId: own.id } });
    const before = await branches();
    const refused = [
      await run(CREATE_BRANCH, { input: { name: "New", branchGroupId: other.id } }),
      await run(CREATE_BRANCH, { input: { name: "New" } }),
      await run(MOVE_BRANCH, { id: own.branchId, input: { branchGroupId: other.id } }),
      await run(MOVE_BRANCH, { id: own.branchId, input: { branchGroupId: null } }),
      await run(MOVE_BRANCH, { id: other.branchId, input: { branchGroupId: own.id } }),
    ];

    expect(dataOf(made)["createBranch"]).toEqual({ branchGroupId: own.id });
    expect(refused.map(errorCodes)).toEqual([
      ["NOT_FOUND"],
      ["FORBIDDEN"],
      ["NOT_FOUND"],
      ["FORBIDDEN"],
      ["NOT_FOUND"],
    ]);
    expect(await branches()).toEqual(before);

    expect(errorCodes(await run(CREATE_SHOP, {}))).toEqual(["FORBIDDEN"]);
    expect(await gateway.db.branchGroup.count({ where: { companyId: shops.companyId } })).toBe(2);
  });

  it("neither moves a branch without its shop nor puts one into a shop that is only read", async () => {
    const { companyId, own, other } = shops;
    const { id: lonelyId } = await createBranch(gateway, companyId);
    const branchIds = [own.branchId, lonelyId];
    const keeper = await boundAdmin(gateway, companyId, { branchIds }, "can_edit_company");
    const change = (id: number, input: object) => keeper.run(MOVE_BRANCH, { companyId, id, input });
    const branches = () => gateway.db.branch.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const kept = await change(own.branchId, { name: "Renamed", branchGroupId: own.id });
    const before = await branches();

    const refused = [
      await change(own.branchId, { branchGroupId: null }),
      await change(own.branchId, { branchGroupId: other.id }),
      await change(lonelyId, { branchGroupId: own.id }),
      await change(lonelyId, { branchGroupId: other.id }),
      await keeper.run(CREATE_BRANCH, { companyId, input: { name: "New", branchGroupId: own.id } }),
      await keeper.run(CREATE_BRANCH, { companyId, input: { name: "New", branchGroupId: other.id } }),
    ];

    expect(dataOf(kept)["updateBranch"]).toEqual({ branchGroupId: own.id });
    expect(refused.flatMap(errorCodes)).toEqual([
      "FORBIDDEN",
      "NOT_FOUND",
      "FORBIDDEN",
      "NOT_FOUND",
      "FORBIDDEN",
      "NOT_FOUND",
    ]);
    expect(await branches()).toEqual(before);
    expect(dataOf(await change(lonelyId, { branchGroupId: null }))["updateBranch"]).toEqual({
      branchGroupId: null,
    });
  });

  it.each(["shop", "branch"] as const)(
    "changes prices and goods of an order of its %s, which its coupons bound as for anybody",
    async (place) => {
      const { companyId, own, other } = shops;
      const bounds = place === "shop" ? { branchGroupIds: [own.id] } : { branchIds: [own.branchId] };
      const keeper = await boundAdmin(gateway, companyId, bounds, "access_carts", "can_edit_carts");
      const { codes } = await runningCoupon(gateway, companyId, { priceE2: 300 });
      const consume = { code: codes[0], orderId: own.orderId, subtotalE2: 2000 };
      dataOf(await shops.owner.run(CONSUME, { companyId, input: consume }));
      const change = (id: number, input: object) => keeper.run(UPDATE_ORDER, { companyId, id, input });
      const stored = () =>
        gateway.db.order.findMany({ where: { companyId }, include: { items: true }, orderBy: { id: "asc" } });

      const priced = await change(own.orderId, { subtotalE2: 2500 });
      const filled = await change(own.orderId, { items: [{ goodId: own.goodId, quantity: 3 }] });
      const before = await stored();
      const small = await change(own.orderId, { subtotalE2: 299 });
      const beyond = await change(other.orderId, { subtotalE2: 2500 });

      expect(dataOf(priced)["updateOrder"]).toMatchObject({ subtotalE2: 2500 });
      expect(dataOf(filled)["updateOrder"]).toMatchObject({ items: [{ goodId: own.goodId, quantity: 3 }] });
      expect([small, beyond].map(errorCodes)).toEqual([["VALIDATION_FAILED"], ["NOT_FOUND"]]);
      expect(await stored()).toEqual(before);
    },
  );

  it("removes an order of the shop, unless money is about it", async () => {
    const { companyId, own, other } = shops;
    const remove =
      "mutation ($companyId: Int!, $id: Int!) { deleteOrder(companyId: $companyId, id: $id) { id } }";
    const orders = () => gateway.db.order.findMany({ where: { companyId }, orderBy: { id: "asc" } });
    const { id: clientId } = await gateway.db.client.create({ data: { companyId, name: "Eva" } });
    const paid = await gateway.db.order.create({
      data: { companyId, branchId: own.branchId, clientId, currencyIso: "USD", source: "paid" },
    });
    const given = await shops.owner.rest(
      "POST",
      `/companies/${companyId}/orders/${paid.id}/balance-movements/give-change`,
      {
        body: { amount_e2: 350, description: null },
      },
    );
    expect(given.status).toBe(200);

    expect(dataOf(await run(remove, { id: own.orderId }))).toEqual({ deleteOrder: { id: own.orderId } });
    const before = await orders();
    const refused = [await run(remove, { id: paid.id }), await run(remove, { id: other.orderId })];

    expect(refused.map(errorCodes)).toEqual([["INVALID_STATE"], ["NOT_FOUND"]]);
    expect(await orders()).toEqual(before);
  });

  it.each(["shop", "branch"] as const)(
    "writes the rows of carts of its %s, whosever good is in them, and of no others",
    async (place) => {
      const { companyId, own, other, commonGoodId } = shops;
      const { db } = gateway;
      const bounds = place === "shop" ? { branchGroupIds: [own.id] } : { branchIds: [own.branchId] };
      const keeper = await boundAdmin(gateway, companyId, bounds, "access_carts", "can_edit_carts");
      await db.coupon.create({
        data: {
          ...{ companyId, name: "Promo", type: "promo", targetType: "company", status: "running" },
          ...{ totalCount: 9, priceE2: 10, startsAt: new Date(0) },
        },
      });
      const cartAt = (branchId: number | null) => db.cart.create({ data: { companyId, branchId } });
      const cart = await cartAt(own.branchId);
      const beyond = await cartAt(other.branchId);
      const common = await cartAt(null);
      const add = (by: Client, to: { readonly id: number }, goodId: number) =>
        by.rest("POST", `/companies/${companyId}/carts/${to.id}/cart-items`, {
          body: { good_id: goodId, quantity: 1 },
        });
      const change = (id: number) =>
        keeper.rest("PATCH", `/companies/${companyId}/cart-items/${id}`, { body: { quantity: 2 } });
      const remove = (id: number) => keeper.run(DELETE_ITEM, { companyId, id });
      const items = () => db.cartItem.findMany({ where: { companyId }, orderBy: { id: "asc" } });

      const made = [await add(keeper, cart, own.goodId), await add(keeper, cart, commonGoodId)];
      const [first = 0, second = 0] = made.map(({ body }) => Number(body["id"]));
      const changed = [await change(first), await change(second)];
      const removed = [await remove(first), await remove(second)];

      expect([...made, ...changed].map(({ status }) => status)).toEqual([201, 201, 200, 200]);
      expect(removed.map(dataOf)).toEqual([
        { deleteCartItem: { id: first, quantity: 2 } },
        { deleteCartItem: { id: second, quantity: 2 } },
      ]);
      expect(await items()).toEqual([]);

      const { body: inBeyond } = await add(shops.owner, beyond, other.goodId);
      const { body: inCommon } = await add(shops.owner, common, commonGoodId);
      const before = await items();
      const refused = [
        await add(keeper, cart, other.goodId),
        await add(keeper, beyond, commonGoodId),
        await add(keeper, common, commonGoodId),
        await change(Number(inBeyond["id"])),
        await change(Number(inCommon["id"])),
      ];
      const kept = [await remove(Number(inBeyond["id"])), await remove(Number(inCommon["id"]))];

      expect(refused.map(({ status }) => status)).toEqual([404, 404, 403, 404, 403]);
      expect(kept.map(errorCodes)).toEqual([["NOT_FOUND"], ["FORBIDDEN"]]);
      expect(await items()).toEqual(before);
    },
  );

  it("imports goods of the shop alone, and none through a branch whose shop is beyond", async () => {
    const { companyId, own, other } = shops;
    const importer = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [own.id] },
      "can_import_goods",
      "access_goods",
    );
    const seller = await boundAdmin(gateway, companyId, { branchIds: [own.branchId] }, "can_import_goods");
    const { id: lonelyId } = await createBranch(gateway, companyId);
    const lonely = await boundAdmin(gateway, companyId, { branchIds: [lonelyId] }, "can_import_goods");
    const sheet = csv(
      ["id", "SKU", "Product Name", "Price"],
      [other.goodId, "", "taken", "1.00"],
      [own.goodId, "", "renamed", "1.00"],
    );
    const send = (by: Client, place: string) =>
      sendForm(gateway, by, `/companies/${companyId}/${place}/goods/import`, {
        file: { bytes: Buffer.from(sheet), name: "goods.csv", type: "text/csv" },
      });
    const before = await goods();

    const refused = [
      await send(importer, `branch-groups/${other.id}`),
      await send(importer, `branches/${other.branchId}`),
      await send(seller, `branch-groups/${own.id}`),
      await send(seller, `branches/${own.branchId}`),
      await send(lonely, `branches/${lonelyId}`),
    ];
    await gateway.runJobs();

    expect(refused.map(({ status }) => status)).toEqual([404, 404, 403, 403, 403]);
    expect(await goods()).toEqual(before);
    expect(await gateway.db.importJob.count({ where: { companyId } })).toBe(0);

    expect((await send(importer, `branch-groups/${own.id}`)).status).toBe(202);
    expect((await send(shops.owner, `branch-groups/${other.id}`)).status).toBe(202);
    await gateway.runJobs();
    const imports =
      "query ($companyId: Int!) { importJobs(companyId: $companyId) { totalCount nodes { branchGroupId updated } } }";
    expect(dataOf(await importer.run(imports, { companyId }))["importJobs"]).toEqual({
      totalCount: 1,
      nodes: [{ branchGroupId: own.id, updated: 1 }],
    });
    const after = await gateway.db.good.findMany({ where: { companyId, branchGroupId: own.id } });
    expect(after.map(({ name }) => name)).toContain("renamed");
  });

  it("is not told how a row stands that it only reads: that it may not write it comes first", async () => {
    const { companyId } = shops;
    const { db } = gateway;
    const person = await boundAdmin(
      gateway,
      companyId,
      { branchGroupIds: [shops.own.id] },
      "access_clients",
      "can_edit_clients",
      "can_edit_coupons",
      "can_edit_admin_types",
    );
    const { id: clientId } = await db.client.create({ data: { companyId, name: "Ana" } });
    const { id: couponId } = await db.coupon.create({
      data: { companyId, name: "All", type: "promo", targetType: "company", totalCount: 5 },
    });
    const emptyTypeId = await createType(gateway, companyId);
    await createAdminRow(gateway, companyId, { adminTypeId: emptyTypeId });
    const input = { type: "client", key: clientId, amountE2: 8300, description: "Gift" };
    dataOf(await shops.owner.run(ADJUST, { companyId, input }));
    const state = () =>
      Promise.all([
        db.client.findMany({ where: { companyId } }),
        db.coupon.findMany({ where: { companyId } }),
        db.adminType.findMany({ where: { companyId } }),
      ]);
    const before = await state();

    const refused = [
      await person.run(ERASE, { companyId, id: clientId }),
      await person.run(FINISH, { companyId, id: couponId }),
      await person.run(DELETE_TYPE, { companyId, id: emptyTypeId }),
    ];
    const many = await person.run(DELETE_TYPES, { companyId, ids: [emptyTypeId] });
    const byRest = await person.rest("POST", `/companies/${companyId}/coupons/${couponId}/set-finished`);
    const ofOwner = [
      await shops.owner.run(ERASE, { companyId, id: clientId }),
      await shops.owner.run(FINISH, { companyId, id: couponId }),
      await shops.owner.run(DELETE_TYPE, { companyId, id: emptyTypeId }),
    ];

    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"], ["FORBIDDEN"]]);
    expect(JSON.stringify(refused)).not.toContain("83.00");
    expect(dataOf(many)["deleteAdminTypes"]).toEqual([{ ok: false, error: { code: "FORBIDDEN" } }]);
    expect([byRest.status, byRest.body.code]).toEqual([403, "FORBIDDEN"]);
    expect(ofOwner.map(errorCodes)).toEqual([["INVALID_STATE"], ["INVALID_STATE"], ["CONFLICT"]]);
    expect(await state()).toEqual(before);
  });

  it("gives its shop no provider of the company, and takes none from it", async () => {
    const { companyId, own, other } = shops;
    const { db } = gateway;
    const { id: providerId } = await db.provider.create({ data: { companyId, name: "Baker" } });
    for (const branchGroupId of [own.id, other.id])
      await db.providerBranchGroup.create({ data: { companyId, providerId, branchGroupId } });
    const state = async () => [
      await db.provider.findMany({ where: { companyId } }),
      await db.providerBranchGroup.findMany({ where: { companyId }, orderBy: { branchGroupId: "asc" } }),
    ];
    const before = await state();

    const refused = [
      await run(SET_SHOPS, { providerId, shops: [own.id] }),
      await run(SET_SHOPS, { providerId, shops: [] }),
    ];

    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["FORBIDDEN"]]);
    expect(await state()).toEqual(before);
    dataOf(await shops.owner.run(SET_SHOPS, { companyId, providerId, shops: [own.id] }));
    expect(await db.providerBranchGroup.count({ where: { companyId } })).toBe(1);
  });

  it("is told the company's quotas as all others are", async () => {
    const usage = "query ($companyId: Int!) { companyUsage(companyId: $companyId) { name used limit } }";
    const ofOwner = await shops.owner.run(usage, { companyId: shops.companyId });

    expect(dataOf(await run(usage, {}))).toEqual(dataOf(ofOwner));
  });

  it("removes of many rows those of the shop", async () => {
    const { own, other, commonGoodId } = shops;
    const result = await run(DELETE_MANY, { ids: [own.goodId, other.goodId, commonGoodId] });

    expect(dataOf(result)["deleteGoods"]).toEqual([
      { id: own.goodId, ok: true, error: null },
      { id: other.goodId, ok: false, error: { code: "NOT_FOUND" } },
      { id: commonGoodId, ok: false, error: { code: "FORBIDDEN" } },
    ]);
    const kept = (await goods()).filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id);
    expect(kept).toEqual([other.goodId, commonGoodId]);
  });
});
