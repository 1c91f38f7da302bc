import { createCoupon, inState } from "../coupons/coupon-rows.js";
import { createBranchGroup, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway, type RestResult } from "../support/gateway.js";

const MORE = 10_001;

describe("lists without pages that have more than 10,000 rows", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let paths: Record<string, string>;

  beforeAll(async () => {
    gateway = await startGateway({ own: "database" });
    company = await createCompany(gateway);
    const { db } = gateway;
    const companyId = company.id;
    const coupon = await createCoupon(gateway, companyId, inState("running"));
    const shop = await createBranchGroup(gateway, companyId);
    const good = await createGood(gateway, companyId, { branchGroupId: shop.id });
    const tag = await db.goodTag.create({ data: { companyId, name: "Fresh" } });
    const property = await db.property.create({ data: { companyId, name: "Size", type: 0x100 } });
    await db.$executeRaw`
      INSERT INTO coupon_codes (company_id, coupon_id, code)
      SELECT ${companyId}::int, ${coupon.id}::int, 'CODE' || n FROM generate_series(1, ${MORE}) n`;
    await db.$executeRaw`
      WITH made AS (INSERT INTO providers (company_id, name)
        SELECT ${companyId}::int, 'Provider ' || n FROM generate_series(1, ${MORE}) n RETURNING id)
      INSERT INTO provider_branch_groups (company_id, provider_id, branch_group_id)
      SELECT ${companyId}::int, id, ${shop.id}::int FROM made`;
    await db.$executeRaw`
      WITH made AS (INSERT INTO goods (company_id, name, short_details, details, price_e2, type)
        SELECT ${companyId}::int, 'Good ' || n, '', '', 100, 0 FROM generate_series(1, ${MORE}) n RETURNING id),
      tagged AS (INSERT INTO good_tag_goods (company_id, good_tag_id, good_id)
        SELECT ${companyId}::int, ${tag.id}::int, id FROM made)
      INSERT INTO good_properties (company_id, good_id, property_id, display_name, options)
      SELECT ${companyId}::int, id, ${property.id}::int, 'Size', 256 FROM made`;
    await gateway.asOwner("ANALYZE");
    paths = {
      "codes of a coupon": `/companies/${companyId}/coupons/${coupon.id}/codes`,
      "goods of a tag": `/companies/${companyId}/good-tags/${tag.id}/goods`,
      "providers of a good": `/companies/${companyId}/goods/${good.id}/allowed-providers`,
      "properties of all goods": `/companies/${companyId}/good-properties/legacy`,
    };
  });
  afterAll(() => gateway.close());

  const idsOf = ({ body }: RestResult): number[] => (body as { id: number }[]).map(({ id }) => id);
  const linkTo = (relation: string, { headers }: RestResult): string | undefined =>
    new RegExp(`<([^>]+)>; rel="${relation}"`, "u").exec(String(headers["link"]))?.[1];

  it.each(["codes of a coupon", "goods of a tag", "providers of a good", "properties of all goods"])(
    "say so, and where the others are: %s",
    async (list) => {
      const url = paths[list] as string;

      const first = await company.owner.rest("GET", url);
      const next = linkTo("next", first);
      const second = await company.owner.rest("GET", String(next).replace("/api", ""));
      const beyond = await company.owner.rest("GET", `${url}?page=3`);

      expect([first, second, beyond].map(({ status }) => status)).toEqual([200, 200, 200]);
      expect([first, second, beyond].map(({ body }) => body.length)).toEqual([10_000, 1, 0]);
      expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(MORE);
      for (const { headers } of [first, second, beyond]) expect(headers["x-total-count"]).toBe(String(MORE));
      expect(next).toBe(`/api${url}?page=2`);
      expect([linkTo("prev", first), linkTo("next", second)]).toEqual([undefined, undefined]);
      expect([linkTo("prev", second), linkTo("last", second)]).toEqual([
        `/api${url}?page=1`,
        `/api${url}?page=2`,
      ]);
    },
  );

  it("cost a count only when they are cut", async () => {
    const url = paths["codes of a coupon"] as string;
    const counts = async (query: string): Promise<number> => {
      gateway.statements.length = 0;
      await company.owner.rest("GET", `${url}${query}`);
      return gateway.statements.filter((sql) => /count\(.*coupon_codes/isu.test(sql)).length;
    };

    expect(await counts("?page=2")).toBe(0);
    expect(await counts("")).toBe(1);
  });

  it("tell their total when they are whole", async () => {
    const { id } = await createGood(gateway, company.id);

    const { headers, body } = await company.owner.rest(
      "GET",
      `/companies/${company.id}/goods/${id}/allowed-providers`,
    );

    expect([body, headers["x-total-count"], linkTo("next", { headers } as RestResult)]).toEqual([
      [],
      "0",
      undefined,
    ]);
  });

  it("tell it whatever is preferred of totals, and confirm no such preference", async () => {
    const url = paths["codes of a coupon"] as string;

    for (const count of ["none", "estimated"]) {
      const { status, headers } = await company.owner.rest("GET", url, {
        headers: { prefer: `handling=strict, count=${count}` },
      });

      expect([status, headers["x-total-count"]]).toEqual([200, String(MORE)]);
      expect(headers["preference-applied"]).toBe("handling=strict");
    }
  });

  it.each(["page=0", "page=x", "page=214749"])("refuse %s", async (query) => {
    const { status, body } = await company.owner.rest("GET", `${paths["codes of a coupon"]}?${query}`);

    expect([status, body.errors[0].field]).toEqual([400, "page"]);
  });

  it("go on by offset over GraphQL, which counts them", async () => {
    const tagId = Number(/good-tags\/(\d+)/u.exec(paths["goods of a tag"] as string)?.[1]);
    const of = `companyId: ${company.id}, goodTagId: ${tagId}`;

    const { data } = await company.owner.run(
      `{ goodsOfTag(${of}, offset: 10000) { id } goodsOfTagCount(${of}) }`,
    );
    const wrong = await company.owner.run(`{ goodsOfTag(${of}, offset: -1) { id } }`);

    expect([data?.["goodsOfTag"].length, data?.["goodsOfTagCount"]]).toEqual([1, MORE]);
    expect(wrong.errors?.[0]?.extensions).toMatchObject({
      code: "BAD_REQUEST",
      errors: [{ field: "offset" }],
    });
  });
});
