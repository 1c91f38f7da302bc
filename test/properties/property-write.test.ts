import { expectRefused } from "../support/bounds.js";
import {
  createBranch,
  createBranchGroup,
  createCompany,
  createProperty,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

const CREATE = `mutation($companyId: Int!, $input: PropertyInput!) {
  createProperty(companyId: $companyId, input: $input) { id name type propertyOptions { id name priceE2 inOrder isDefault } propertyRange { max default unit } propertyText { regex } }
}`;
const UPDATE = `mutation($companyId: Int!, $id: Int!, $input: PropertyInput!) {
  updateProperty(companyId: $companyId, id: $id, input: $input) { id name type disabled propertyOptions { id name priceE2 inOrder } propertyRange { min } propertyText { regex } }
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

const range = {
  min: 1,
  max: 9,
  decimates: 1,
  step: 2,
  default: 3,
  basePriceE2: 100,
  stepPriceE2: 5,
  unit: "kg",
};

describe("creating a property", () => {
  it("keeps every part and derives the type from its flags", async () => {
    const input = {
      name: "  Größe ",
      isTypeOptions: true,
      propertyOptions: [
        { name: "S", priceE2: 0, isDefault: true },
        { name: "XXL", priceE2: 9_007_199_254_740_991 },
      ],
      propertyRange: range,
      propertyText: { regex: "^[A-Z ]+$", hint: "Capitals" },
    };

    const { createProperty: created } = dataOf(
      await company.owner.run(CREATE, { companyId: company.id, input }),
    );

    expect(created).toMatchObject({ name: "Größe", type: 0x100, propertyText: { regex: "^[A-Z ]+$" } });
    expect(created.propertyOptions).toEqual([
      { id: expect.any(Number), name: "S", priceE2: 0, inOrder: 0, isDefault: true },
      { id: expect.any(Number), name: "XXL", priceE2: 9_007_199_254_740_991, inOrder: 1, isDefault: false },
    ]);
    expect(created.propertyRange).toEqual({ max: 9, default: 3, unit: "kg" });
  });

  it("answers 201 with the place of what was created, in REST names", async () => {
    const answer = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
      body: { name: "Weight", type: 0x200, is_type_text: true, unknown_key: 1 },
    });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      name: "Weight",
      type: 0x600,
      is_type_range: true,
      is_type_text: true,
    });
    expect(answer.headers["location"]).toBe(`/api/companies/${company.id}/properties/${answer.body.id}`);
    const shown = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/properties/${answer.body.id}`,
    );
    expect(shown.body).toEqual(answer.body);
  });

  it("belongs to the shop of the path", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    const branch = await createBranch(gateway, company.id, { branchGroupId: shop.id });

    const ofShop = await company.owner.rest(
      "POST",
      `/companies/${company.id}/branch-groups/${shop.id}/properties`,
      {
        body: { name: "A" },
      },
    );
    const ofBranch = await company.owner.rest(
      "POST",
      `/companies/${company.id}/branches/${branch.id}/properties`,
      {
        body: { name: "B" },
      },
    );

    expect([ofShop.body.branch_group_id, ofBranch.body.branch_group_id]).toEqual([shop.id, shop.id]);
    const listed = await company.owner.rest(
      "GET",
      `/companies/${company.id}/branches/${branch.id}/properties`,
    );
    expect(listed.body.map(({ name }: { name: string }) => name)).toEqual(["B", "A"]);
  });

  it.each([
    [{}, ["name:required"]],
    [{ name: "x".repeat(65), disabled: "yes" }, ["name:max_length", "disabled:type"]],
    [{ name: " \t " }, ["name:min_length"]],
    [{ name: "a\u0000b" }, ["name:control_characters"]],
    [{ name: "line\nbreak" }, ["name:control_characters"]],
    [{ name: null }, ["name:type"]],
    [{ name: "n", type: 1.5, isTypeText: 1 }, ["type:type", "isTypeText:type"]],
    [{ name: "n", type: -1 }, ["type:min"]],
    [
      { name: "n", type: 0x100, propertyOptions: [{}] },
      ["propertyOptions[0].name:required", "propertyOptions[0].priceE2:required"],
    ],
    [
      { name: "n", propertyOptions: [{ name: "x".repeat(65), priceE2: -1, inOrder: -1 }] },
      [
        "propertyOptions[0].name:max_length",
        "propertyOptions[0].priceE2:min",
        "propertyOptions[0].inOrder:min",
      ],
    ],
    [{ name: "n", propertyOptions: [{ priceE2: 2 ** 53 }] }, ["propertyOptions[0].priceE2:max"]],
    [
      { name: "n", propertyRange: {} },
      ["min", "max", "decimates", "step", "default", "basePriceE2", "stepPriceE2"].map(
        (key) => `propertyRange.${key}:required`,
      ),
    ],
    [
      { name: "n", propertyRange: { ...range, max: 1 } },
      ["propertyRange.max:min", "propertyRange.default:max"],
    ],
    [{ name: "n", propertyRange: { ...range, min: null } }, ["propertyRange.min:type"]],
    [{ name: "n", propertyRange: { ...range, min: "0" } }, ["propertyRange.min:type"]],
    [{ name: "n", propertyRange: { ...range, min: 2 ** 31 } }, ["propertyRange.min:max"]],
    [{ name: "n", propertyRange: { ...range, max: null } }, ["propertyRange.max:type"]],
    [
      { name: "n", propertyRange: { ...range, default: 10, decimates: 4, step: 0 } },
      ["propertyRange.default:max", "propertyRange.decimates:max", "propertyRange.step:min"],
    ],
    [
      {
        name: "n",
        propertyRange: { ...range, default: 0, basePriceE2: -1, stepPriceE2: -1, unit: "kilograms" },
      },
      [
        "propertyRange.default:min",
        "propertyRange.basePriceE2:min",
        "propertyRange.stepPriceE2:min",
        "propertyRange.unit:max_length",
      ],
    ],
    [{ name: "n", propertyText: {} }, ["propertyText.regex:required"]],
    [
      { name: "n", propertyText: { regex: "([", hint: "x".repeat(65) } },
      ["propertyText.regex:regex", "propertyText.hint:max_length"],
    ],
    [{ name: "n", propertyText: { regex: "x".repeat(256) } }, ["propertyText.regex:max_length"]],
  ])("refuses %j on both faces and creates nothing", async (input, wrong) => {
    const faces = {
      graphql: CREATE,
      variables: { companyId: company.id },
      method: "POST" as const,
      path: `/companies/${company.id}/properties`,
    };

    await expectRefused(company.owner, faces, input, wrong);

    expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(0);
  });

  it("refuses unknown keys when handling is strict", async () => {
    const answer = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
      body: { name: "n", nmae: "typo", isTypeText: true, property_text: { regex: "x", Flags: "i" } },
      headers: { prefer: "handling=strict" },
    });

    expect(answer.status).toBe(422);
    expect(answer.body.errors).toEqual([
      { field: "nmae", rule: "unknown", message: "is not a known field" },
      { field: "isTypeText", rule: "unknown", message: "is not a known field" },
      { field: "property_text.Flags", rule: "unknown", message: "is not a known field" },
    ]);
    expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(0);
  });
});

describe("changing a property", () => {
  const options = async (id: number) => {
    const where = { companyId: company.id, propertyId: id };
    return gateway.db.propertyOption.findMany({ where, orderBy: { inOrder: "asc" } });
  };

  it("replaces the choices as a set, matched by id", async () => {
    const { createProperty: created } = dataOf(
      await company.owner.run(CREATE, {
        companyId: company.id,
        input: {
          name: "Size",
          propertyOptions: ["S", "M", "L"].map((name, index) => ({ name, priceE2: index * 100 })),
        },
      }),
    );
    const [small, , large] = created.propertyOptions;

    const result = await company.owner.run(UPDATE, {
      companyId: company.id,
      id: created.id,
      input: {
        name: "Size",
        propertyOptions: [{ id: large.id, name: "Large" }, { name: "XL", priceE2: 300 }, { id: small.id }],
      },
    });

    expect(dataOf(result)["updateProperty"].propertyOptions).toEqual([
      { id: large.id, name: "Large", priceE2: 200, inOrder: 0 },
      { id: expect.any(Number), name: "XL", priceE2: 300, inOrder: 1 },
      { id: small.id, name: "S", priceE2: 0, inOrder: 2 },
    ]);
    expect(await options(created.id)).toHaveLength(3);
  });

  it("refuses choices of another property and changes nothing", async () => {
    const mine = await createProperty(gateway, company.id, { name: "Mine" });
    const other = await createProperty(gateway, company.id);
    const foreign = await gateway.db.propertyOption.create({
      data: { companyId: company.id, propertyId: other.id, name: "Foreign" },
    });
    const faces = {
      graphql: UPDATE,
      variables: { companyId: company.id, id: mine.id },
      method: "PATCH" as const,
      path: `/companies/${company.id}/properties/${mine.id}`,
    };

    await expectRefused(
      company.owner,
      faces,
      { name: "Changed", propertyOptions: [{ name: "New", priceE2: 1 }, { id: foreign.id }] },
      ["propertyOptions[1].id:exists"],
    );

    expect(await options(mine.id)).toEqual([]);
    expect(await options(other.id)).toHaveLength(1);
    expect(
      await gateway.db.property.findFirst({ where: { companyId: company.id, id: mine.id } }),
    ).toMatchObject({ name: "Mine" });
  });

  it("keeps its version while a range, a text and choices are sent as they are", async () => {
    const path = `/companies/${company.id}/properties`;
    const parts = {
      property_range: {
        min: 1,
        max: 9,
        decimates: 1,
        step: 2,
        default: 3,
        base_price_e2: 100,
        step_price_e2: 5,
      },
      property_text: { regex: "^[A-Z]+$" },
    };
    const made = await company.owner.rest("POST", path, {
      body: { name: "Size", ...parts, property_options: [{ name: "S", price_e2: 1 }] },
    });
    const { id } = made.body;
    const { id: choice } = made.body.property_options[0];
    const entries = () =>
      gateway.db.journalEntry.count({ where: { companyId: company.id, type: "Property" } });
    const told = await entries();
    const change = (body: object) =>
      company.owner.rest("PATCH", `${path}/${id}`, { body: { name: "Size", ...body } });

    const same = await change({ ...parts, property_options: [{ id: choice }] });
    const toldThen = await entries();
    const other = await change({ ...parts, property_text: { regex: "^[A-Z]+$", hint: "Capitals" } });
    const without = await change({ property_range: null });
    const again = await change({ property_range: null });

    expect(same.body).toEqual(made.body);
    expect(toldThen).toBe(told);
    expect([other, without, again].map(({ body }) => body["version"])).toEqual([2, 3, 3]);
    expect(other.body["property_text"]).toMatchObject({ hint: "Capitals" });
  });

  it("keeps what is absent, and null removes range and text", async () => {
    const { createProperty: created } = dataOf(
      await company.owner.run(CREATE, {
        companyId: company.id,
        input: {
          name: "All",
          type: 0x700,
          disabled: true,
          propertyOptions: [{ name: "a", priceE2: 1 }],
          propertyRange: range,
          propertyText: { regex: "a" },
        },
      }),
    );

    const renamed = dataOf(
      await company.owner.run(UPDATE, {
        companyId: company.id,
        id: created.id,
        input: { name: "Renamed", isTypeText: false },
      }),
    );
    expect(renamed["updateProperty"]).toMatchObject({
      name: "Renamed",
      type: 0x300,
      disabled: true,
      propertyRange: { min: 1 },
      propertyText: { regex: "a" },
    });
    expect(renamed["updateProperty"].propertyOptions).toHaveLength(1);

    const answer = await company.owner.rest("PATCH", `/companies/${company.id}/properties/${created.id}`, {
      body: { name: "Bare", property_options: [], property_range: null, property_text: null },
    });
    expect(answer.body).toMatchObject({ property_options: [], property_range: null, property_text: null });
  });

  it("lets one of two concurrent changes of the choices win whole", async () => {
    const property = await createProperty(gateway, company.id);
    const sets = ["a", "b", "c", "d", "e", "f"].map((name) =>
      [0, 1, 2].map((index) => ({ name: `${name}${index}`, priceE2: index })),
    );

    await Promise.all(
      sets.map((propertyOptions) =>
        company.owner.run(UPDATE, {
          companyId: company.id,
          id: property.id,
          input: { name: "Size", propertyOptions },
        }),
      ),
    );

    const names = (await options(property.id)).map(({ name }) => name);
    expect(sets.map((set) => set.map(({ name }) => name))).toContainEqual(names);
  });

  it("answers 404 before it looks at the body", async () => {
    const answer = await company.owner.rest("PATCH", `/companies/${company.id}/properties/2000000000`, {
      body: { name: 5 },
    });
    const malformed = await company.owner.rest("PATCH", `/companies/${company.id}/properties/2000000000`, {
      body: "{",
    });

    expect([answer.status, malformed.status]).toEqual([404, 404]);
    const result = await company.owner.run(UPDATE, {
      companyId: company.id,
      id: 2_000_000_000,
      input: { name: 5 },
    });
    expect(errorCodes(result)).toEqual(["NOT_FOUND"]);
  });
});

describe("deleting a property", () => {
  it("removes it from its goods too", async () => {
    const property = await createProperty(gateway, company.id);
    const good = await gateway.db.good.create({
      data: { companyId: company.id, name: "G", shortDetails: "s", details: "d", priceE2: 1, type: 0 },
    });
    await gateway.db.goodProperty.create({
      data: { companyId: company.id, goodId: good.id, propertyId: property.id, displayName: "P" },
    });

    const answer = await company.owner.rest("DELETE", `/companies/${company.id}/properties/${property.id}`);

    expect([answer.status, answer.body]).toEqual([204, null]);
    expect(await gateway.db.goodProperty.count({ where: { companyId: company.id } })).toBe(0);
    const again = await company.owner.rest("DELETE", `/companies/${company.id}/properties/${property.id}`);
    expect(again.status).toBe(404);
  });
});
