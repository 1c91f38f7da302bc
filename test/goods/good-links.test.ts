import {
  adminWith,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const LINK_TYPE = `mutation ($companyId: Int!, $goodId: Int!, $goodTypeId: Int!) {
  linkGoodType(companyId: $companyId, goodId: $goodId, goodTypeId: $goodTypeId) { goodType { name } }
}`;
const UNLINK_TYPE = `mutation ($companyId: Int!, $goodId: Int!, $goodTypeId: Int!) {
  unlinkGoodType(companyId: $companyId, goodId: $goodId, goodTypeId: $goodTypeId) { goodTypeId goodType { name } }
}`;
const LINK_MATERIAL = `mutation ($companyId: Int!, $goodId: Int!, $materialId: Int!, $input: GoodMaterialInput!) {
  linkGoodMaterial(companyId: $companyId, goodId: $goodId, materialId: $materialId, input: $input) { quantityReal extras material { name } }
}`;
const UNLINK_MATERIAL = `mutation ($companyId: Int!, $goodId: Int!, $materialId: Int!) {
  unlinkGoodMaterial(companyId: $companyId, goodId: $goodId, materialId: $materialId) { quantityReal }
}`;

describe("type and materials of a good", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("set the type in place of another, any number of times", async () => {
    const { id } = await createGood(gateway, acme.id, { goodTypeId: await goodType(acme.id) });
    const type = await goodType(acme.id);

    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await acme.owner.rest("PUT", `${path(id)}/good-types/${type}`);
      expect([status, body.id, body.good_type_id]).toEqual([200, id, type]);
    }
  });

  it("clear the type, if it is that one", async () => {
    const [type, other] = [await goodType(acme.id), await goodType(acme.id)];
    const { id } = await createGood(gateway, acme.id, { goodTypeId: type });

    const wrong = await acme.owner.rest("DELETE", `${path(id)}/good-types/${other}`);
    expect([wrong.status, await typeOf(id)]).toEqual([404, type]);

    const right = await acme.owner.rest("DELETE", `${path(id)}/good-types/${type}`);
    expect([right.status, right.body, await typeOf(id)]).toEqual([204, null, null]);
    expect((await acme.owner.rest("DELETE", `${path(id)}/good-types/${type}`)).status).toBe(404);
  });

  it("say how much of a material is needed, and replace what was said", async () => {
    const { id } = await createGood(gateway, acme.id);
    const beans = await material(acme.id);

    const first = await acme.owner.rest("PUT", `${path(id)}/materials/${beans}`, {
      body: { quantity_real: 2, extras: [{ ground: true }, "fine"] },
    });
    const second = await acme.owner.rest("PUT", `${path(id)}/materials/${beans}`, {
      body: { quantity_real: 2_147_483_647 },
    });

    expect([first.status, first.body]).toEqual([
      200,
      {
        good_id: id,
        material_id: beans,
        quantity_real: 2,
        extras: [{ ground: true }, "fine"],
        created_at: expect.any(String),
        updated_at: expect.any(String),
        version: 1,
        material: expect.objectContaining({ id: beans, name: "Beans", unit: "g" }),
      },
    ]);
    expect(second.body).toMatchObject({ quantity_real: 2_147_483_647, extras: [] });
    expect(await materialsOf(id)).toHaveLength(1);
  });

  it.each([
    [{ quantity_real: 0 }, "quantity_real:min"],
    [{ quantity_real: 1.5 }, "quantity_real:type"],
    [{ quantity_real: null }, "quantity_real:type"],
    [{}, "quantity_real:required"],
    [{ quantity_real: 1, extras: "fine" }, "extras:type"],
    [{ quantity_real: 1, extras: null }, "extras:type"],
  ])("refuse the quantity %j with %s", async (body, wrong) => {
    const { id } = await createGood(gateway, acme.id);
    const beans = await material(acme.id);

    const result = await acme.owner.rest("PUT", `${path(id)}/materials/${beans}`, { body });

    expect([result.status, wrongFields(result.body.errors)]).toEqual([422, [wrong]]);
    expect(await materialsOf(id)).toEqual([]);
  });

  it("take a material off, once", async () => {
    const { id } = await createGood(gateway, acme.id);
    const beans = await material(acme.id);
    await acme.owner.rest("PUT", `${path(id)}/materials/${beans}`, { body: { quantity_real: 2 } });

    const statuses = [
      (await acme.owner.rest("DELETE", `${path(id)}/materials/${beans}`)).status,
      (await acme.owner.rest("DELETE", `${path(id)}/materials/${beans}`)).status,
    ];

    expect([statuses, await materialsOf(id)]).toEqual([[204, 404], []]);
  });

  it("work through GraphQL", async () => {
    const ids = { companyId: acme.id, goodId: (await createGood(gateway, acme.id)).id };
    const [goodTypeId, materialId] = [await goodType(acme.id), await material(acme.id)];
    const { owner } = acme;

    expect(dataOf(await owner.run(LINK_TYPE, { ...ids, goodTypeId })).linkGoodType).toEqual({
      goodType: { name: "Food" },
    });
    expect(dataOf(await owner.run(UNLINK_TYPE, { ...ids, goodTypeId })).unlinkGoodType).toEqual({
      goodTypeId: null,
      goodType: null,
    });
    expect(errorCodes(await owner.run(UNLINK_TYPE, { ...ids, goodTypeId }))).toEqual(["NOT_FOUND"]);
    const input = { quantityReal: 3, extras: [1] };
    expect(dataOf(await owner.run(LINK_MATERIAL, { ...ids, materialId, input })).linkGoodMaterial).toEqual({
      ...input,
      material: { name: "Beans" },
    });
    expect(dataOf(await owner.run(UNLINK_MATERIAL, { ...ids, materialId })).unlinkGoodMaterial).toEqual({
      quantityReal: 3,
    });
    const bad = await owner.run(LINK_MATERIAL, { ...ids, materialId, input: { quantityReal: 0 } });
    expect(wrongFields(bad.errors?.[0]?.extensions["errors"])).toEqual(["quantityReal:min"]);
  });

  it("are refused to whoever may not edit goods, and to what belongs to another company", async () => {
    const globex = await createCompany(gateway);
    const [type, beans] = [await goodType(acme.id), await material(acme.id)];
    const [theirType, theirBeans] = [await goodType(globex.id), await material(globex.id)];
    const theirGood = await createGood(gateway, globex.id);
    const { id } = await createGood(gateway, acme.id, { goodTypeId: type });
    const deleted = await createGood(gateway, acme.id, { goodTypeId: type, deletedAt: new Date() });
    await gateway.db.goodMaterial.create({
      data: { companyId: acme.id, goodId: deleted.id, materialId: beans, quantityReal: 1 },
    });
    const reader = await adminWith(gateway, acme.id, "access_goods");
    const { client } = await signedInClient(gateway, acme.id);
    const body = { quantity_real: 5 };

    for (const [caller, status] of [
      [gateway.anonymous, 401],
      [reader, 403],
      [client, 403],
      [globex.owner, 403],
    ] as const) {
      expect((await caller.rest("PUT", `${path(id)}/good-types/${type}`)).status).toBe(status);
      expect((await caller.rest("DELETE", `${path(id)}/good-types/${type}`)).status).toBe(status);
      expect((await caller.rest("PUT", `${path(id)}/materials/${beans}`, { body })).status).toBe(status);
      expect((await caller.rest("DELETE", `${path(id)}/materials/${beans}`)).status).toBe(status);
    }
    for (const [good, wrongType, wrongMaterial] of [
      [id, theirType, theirBeans],
      [id, 2_000_000_000, 2_000_000_000],
      [theirGood.id, type, beans],
      [deleted.id, type, beans],
    ] as const) {
      expect((await acme.owner.rest("PUT", `${path(good)}/good-types/${wrongType}`)).status).toBe(404);
      expect((await acme.owner.rest("DELETE", `${path(good)}/good-types/${wrongType}`)).status).toBe(404);
      expect(
        (await acme.owner.rest("PUT", `${path(good)}/materials/${wrongMaterial}`, { body })).status,
      ).toBe(404);
      expect(
        (await acme.owner.rest("PUT", `${path(good)}/materials/${wrongMaterial}`, { body: {} })).status,
      ).toBe(404);
      expect((await acme.owner.rest("DELETE", `${path(good)}/materials/${wrongMaterial}`)).status).toBe(404);
    }
    expect([await typeOf(id), await typeOf(deleted.id), await materialsOf(id)]).toEqual([type, type, []]);
    expect(await materialsOf(deleted.id)).toMatchObject([{ quantityReal: 1 }]);
    expect(await gateway.db.goodMaterial.count({ where: { companyId: globex.id } })).toBe(0);
  });

  it("lose nothing when many say it at once", async () => {
    const { id } = await createGood(gateway, acme.id);
    const beans = await material(acme.id);

    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        acme.owner.rest("PUT", `${path(id)}/materials/${beans}`, { body: { quantity_real: index + 1 } }),
      ),
    );

    expect(results.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(await materialsOf(id)).toHaveLength(1);
  });

  const path = (id: number): string => `/companies/${acme.id}/goods/${id}`;

  async function goodType(companyId: number): Promise<number> {
    return (await gateway.db.goodType.create({ data: { companyId, name: "Food" } })).id;
  }

  async function material(companyId: number): Promise<number> {
    return (await gateway.db.material.create({ data: { companyId, name: "Beans", unit: "g" } })).id;
  }

  async function typeOf(id: number): Promise<number | null | undefined> {
    return (await gateway.db.good.findFirst({ where: { companyId: acme.id, id } }))?.goodTypeId;
  }

  function materialsOf(goodId: number): Promise<unknown[]> {
    return gateway.db.goodMaterial.findMany({ where: { companyId: acme.id, goodId } });
  }
});
