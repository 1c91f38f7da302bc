import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { bannersPath, createBanner } from "./banners.js";

describe("links of banners to branch categories", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let categoryId: number;
  let id: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    ({ id: categoryId } = await category(company.id));
    ({ id } = await createBanner(gateway, company.id));
  });
  afterAll(() => gateway.close());

  const category = (companyId: number) =>
    gateway.db.branchCategory.create({ data: { companyId, name: "Kiosks" } });
  const path = (category = categoryId, banner = id) =>
    `/companies/${company.id}/branch-categories/${category}/promoted-banners/${banner}`;
  const links = () => gateway.db.promotedBannerBranchCategory.count({ where: { companyId: company.id } });

  it("are made once, however often", async () => {
    const first = await company.owner.rest("PUT", path());
    const again = await company.owner.rest("PUT", path());

    expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
    expect(first.body.id).toBe(id);
    expect(await links()).toBe(1);
  });

  it("are listed with the banner, and the banners of a category by it", async () => {
    const other = await createBanner(gateway, company.id);
    await company.owner.rest("PUT", path());

    const shown = await gateway.anonymous.rest(
      "GET",
      `${bannersPath(company.id)}/${id}?load=branch_categories&fields=id`,
    );
    const listed = await gateway.anonymous.run(
      `query ($companyId: Int!, $branchCategoryId: Int) {
        promotedBanners(companyId: $companyId, branchCategoryId: $branchCategoryId) { totalCount nodes { id } }
      }`,
      { companyId: company.id, branchCategoryId: categoryId },
    );
    const all = await gateway.anonymous.rest("GET", bannersPath(company.id));
    const none = await gateway.anonymous.rest(
      "GET",
      `${bannersPath(company.id)}?branch_category_id=${(await category(company.id)).id}`,
    );

    expect(shown.body).toMatchObject({ id, branch_categories: [{ id: categoryId }] });
    expect(dataOf(listed)["promotedBanners"]).toEqual({ totalCount: 1, nodes: [{ id }] });
    expect((all.body as unknown as { id: number }[]).map((banner) => banner.id)).toEqual([id, other.id]);
    expect([none.status, none.body]).toEqual([200, []]);
  });

  it("are taken off, 404 when there are none", async () => {
    await company.owner.rest("PUT", path());

    const gone = await company.owner.rest("DELETE", path());
    const again = await company.owner.rest("DELETE", path());

    expect([gone.status, gone.body, again.status]).toEqual([204, null, 404]);
    expect(await links()).toBe(0);
  });

  it("are refused for rows of other companies and for who may not edit banners", async () => {
    const other = await createCompany(gateway);
    const [foreignCategory, foreignBanner] = [
      await category(other.id),
      await createBanner(gateway, other.id),
    ];
    const reader = await adminWith(gateway, company.id, "access_banners", "can_edit_company");

    const statuses = [
      (await company.owner.rest("PUT", path(foreignCategory.id))).status,
      (await company.owner.rest("PUT", path(categoryId, foreignBanner.id))).status,
      (await reader.rest("PUT", path())).status,
      (await gateway.anonymous.rest("PUT", path())).status,
    ];

    expect(statuses).toEqual([404, 404, 403, 401]);
    expect(await links()).toBe(0);
  });

  it("go with the category and with the banner", async () => {
    const second = await createBanner(gateway, company.id);
    await company.owner.rest("PUT", path());
    await company.owner.rest("PUT", path(categoryId, second.id));

    await company.owner.rest("DELETE", `${bannersPath(company.id)}/${id}`);
    const afterBanner = await links();
    await company.owner.run(
      `mutation ($companyId: Int!, $id: Int!) { deleteBranchCategory(companyId: $companyId, id: $id) { id } }`,
      { companyId: company.id, id: categoryId },
    );

    expect([afterBanner, await links()]).toEqual([1, 0]);
    expect(await gateway.db.promotedBanner.count({ where: { companyId: company.id } })).toBe(1);
  });
});
