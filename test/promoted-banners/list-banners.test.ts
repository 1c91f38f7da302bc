import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { bannersPath, createBanner, createTargets } from "./banners.js";

describe("promotedBanners", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("are read by everybody, page by page, and changed by nobody without a token", async () => {
    const ids: number[] = [];
    for (const inOrder of [3, 1, 2]) ids.push((await createBanner(gateway, company.id, { inOrder })).id);
    const path = bannersPath(company.id);

    const first = await gateway.anonymous.rest("GET", `${path}?per_page=2`);
    const second = await gateway.anonymous.rest("GET", `${path}?per_page=2&page=2`);
    const deleted = await gateway.anonymous.rest("DELETE", `${path}/${ids[0] as number}`);

    const shown = [...first.body, ...second.body].map(({ id }: { id: number }) => id);
    expect(shown).toEqual([ids[1], ids[2], ids[0]]);
    expect(first.headers).toMatchObject({ "x-total-count": "3", "cache-control": "public, max-age=15" });
    expect(deleted.status).toBe(401);
    expect(await gateway.db.promotedBanner.count({ where: { companyId: company.id } })).toBe(3);
  });

  it("are found by their target, and load what they lead to", async () => {
    const { good: goodId, city: cityId } = await createTargets(gateway, company.id);
    const { id } = await createBanner(gateway, company.id, { targetType: "good", targetId: goodId, goodId });
    await createBanner(gateway, company.id, { targetType: "city", targetId: cityId, cityId });

    const { body } = await gateway.anonymous.rest(
      "GET",
      `${bannersPath(company.id)}?filter[target_type]=good&filter[target_id]=${goodId as number}&load=good,city`,
    );

    expect(body).toMatchObject([{ id, good: { id: goodId }, city: null }]);
  });

  it("for a good are left out while it is deleted, and show themselves by their ids", async () => {
    const { good: goodId } = await createTargets(gateway, company.id);
    const target = { targetType: "good", targetId: goodId as number, goodId: goodId as number };
    const banner = await createBanner(gateway, company.id, target);
    const other = await createBanner(gateway, company.id);
    const listed = async () => {
      const { body, headers } = await gateway.anonymous.rest("GET", bannersPath(company.id));
      return [body.map(({ id }: { id: number }) => id), headers["x-total-count"]];
    };

    await company.owner.rest("DELETE", `/companies/${company.id}/goods/${goodId as number}`);
    const without = await listed();
    const shown = await gateway.anonymous.rest("GET", `${bannersPath(company.id)}/${banner.id}`);
    await company.owner.rest("POST", `/companies/${company.id}/goods/${goodId as number}/restore`);

    expect([without, shown.status]).toEqual([[[other.id], "1"], 200]);
    expect(await listed()).toEqual([[banner.id, other.id], "2"]);
  });

  it("are counted by what they lead to", async () => {
    await createBanner(gateway, company.id);
    await createBanner(gateway, company.id, { enabled: false });

    const result = await gateway.anonymous.run(
      `query ($companyId: Int!) { promotedBannerCounts(companyId: $companyId, by: target_type) { value count } }`,
      { companyId: company.id },
    );

    expect(dataOf(result)["promotedBannerCounts"]).toEqual([{ value: "company", count: 2 }]);
  });

  it("are counted without those for a good that is deleted, as they are listed", async () => {
    const { good: goodId } = await createTargets(gateway, company.id);
    const target = { targetType: "good", targetId: goodId as number, goodId: goodId as number };
    await createBanner(gateway, company.id, target);
    await createBanner(gateway, company.id);
    const counts = async (by: string) => {
      const result = await gateway.anonymous.run(
        `query ($companyId: Int!) { promotedBannerCounts(companyId: $companyId, by: ${by}) { value count } }`,
        { companyId: company.id },
      );
      return dataOf(result)["promotedBannerCounts"];
    };

    await company.owner.rest("DELETE", `/companies/${company.id}/goods/${goodId as number}`);
    const without = [await counts("target_type"), await counts("enabled")];
    await company.owner.rest("POST", `/companies/${company.id}/goods/${goodId as number}/restore`);

    expect(without).toEqual([[{ value: "company", count: 1 }], [{ value: "true", count: 1 }]]);
    expect(await counts("enabled")).toEqual([{ value: "true", count: 2 }]);
  });

  it("stay with their company", async () => {
    const other = await createCompany(gateway);
    const { id } = await createBanner(gateway, other.id);

    const listed = await gateway.anonymous.rest("GET", bannersPath(company.id));
    const shown = await gateway.anonymous.rest("GET", `${bannersPath(company.id)}/${id}`);
    const deleted = await company.owner.rest("DELETE", `${bannersPath(other.id)}/${id}`);

    expect([listed.body, shown.status, deleted.status]).toEqual([[], 404, 403]);
    expect(await gateway.db.promotedBanner.count({ where: { companyId: other.id } })).toBe(1);
  });
});
