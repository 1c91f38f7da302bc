import {
  createBranchGroup,
  createCompany,
  createGood,
  createProperty,
  type TestCompany,
} from "../support/factories.js";
import { type Gateway, startGateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

/** What needs a permission beyond reading the catalogue. */
const FOR_ADMINS = "branch_goods";
const ALL =
  "branch_group,good_type,tags,categories,materials,properties," +
  "picture_medium_urls,picture_small_urls,vertical_picture_medium_urls,vertical_picture_small_urls";

describe("loading relations along with goods", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("embeds every relation under its name", async () => {
    const { id, shop, type } = await createLinkedGood(acme.id);

    const { body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods/${id}?load=${ALL}`);

    expect(body.branch_group).toMatchObject({ id: shop.id });
    expect(body.good_type).toMatchObject({ id: type.id, name: "Food" });
    expect(body.tags).toMatchObject([{ name: "Hot" }]);
    expect(body.categories).toMatchObject([{ name: "Drinks", parent_id: null, in_order: 0 }]);
    expect(body.materials).toMatchObject([
      { good_id: id, quantity_real: 30, extras: ["ground"], material: { name: "Beans" } },
    ]);
    expect(body.properties).toMatchObject([
      {
        good_id: id,
        display_name: "Milk",
        in_order: 1,
        property: { name: "Kind of milk", property_options: [{ name: "Oat" }] },
      },
      { good_id: id, display_name: "Size", in_order: 2 },
    ]);
  });

  it("embeds nothing unless asked for, and null or an empty list where there is no row", async () => {
    const { id } = await createGood(gateway, acme.id);

    const plain = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods/${id}`);
    const loaded = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods/${id}?load=${ALL}`);

    const relations = {
      branch_group: null,
      good_type: null,
      tags: [],
      categories: [],
      materials: [],
      properties: [],
      picture_medium_urls: [],
      picture_small_urls: [],
      vertical_picture_medium_urls: [],
      vertical_picture_small_urls: [],
    };
    expect(Object.keys(plain.body)).not.toEqual(expect.arrayContaining(["properties"]));
    expect(loaded.body).toEqual({ ...plain.body, ...relations });
  });

  it("goes together with a choice of keys", async () => {
    const { id } = await createLinkedGood(acme.id);

    const { body } = await gateway.anonymous.rest(
      "GET",
      `/companies/${acme.id}/goods/${id}?fields=id,price_e2&load=tags`,
    );

    expect(Object.keys(body).sort()).toEqual(["id", "price_e2", "tags"]);
  });

  it("names what can be loaded", async () => {
    const { status, body } = await gateway.anonymous.rest("GET", `/companies/${acme.id}/goods?load=colour`);

    const { message } = body.errors[0] as { message: string };
    expect(status).toBe(400);
    expect(
      message
        .replace(/^.*allowed: /u, "")
        .split(", ")
        .sort(),
    ).toEqual([...ALL.split(","), FOR_ADMINS].sort());
  });

  it("costs as many statements for 20 goods as for 2", async () => {
    const [few, many] = [await createCompany(gateway), await createCompany(gateway)];
    for (let count = 0; count < 2; count += 1) await createLinkedGood(few.id);
    for (let count = 0; count < 20; count += 1) await createLinkedGood(many.id);

    const forget = keepRemembered();
    const statements = [await statementsOf(few.id, 2), await statementsOf(many.id, 20)];
    forget();

    expect(statements[1]).toBe(statements[0]);
  });

  async function statementsOf(companyId: number, rows: number): Promise<number> {
    const path = `/companies/${companyId}/goods?load=${ALL}`;
    await gateway.anonymous.rest("GET", path);
    gateway.statements.length = 0;
    const { body } = await gateway.anonymous.rest("GET", path);
    expect(body).toHaveLength(rows);
    return gateway.statements.length;
  }

  async function createLinkedGood(companyId: number) {
    const { db } = gateway;
    const shop = await createBranchGroup(gateway, companyId);
    const type = await db.goodType.create({ data: { companyId, name: "Food" } });
    const { id: goodId } = await createGood(gateway, companyId, {
      branchGroupId: shop.id,
      goodTypeId: type.id,
    });
    const tag = await db.goodTag.create({ data: { companyId, name: "Hot" } });
    const category = await db.category.create({ data: { companyId, name: "Drinks" } });
    const material = await db.material.create({ data: { companyId, name: "Beans" } });
    const [size, milk] = [
      await createProperty(gateway, companyId),
      await createProperty(gateway, companyId, { name: "Kind of milk" }),
    ];
    await db.propertyOption.create({ data: { companyId, propertyId: milk.id, name: "Oat" } });
    await db.goodTagGood.create({ data: { companyId, goodId, goodTagId: tag.id } });
    await db.goodCategory.create({ data: { companyId, goodId, categoryId: category.id } });
    await db.goodMaterial.create({
      data: { companyId, goodId, materialId: material.id, quantityReal: 30, extras: ["ground"] },
    });
    await db.goodProperty.create({
      data: { companyId, goodId, propertyId: size.id, displayName: "Size", inOrder: 2 },
    });
    await db.goodProperty.create({
      data: { companyId, goodId, propertyId: milk.id, displayName: "Milk", inOrder: 1 },
    });
    return { id: goodId, shop, type };
  }
});
