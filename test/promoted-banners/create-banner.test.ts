import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { bannersPath, createTargets } from "./banners.js";

const CREATE = `mutation ($companyId: Int!, $input: CreatePromotedBannerInput!) {
  createPromotedBanner(companyId: $companyId, input: $input) {
    action targetType targetId days dayFriday branchGroup { id } good { id } branchCategory { id } city { id }
  }
}`;

describe("createPromotedBanner", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let targets: Record<string, number>;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    targets = await createTargets(gateway, company.id);
    path = bannersPath(company.id);
  });
  afterAll(() => gateway.close());

  const create = (body: object, client = company.owner) =>
    client.rest("POST", path, {
      body: { action: "view", target_type: "company", target_id: company.id, ...body },
    });
  const count = () => gateway.db.promotedBanner.count({ where: { companyId: company.id } });

  it("answers a banner that is shown every day unless it names days", async () => {
    const { status, body, headers } = await create({});

    expect(status).toBe(201);
    expect(headers.location).toBe(`/api${path}/${body.id}`);
    expect(body).toEqual({
      id: expect.any(Number) as number,
      banner_url: null,
      banner_small_url: null,
      vertical_banner_url: null,
      vertical_banner_small_url: null,
      action: "view",
      target_type: "company",
      target_id: company.id,
      in_order: 0,
      enabled: true,
      name: "",
      description: null,
      hour_from: "00:00",
      hour_to: "23:59",
      tz: null,
      days: 127,
      day_sunday: true,
      day_monday: true,
      day_tuesday: true,
      day_wednesday: true,
      day_thursday: true,
      day_friday: true,
      day_saturday: true,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      version: 1,
    });
    expect((await gateway.anonymous.rest("GET", `${path}/${body.id}`)).body).toEqual(body);
  });

  it.each([
    ["days that are true stand alone", { day_friday: true, day_saturday: true }, 0x60],
    ["days that are false are left out", { day_sunday: false, day_monday: null }, 0x7e],
    ["a day that is false beside one that is true", { day_friday: true, day_sunday: false }, 0x20],
    ["a flag wins over the mask", { days: 0x03, day_sunday: false, day_tuesday: true }, 0x06],
    ["no day at all", { days: 0 }, 0],
  ])("takes days: %s", async (_, days, mask) => {
    const { status, body } = await create(days);

    expect([status, body.days, body.day_friday]).toEqual([201, mask, (mask & 0x20) !== 0]);
  });

  it("has a description of several lines, with tabs", async () => {
    const description = "Bread\n\tand wine";

    const { status, body } = await create({ description });
    const named = await create({ name: "Bread\nand wine" });

    expect([status, body.description]).toEqual([201, description]);
    expect([named.status, wrongFields(named.body.errors)]).toEqual([422, ["name:control_characters"]]);
  });

  it.each(["branch_group", "good", "branch_category", "city"])("leads to a %s", async (type) => {
    const input = { action: "view", targetType: type, targetId: targets[type] };

    const result = await company.owner.run(CREATE, { companyId: company.id, input });

    const relations = { branchGroup: null, good: null, branchCategory: null, city: null };
    const name = type.replace(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());
    expect(dataOf(result)["createPromotedBanner"]).toMatchObject({
      targetType: type,
      targetId: targets[type],
      ...relations,
      [name]: { id: targets[type] },
    });
  });

  it("takes the company's own id for the company, which has to be named, and no other", async () => {
    const input = { action: "view", targetType: "company" };
    const untold = await company.owner.run(CREATE, { companyId: company.id, input });
    const own = await create({ target_id: company.id });
    const other = await create({ target_id: company.id + 1 });

    expect(wrongFields(untold.errors?.[0]?.extensions["errors"])).toEqual(["targetId:required"]);
    expect([own.status, own.body.target_id]).toEqual([201, company.id]);
    expect([other.status, wrongFields(other.body.errors)]).toEqual([422, ["target_id:exists"]]);
    expect(await count()).toBe(1);
  });

  it("refuses targets that are missing, deleted, of another kind or of another company", async () => {
    const foreign = await createTargets(gateway, (await createCompany(gateway)).id);
    await gateway.db.good.updateMany({
      where: { companyId: company.id },
      data: { deletedAt: new Date() },
    });
    const bodies = [
      ...["company", "branch_group", "good", "branch_category", "city"].flatMap((target_type) => [
        { target_type, target_id: undefined },
        { target_type, target_id: null },
        { target_type, target_id: foreign[target_type] ?? company.id + 1 },
      ]),
      { target_type: "good", target_id: targets["good"] },
      { target_type: "city", target_id: 2 ** 31 - 1 },
    ];

    const refused = [];
    for (const body of bodies) refused.push(await create(body));

    expect(refused.map(({ status }) => status)).toEqual(bodies.map(() => 422));
    const told = refused.map(({ body }) => wrongFields(body.errors).join());
    const unknown = "target_id:exists";
    expect(told).toEqual([
      ...Array.from({ length: 5 }, () => ["target_id:required", "target_id:type", unknown]).flat(),
      unknown,
      unknown,
    ]);
    expect(await count()).toBe(0);
  });

  it("lists all wrong fields at once, and writes nothing", async () => {
    const { status, body } = await create({
      action: "jump",
      target_type: "good",
      target_id: undefined,
      name: "n".repeat(65),
      description: "d".repeat(256),
      hour_from: "7:00",
      hour_to: "24:00",
      tz: "Europe/Berlin",
      days: 128,
      day_monday: "yes",
      in_order: 1.5,
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors).sort()).toEqual([
      "action:enum",
      "day_monday:type",
      "days:max",
      "description:max_length",
      "hour_from:clock",
      "hour_to:clock",
      "in_order:type",
      "name:max_length",
      "target_id:required",
      "tz:offset",
    ]);
    expect(await count()).toBe(0);
  });

  it("is for who may edit banners", async () => {
    const reader = await adminWith(gateway, company.id, "access_banners", "can_edit_goods");
    const editor = await adminWith(gateway, company.id, "can_edit_banners");
    const { client } = await signedInClient(gateway, company.id);

    const statuses = [];
    for (const caller of [gateway.anonymous, client, reader])
      statuses.push((await create({}, caller)).status);

    expect(statuses).toEqual([401, 403, 403]);
    expect(await count()).toBe(0);
    expect((await create({}, editor)).status).toBe(201);
  });

  it("keeps a target that a banner leads to", async () => {
    await create({ target_type: "city", target_id: targets["city"] });

    const { errors } = await company.owner.run(
      `mutation ($companyId: Int!, $id: Int!) { deleteCity(companyId: $companyId, id: $id) { id } }`,
      { companyId: company.id, id: targets["city"] },
    );

    expect(errors?.[0]?.extensions?.["code"]).toBe("CONFLICT");
    expect(await gateway.db.city.count({ where: { companyId: company.id } })).toBe(1);
  });
});
