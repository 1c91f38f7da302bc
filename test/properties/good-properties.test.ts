import { expectRefused } from "../support/bounds.js";
import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

const SYNC = `mutation($companyId: Int!, $goodId: Int!, $input: [SyncGoodPropertyInput!]!) {
  syncGoodProperties(companyId: $companyId, goodId: $goodId, input: $input) { id propertyId displayName options inOrder disabled minCount maxCount stackCount isDynamic }
}`;
const UPDATE = `mutation($companyId: Int!, $goodId: Int!, $propertyId: Int!, $input: UpdateGoodPropertyInput!) {
  updateGoodProperty(companyId: $companyId, goodId: $goodId, propertyId: $propertyId, input: $input) { id displayName options inOrder disabled }
}`;

let gateway: Gateway;
let company: TestCompany;
let good: { id: number };
let properties: { id: number }[];
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  good = await createGood(gateway, company.id);
  properties = [];
  for (const name of ["Size", "Colour", "Topping"])
    properties.push(await createProperty(gateway, company.id, { name }));
});
afterAll(() => gateway.close());

const idOf = (index: number): number => (properties[index] as { id: number }).id;
const stored = () =>
  gateway.db.goodProperty.findMany({
    where: { companyId: company.id, goodId: good.id },
    orderBy: { inOrder: "asc" },
  });
const sync = (input: unknown) => company.owner.run(SYNC, { companyId: company.id, goodId: good.id, input });

describe("one property of a good", () => {
  const ONE = `query ($companyId: Int!, $id: Int!) {
    goodProperty(companyId: $companyId, id: $id) { id goodId propertyId displayName property { name } }
  }`;
  const read = (id: number, companyId = company.id) => gateway.anonymous.run(ONE, { companyId, id });

  it("is read by its id, by everybody, as in the list", async () => {
    await sync([{ propertyId: idOf(1), displayName: "Hue" }]);
    const [row] = await stored();

    const { goodProperty } = dataOf(await read(row?.id as number));

    expect(goodProperty).toEqual({
      id: row?.id,
      goodId: good.id,
      propertyId: idOf(1),
      displayName: "Hue",
      property: { name: "Colour" },
    });
  });

  it("is not found by another company, by an unknown id, and once its good was deleted", async () => {
    const other = await createCompany(gateway);
    await sync([{ propertyId: idOf(0), displayName: "Size" }]);
    const id = (await stored())[0]?.id as number;
    const foreign = await read(id, other.id);
    const unknown = await read(2_000_000_000);
    await company.owner.rest("DELETE", `/companies/${company.id}/goods/${good.id}`);

    const gone = await read(id);

    for (const answer of [foreign, unknown, gone]) expect(errorCodes(answer)).toEqual(["NOT_FOUND"]);
  });
});

describe("synchronising the properties of a good", () => {
  it("replaces the whole set in the order given and keeps the rows of those that stay", async () => {
    const first = dataOf(
      await sync([0, 1].map((index) => ({ propertyId: idOf(index), displayName: `P${index}` }))),
    );
    const [, colour] = first["syncGoodProperties"];

    const second = dataOf(
      await sync([
        {
          propertyId: idOf(2),
          displayName: "Toppings",
          isMultiSelection: true,
          minCount: 1,
          maxCount: 4,
          stackCount: 2,
          isDynamic: true,
        },
        { propertyId: idOf(1), displayName: "Colour", disabled: true },
      ]),
    );

    expect(second["syncGoodProperties"]).toEqual([
      {
        id: expect.any(Number),
        propertyId: idOf(2),
        displayName: "Toppings",
        options: 0x2141180,
        inOrder: 1,
        disabled: false,
        minCount: 1,
        maxCount: 4,
        stackCount: 2,
        isDynamic: true,
      },
      {
        id: colour.id,
        propertyId: idOf(1),
        displayName: "Colour",
        options: 0x100,
        inOrder: 2,
        disabled: true,
        minCount: 0,
        maxCount: 0,
        stackCount: 0,
        isDynamic: false,
      },
    ]);
    expect(await stored()).toHaveLength(2);
  });

  it("lets flags win over the mask sent beside them", async () => {
    const result = dataOf(
      await sync([
        { propertyId: idOf(0), displayName: "P", options: 0xf00100, minCount: 2, isTypeOptions: null },
      ]),
    );

    expect(result["syncGoodProperties"][0].options).toBe(0x200100);
  });

  it("gives what is absent its default, whatever was there before", async () => {
    const item = { propertyId: idOf(0), displayName: "P" };
    await sync([{ ...item, options: 0xfff_f780, disabled: true, isAdminCustomizable: true }]);

    const { body } = await company.owner.rest(
      "POST",
      `/companies/${company.id}/goods/${good.id}/properties`,
      {
        body: [{ property_id: idOf(0), display_name: "P", min_count: 3 }],
      },
    );

    expect(body[0]).toMatchObject({ options: 0x300100, disabled: false, is_free: false, max_count: 0 });
    expect(dataOf(await sync([{ ...item, options: null }]))["syncGoodProperties"]).toMatchObject([
      { id: body[0].id, options: 0x100, disabled: false },
    ]);
  });

  it("empties the set", async () => {
    await sync([{ propertyId: idOf(0), displayName: "P" }]);

    const answer = await company.owner.rest("POST", `/companies/${company.id}/goods/${good.id}/properties`, {
      body: [],
    });

    expect([answer.status, answer.body]).toEqual([200, []]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    [() => [{ propertyId: 2_000_000_000, displayName: "x" }], ["[0].propertyId:exists"]],
    [() => [{}], ["[0].propertyId:required", "[0].displayName:required"]],
    [
      () => [{ propertyId: idOf(0), displayName: "x".repeat(65), options: 0 }],
      ["[0].displayName:max_length", "[0].options:min"],
    ],
    [
      () => [
        { propertyId: idOf(0), displayName: "x", minCount: 16, maxCount: -1, stackCount: 16, propType: 4096 },
      ],
      ["[0].minCount:max", "[0].maxCount:min", "[0].stackCount:max", "[0].propType:max"],
    ],
    [
      () => [
        { propertyId: idOf(0), displayName: "a" },
        { propertyId: idOf(0), displayName: "b" },
      ],
      ["[1].propertyId:unique"],
    ],
    [
      () => [
        { propertyId: idOf(0), displayName: "x".repeat(65), minCount: 16 },
        { propertyId: idOf(2), displayName: "b" },
        { propertyId: idOf(0), displayName: "" },
        { propertyId: 2_000_000_000, displayName: "c" },
      ],
      [
        "[0].displayName:max_length",
        "[0].minCount:max",
        "[2].displayName:min_length",
        "[2].propertyId:unique",
        "[3].propertyId:exists",
      ],
    ],
  ])("refuses %# and leaves the set as it was", async (input, wrong) => {
    await sync([{ propertyId: idOf(1), displayName: "Kept" }]);
    const before = await stored();
    const faces = {
      graphql: SYNC,
      variables: { companyId: company.id, goodId: good.id },
      method: "POST" as const,
      path: `/companies/${company.id}/goods/${good.id}/properties`,
    };

    await expectRefused(company.owner, faces, input(), wrong);

    expect(await stored()).toEqual(before);
  });

  it("is whole under concurrent calls", async () => {
    const sets = [[0, 1], [2], [2, 1, 0], [1, 2]].map((set) =>
      set.map((index) => ({ propertyId: idOf(index), displayName: "P" })),
    );

    await Promise.all(sets.flatMap((set) => [sync(set), sync(set)]));

    const present = (await stored()).map(({ propertyId }) => propertyId);
    expect(sets.map((set) => set.map(({ propertyId }) => propertyId))).toContainEqual(present);
  });
});

describe("changing one property of a good", () => {
  it("changes what is sent and keeps the other bits", async () => {
    await sync([{ propertyId: idOf(0), displayName: "P", minCount: 1, isFree: true }]);

    const answer = await company.owner.rest(
      "PATCH",
      `/companies/${company.id}/goods/${good.id}/properties/${idOf(0)}`,
      {
        body: { max_count: 3, is_free: false, in_order: 7, display_name: "Renamed" },
      },
    );

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      options: 0x130100,
      min_count: 1,
      max_count: 3,
      is_free: false,
      in_order: 7,
      display_name: "Renamed",
    });
    expect(answer.body.options_data).toMatchObject({ type_name: "options", use_name: "none", min_count: 1 });
    expect(answer.body.property.id).toBe(idOf(0));
  });

  it.each([
    [
      { displayName: "", inOrder: 0, disabled: null, options: -1 },
      ["displayName:min_length", "inOrder:min", "disabled:type", "options:min"],
    ],
    [{ minCount: 16, propType: 4096 }, ["minCount:max", "propType:max"]],
  ])("refuses %j", async (input, wrong) => {
    await sync([{ propertyId: idOf(0), displayName: "P" }]);
    const before = await stored();
    const faces = {
      graphql: UPDATE,
      variables: { companyId: company.id, goodId: good.id, propertyId: idOf(0) },
      method: "PATCH" as const,
      path: `/companies/${company.id}/goods/${good.id}/properties/${idOf(0)}`,
    };

    await expectRefused(company.owner, faces, input, wrong);

    expect(await stored()).toEqual(before);
  });

  it("answers 404 when the good does not have the property", async () => {
    const answer = await company.owner.rest(
      "PATCH",
      `/companies/${company.id}/goods/${good.id}/properties/${idOf(0)}`,
      { body: {} },
    );

    expect(answer.status).toBe(404);
  });
});

describe("moving a property of a good", () => {
  it.each([
    [2, 1, ["C", "A", "B"]],
    [0, 2, ["B", "A", "C"]],
    [0, 3, ["B", "C", "A"]],
    [1, 9, ["A", "C", "B"]],
  ])("has those between make room: from %i to %i", async (index, in_order, names) => {
    await sync(["A", "B", "C"].map((displayName, place) => ({ propertyId: idOf(place), displayName })));
    const path = `/companies/${company.id}/goods/${good.id}/properties`;

    const { status, body } = await company.owner.rest("PATCH", `${path}/${idOf(index)}`, {
      body: { in_order },
    });

    expect([status, body.in_order]).toEqual([200, in_order]);
    expect((await stored()).map(({ displayName }) => displayName)).toEqual(names);
    expect(new Set((await stored()).map(({ inOrder }) => inOrder)).size).toBe(3);
  });
});

describe("listing properties of goods", () => {
  it("gives the good along", async () => {
    await sync([{ propertyId: idOf(0), displayName: "A" }]);

    const { body } = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/good-properties?load=good&fields=display_name`,
    );

    expect(body).toMatchObject([{ display_name: "A", good: { id: good.id } }]);
    const result = await gateway.anonymous.run(
      `query ($companyId: Int!) { goodProperties(companyId: $companyId) { nodes { good { id } } } }`,
      { companyId: company.id },
    );
    expect(dataOf(result)["goodProperties"].nodes).toEqual([{ good: { id: good.id } }]);
  });

  it.each([
    ["filter[display_name]=B", ["B"]],
    ["filter[display_name][contains]=a", ["A"]],
    ["filter[disabled]=true", ["C"]],
    ["filter[disabled]=false&filter[display_name]=A", ["A"]],
    ["filter[options]=4608", ["A"]],
  ])("can be narrowed by %s", async (query, names) => {
    await sync([
      { propertyId: idOf(0), displayName: "A", propType: 0x200, isDynamic: true },
      { propertyId: idOf(1), displayName: "B" },
      { propertyId: idOf(2), displayName: "C", propType: 0, isTypeText: true, disabled: true },
    ]);
    const path = `/companies/${company.id}/good-properties?${query}&sort=-id`;

    const { status, body } = await gateway.anonymous.rest("GET", path);

    expect([status, body.map((row: { display_name: string }) => row.display_name)]).toEqual([200, names]);
  });

  it("gives the property along, and the legacy list does not", async () => {
    await sync([
      { propertyId: idOf(1), displayName: "B" },
      { propertyId: idOf(0), displayName: "A" },
    ]);
    const deleted = await createGood(gateway, company.id, { deletedAt: new Date() });
    await gateway.db.goodProperty.create({
      data: { companyId: company.id, goodId: deleted.id, propertyId: idOf(2), displayName: "Gone" },
    });

    const ofGood = await company.owner.rest("GET", `/companies/${company.id}/goods/${good.id}/properties`);
    const all = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/good-properties?sort=display_name`,
    );
    const legacy = await gateway.anonymous.rest("GET", `/companies/${company.id}/good-properties/legacy`);

    expect(ofGood.body.map((row: { display_name: string }) => row.display_name)).toEqual(["B", "A"]);
    expect(ofGood.body[0].property).toMatchObject({ id: idOf(1), name: "Colour", property_options: [] });
    expect(all.status).toBe(400);
    expect(legacy.body).toHaveLength(2);
    expect(legacy.body[0]).not.toHaveProperty("property");
    expect(legacy.body[0]).not.toHaveProperty("options_data");
    expect(legacy.body[0]).toHaveProperty("min_count", 0);
  });
});
