import { expectRefused } from "../support/bounds.js";
import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const CREATE = `mutation($companyId: Int!, $input: PropertyInput!) { createProperty(companyId: $companyId, input: $input) { id } }`;
const UPDATE = `mutation($companyId: Int!, $id: Int!, $input: PropertyInput!) { updateProperty(companyId: $companyId, id: $id, input: $input) { id } }`;
const UNKNOWN_ID = 2_000_000_000;

describe("choices of a property", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const LACKING = ["propertyOptions[0].name:required", "propertyOptions[0].priceE2:required"];

  it.each([
    [{ type: 0x100, propertyOptions: [{}] }, LACKING],
    [{ type: 0x300, propertyOptions: [{}] }, LACKING],
    [{ type: 0xfff, propertyOptions: [{}] }, LACKING],
    [{ type: null, isTypeOptions: true, propertyOptions: [{}] }, LACKING],
    [{ type: 0x200, isTypeOptions: true, propertyOptions: [{ name: "S" }] }, LACKING.slice(1)],
    [
      { type: 0x300, disabled: 1, propertyOptions: [{ name: "S", priceE2: 0 }, {}] },
      ["disabled:type", "propertyOptions[1].name:required", "propertyOptions[1].priceE2:required"],
    ],
    [{ type: 0x100, propertyOptions: [{ name: " ", priceE2: 0 }] }, ["propertyOptions[0].name:min_length"]],
    [
      { name: "x".repeat(65), propertyOptions: [{ id: UNKNOWN_ID, name: "S", priceE2: 0 }] },
      ["name:max_length", "propertyOptions[0].id:exists"],
    ],
  ])("are refused with a new property: %j", async (change, wrong) => {
    const faces = {
      graphql: CREATE,
      variables: { companyId: company.id },
      method: "POST" as const,
      path: `/companies/${company.id}/properties`,
    };

    await expectRefused(company.owner, faces, { name: "Size", ...change }, wrong);

    expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(0);
  });

  it.each([
    [0x100, { propertyOptions: [{}] }, LACKING],
    [0x700, { propertyOptions: [{}] }, LACKING],
    [0x100, { isTypeOptions: null, isTypeText: true, propertyOptions: [{ name: "S" }] }, LACKING.slice(1)],
    [0x200, { isTypeOptions: true, propertyOptions: [{}] }, LACKING],
    [
      0x100,
      { propertyOptions: [{ id: UNKNOWN_ID }, { name: "x".repeat(65) }] },
      ["propertyOptions[0].id:exists", "propertyOptions[1].name:max_length"],
    ],
  ])("are refused of a stored property of type %i: %j", async (type, change, wrong) => {
    const { id } = await createProperty(gateway, company.id, { type });
    const kept = await choice(id);
    const before = await stored();

    await expectRefused(company.owner, doorsOf(id), { name: "Changed", ...change }, wrong);

    expect(await stored()).toEqual(before);
    expect(await choices(id)).toEqual([kept]);
  });

  it("are reported to lack a name beside one of another property", async () => {
    const { id } = await createProperty(gateway, company.id, { type: 0x100 });
    const foreign = await choice((await createProperty(gateway, company.id)).id);

    await expectRefused(
      company.owner,
      doorsOf(id),
      { name: "Size", propertyOptions: [{ priceE2: 1 }, { id: foreign.id }] },
      ["propertyOptions[0].name:required", "propertyOptions[1].id:exists"],
    );

    expect(await choices(id)).toEqual([]);
  });

  it("are refused twice, beside whatever else is wrong", async () => {
    const { id } = await createProperty(gateway, company.id);
    const kept = await choice(id);

    await expectRefused(
      company.owner,
      doorsOf(id),
      { name: "x".repeat(65), propertyOptions: [{ id: kept.id }, { id: null, name: "L" }, { id: kept.id }] },
      ["name:max_length", "propertyOptions[2].id:unique"],
    );

    expect(await choices(id)).toEqual([kept]);
  });

  it("keep what they have when it is absent", async () => {
    const { id } = await createProperty(gateway, company.id);
    const kept = await choice(id);

    const { status, body } = await company.owner.rest("PATCH", `/companies/${company.id}/properties/${id}`, {
      body: { name: "Size", property_options: [{ name: "L", price_e2: 9 }, { id: kept.id }] },
    });

    expect(status).toBe(200);
    expect(body.property_options).toMatchObject([
      { name: "L", price_e2: 9, in_order: 0 },
      { id: kept.id, name: "S", price_e2: 7, in_order: 1 },
    ]);
  });

  it("need no name unless the property is one of options", async () => {
    const path = `/companies/${company.id}/properties`;
    const send = (method: "POST" | "PATCH", place: string, body: object) =>
      company.owner.rest(method, place, { body: { name: "Size", ...body } });
    const made = await send("POST", path, {
      type: 0x200,
      property_options: [{}, { name: " " }, { name: "S" }],
    });
    const id = made.body.id as number;
    const own = `${path}/${id}`;
    expect([made.status, made.body.property_options]).toMatchObject([
      201,
      [{ name: "" }, { name: "" }, { name: "S" }],
    ]);

    const sentBack = made.body.property_options.map(({ id, name }: { id: number; name: string }) => ({
      id,
      name,
    }));
    expect((await send("PATCH", own, { property_options: sentBack })).status).toBe(200);
    const input = { name: "Size", isTypeOptions: false, propertyOptions: [...sentBack, { priceE2: 5 }] };
    expect((await company.owner.run(UPDATE, { companyId: company.id, id, input })).errors).toBeUndefined();
    const before = await choices(id);
    expect(before.map(({ name, priceE2 }) => [name, Number(priceE2)])).toEqual([
      ["", 0],
      ["", 0],
      ["S", 0],
      ["", 5],
    ]);

    await expectRefused(company.owner, doorsOf(id), { name: "Size", isTypeOptions: true }, [
      "propertyOptions:required",
    ]);
    expect(await choices(id)).toEqual(before);
    const named = before.map((row, n) => ({ id: row.id, name: `Size ${n}`, price_e2: 1 }));
    const whole = await send("PATCH", own, { is_type_options: true, property_options: named });
    expect([whole.status, whole.body.type]).toEqual([200, 0x300]);
  });

  it("cost nothing unless the property is one of options", async () => {
    const { status, body } = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
      body: { name: "Size", property_options: [{ name: "S" }] },
    });

    expect([status, body.property_options[0].price_e2]).toEqual([201, 0]);
  });

  const doorsOf = (id: number) => ({
    graphql: UPDATE,
    variables: { companyId: company.id, id },
    method: "PATCH" as const,
    path: `/companies/${company.id}/properties/${id}`,
  });
  const choice = (propertyId: number) =>
    gateway.db.propertyOption.create({
      data: { companyId: company.id, propertyId, name: "S", priceE2: 7 },
    });
  const choices = (propertyId: number) =>
    gateway.db.propertyOption.findMany({
      where: { companyId: company.id, propertyId },
      orderBy: { inOrder: "asc" },
    });
  const stored = () => gateway.db.property.findMany({ where: { companyId: company.id } });
});
