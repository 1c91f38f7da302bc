import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { bannersPath, createBanner, createTargets } from "./banners.js";

describe("updatePromotedBanner", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let targets: Record<string, number>;
  let id: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    targets = await createTargets(gateway, company.id);
    const cityId = targets["city"] as number;
    ({ id } = await createBanner(gateway, company.id, {
      targetType: "city",
      targetId: cityId,
      cityId,
      days: 0x03,
    }));
  });
  afterAll(() => gateway.close());

  const patch = (body: object) => company.owner.rest("PATCH", `${bannersPath(company.id)}/${id}`, { body });
  const stored = () => gateway.db.promotedBanner.findFirst({ where: { companyId: company.id, id } });

  it("changes what is sent, and flags in the stored days", async () => {
    const before = await stored();

    const { status, body } = await patch({ name: "Late", tz: "+02:00", day_monday: false, day_friday: true });

    expect(status).toBe(200);
    expect(body).toMatchObject({ name: "Late", tz: "+02:00", days: 0x21, target_type: "city" });
    expect(await stored()).toEqual({
      ...before,
      name: "Late",
      tz: "+02:00",
      days: 0x21,
      updatedAt: expect.any(Date) as Date,
      version: 2,
      sharesSecond: expect.any(Boolean) as boolean,
    });
  });

  it("leads to another target of the same kind, or of another one", async () => {
    const city = await gateway.db.city.create({ data: { companyId: company.id, name: "Other" } });

    const moved = await patch({ target_id: city.id });
    const good = await patch({ target_type: "good", target_id: targets["good"] });
    const home = await patch({ target_type: "company" });

    expect([moved, good, home].map(({ body }) => [body.target_type, body.target_id])).toEqual([
      ["city", city.id],
      ["good", targets["good"]],
      ["company", company.id],
    ]);
    expect(await stored()).toMatchObject({
      branchGroupId: null,
      goodId: null,
      branchCategoryId: null,
      cityId: null,
    });
  });

  it("judges a target of which only a part changes as a whole", async () => {
    // The city's id is no good's, whatever ids this database has given.
    await gateway.db.good.deleteMany({ where: { companyId: company.id } });
    const before = await stored();

    const type = await patch({ target_type: "good" });
    const unknown = await patch({ target_id: 2 ** 31 - 1 });
    const none = await patch({ target_id: null });
    const foreign = await patch({
      target_type: "company",
      target_id: (targets["city"] as number) + company.id,
    });

    const told = [type, unknown, none, foreign].map(({ status, body }) => [
      status,
      ...wrongFields(body.errors),
    ]);
    expect(told).toEqual([
      [422, "target_id:exists"],
      [422, "target_id:exists"],
      [422, "target_id:type"],
      [422, "target_id:exists"],
    ]);
    expect(await stored()).toEqual(before);
  });

  it("leaves a whole target behind when both parts change at once", async () => {
    const [city, good] = [targets["city"], targets["good"]];
    const changes = Array.from({ length: 8 }, (_, n) =>
      patch(
        n % 2 === 0 ? { target_type: "good", target_id: good } : { target_type: "city", target_id: city },
      ),
    );

    const statuses = (await Promise.all(changes)).map(({ status }) => status);

    expect(statuses).toEqual(changes.map(() => 200));
    const row = await stored();
    expect([row?.goodId ?? null, row?.cityId ?? null]).toEqual(
      row?.targetType === "good" ? [good, null] : [null, city],
    );
  });

  it("knows no banner of another company", async () => {
    const other = await createCompany(gateway);
    const foreign = await createBanner(gateway, other.id);

    const { status } = await company.owner.rest("PATCH", `${bannersPath(company.id)}/${foreign.id}`, {
      body: { name: "Mine", target_type: "company" },
    });

    expect(status).toBe(404);
    expect(
      await gateway.db.promotedBanner.findFirst({ where: { companyId: other.id, id: foreign.id } }),
    ).toMatchObject({ name: foreign.name });
  });
});
