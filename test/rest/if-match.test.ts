import { createCompany, createGood, adminWith, type TestCompany } from "../support/factories.js";
import { createCouponRow } from "../support/coupons.js";
import {
  type Client,
  errorCodes,
  dataOf,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";

const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!, $ifUpdatedAt: DateTime) {
  updateGood(companyId: $companyId, id: $id, input: $input, ifUpdatedAt: $ifUpdatedAt) { name updatedAt }
}`;
const BY_VERSION = UPDATE.replaceAll("ifUpdatedAt", "ifVersion").replace("DateTime", "Int");
const LONG_AGO = new Date("2020-01-01T10:00:00Z");
const RANGE = {
  min: 1,
  max: 9,
  decimates: 0,
  step: 1,
  default: 1,
  base_price_e2: 1,
  step_price_e2: 1,
  unit: "kg",
};
const FAILED = { status: 412, body: { code: "PRECONDITION_FAILED" } };

describe("changes on condition", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let other: Client;
  let id: number;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    other = await adminWith(gateway, company.id, "access_goods", "can_edit_goods");
    ({ id } = await createGood(gateway, company.id, { name: "Old", updatedAt: LONG_AGO }));
  });
  afterAll(() => gateway.close());

  const path = (suffix = ""): string => `/companies/${company.id}/goods/${id}${suffix}`;
  const etagOf = async (by: Client, suffix = ""): Promise<string> =>
    (await by.rest("GET", path(suffix))).headers["etag"] as string;
  const patch = (by: Client, etag: string, name: string, headers = {}) =>
    by.rest("PATCH", path(), { body: { name }, headers: { "if-match": etag, ...headers } });
  const nameNow = async () =>
    (await gateway.db.good.findFirstOrThrow({ where: { companyId: company.id, id } })).name;

  describe("by If-Match", () => {
    it("are made while the ETag is true, and refused when it is not", async () => {
      const etag = await etagOf(company.owner);

      const first = await patch(company.owner, etag, "Mine");
      const second = await patch(other, etag, "Theirs");
      const third = await patch(other, await etagOf(other), "Theirs");

      expect([first.status, third.status]).toEqual([200, 200]);
      expect(second).toMatchObject(FAILED);
      expect(await nameNow()).toBe("Theirs");
    });

    it("are made once when 20 come at the same time", async () => {
      const etag = await etagOf(company.owner);

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, n) => patch(n % 2 === 0 ? company.owner : other, etag, `New ${n}`)),
      );

      const won = answers.filter(({ status }) => status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter(({ status }) => status !== 200)).toEqual(
        Array(19).fill(expect.objectContaining({ status: 412 })),
      );
      expect(await nameNow()).toBe(won[0]?.body.name);
    });

    it("take the ETag of whatever keys and relations were read", async () => {
      const views = ["?fields=name", "?fields=id,name&load=branch_group", "?load=properties"];
      const etags = await Promise.all(views.map((view) => etagOf(company.owner, view)));
      const property = await gateway.db.property.create({
        data: { companyId: company.id, name: "Size", type: 0x100 },
      });
      await gateway.db.goodProperty.create({
        data: { companyId: company.id, goodId: id, propertyId: property.id, displayName: "Size" },
      });

      expect(await patch(company.owner, etags[2] as string, "With properties")).toMatchObject(FAILED);
      expect(await nameNow()).toBe("Old");
      expect((await patch(company.owner, etags[1] as string, "A")).status).toBe(200);
      expect(await patch(company.owner, etags[0] as string, "B")).toMatchObject(FAILED);
    });

    it.each([
      ["*", 200],
      ['"nothing-of-ours"', 412],
      [`W/"${"a".repeat(27)}.${Buffer.from("no view").toString("base64url")}"`, 412],
      [`W/"${"a".repeat(27)}.${Buffer.from('["secrets",null]').toString("base64url")}"`, 412],
    ])("take what RFC 9110 allows: %s", async (etag, status) => {
      expect((await patch(company.owner, etag, "New")).status).toBe(status);
      expect(await nameNow()).toBe(status === 200 ? "New" : "Old");
    });

    it.each(["nonsense", "", '"open', "W/", '"a" "b"', '*, "a"'])(
      "are refused by name when the header holds no ETags: %s",
      async (header) => {
        const { status, body } = await patch(company.owner, header, "New");

        expect([status, wrongFields(body.errors), await nameNow()]).toEqual([
          400,
          ["If-Match:format"],
          "Old",
        ]);
      },
    );

    it("take a list, weak ETags or not", async () => {
      const etag = await etagOf(company.owner);

      const answer = await patch(company.owner, `"other", ${etag.slice(2)}`, "New");

      expect(answer.status).toBe(200);
    });

    it("look at four views of a list at most", async () => {
      const views = ["id", "name", "id,name", "id,label", "id,sku", "id,price_e2"].map(
        (names) => `?fields=${names}`,
      );
      const tagOf = async (view: string): Promise<string> =>
        (await company.owner.rest("GET", `${path()}${view}`)).headers["etag"] as string;
      const stale: string[] = [];
      for (const view of views) stale.push(`W/"${"a".repeat(27)}.${(await tagOf(view)).split(".")[1] ?? ""}`);
      const [, , , fourth, fifth] = views as [string, string, string, string, string];

      const tooLate = await patch(
        company.owner,
        [...stale.slice(0, 4), await tagOf(fifth)].join(", "),
        "Fifth",
      );
      const inTime = await patch(
        company.owner,
        [...stale.slice(0, 3), await tagOf(fourth)].join(", "),
        "Fourth",
      );

      expect(tooLate).toMatchObject(FAILED);
      expect([inTime.status, await nameNow()]).toEqual([200, "Fourth"]);
    });

    it("go for removals and actions, too", async () => {
      const stale = await etagOf(company.owner);
      await patch(other, "*", "New");
      const coupon = await createCouponRow(gateway, company.id, { status: "pending" });
      const couponPath = `/companies/${company.id}/coupons/${coupon.id}`;
      const couponTag = (await company.owner.rest("GET", couponPath)).headers["etag"] as string;
      await company.owner.rest("PATCH", couponPath, { body: { name: "New" } });

      const removal = await company.owner.rest("DELETE", path(), { headers: { "if-match": stale } });
      const action = await company.owner.rest("POST", `${couponPath}/set-ready`, {
        headers: { "if-match": couponTag },
      });
      const link = await company.owner.rest("DELETE", path("/good-types/1"), {
        headers: { "if-match": stale },
      });
      const right = await company.owner.rest("DELETE", path(), {
        headers: { "if-match": await etagOf(company.owner) },
      });

      expect([removal, action]).toEqual([
        expect.objectContaining({ status: 412 }),
        expect.objectContaining({ status: 412 }),
      ]);
      expect([link.status, right.status]).toEqual([412, 204]);
      expect(
        await gateway.db.coupon.findFirst({ where: { companyId: company.id, id: coupon.id } }),
      ).toMatchObject({ status: "pending" });
    });

    it("bring a deleted row back as it was seen", async () => {
      await company.owner.rest("DELETE", path());
      const etag = await etagOf(company.owner, "?with_deleted=true");

      const stale = await company.owner.rest("POST", path("/restore"), {
        headers: { "if-match": `W/"${"a".repeat(27)}"` },
      });
      const right = await company.owner.rest("POST", path("/restore"), { headers: { "if-match": etag } });

      expect([stale.status, right.status]).toEqual([412, 200]);
    });

    it("come after access, the row and the input", async () => {
      const etag = `W/"${"a".repeat(27)}"`;
      const reader = await adminWith(gateway, company.id, "access_goods");
      const headers = { "if-match": etag };

      expect((await patch(gateway.anonymous, etag, "New")).status).toBe(401);
      expect((await patch(reader, etag, "New")).status).toBe(403);
      expect((await company.owner.rest("PATCH", `${path()}9999`, { body: {}, headers })).status).toBe(404);
      expect((await patch(company.owner, etag, "")).status).toBe(422);
    });

    it("may be sent again with the same key once the ETag is true", async () => {
      const key = { "idempotency-key": "if-match-1" };
      const etag = await etagOf(company.owner);

      const refused = await patch(company.owner, `W/"${"a".repeat(27)}"`, "New", key);
      const made = await patch(company.owner, etag, "New", key);
      const replayed = await patch(company.owner, etag, "New", key);

      expect([refused.status, made.status, replayed.status]).toEqual([412, 200, 200]);
      expect(replayed.headers["idempotent-replayed"]).toBe("true");
    });
  });

  describe("by If-Match, where the resource has no GET on its path", () => {
    const companyPath = (): string => `/companies/${company.id}`;

    it("take the ETag of the company as its domain shows it, and as a change answers it", async () => {
      const { domain } = await gateway.db.company.findFirstOrThrow({ where: { id: company.id } });
      const shown = (await company.owner.rest("GET", `/companies/domain/${domain}`)).headers[
        "etag"
      ] as string;
      const rename = (etag: string, name: string) =>
        company.owner.rest("PATCH", companyPath(), { body: { name }, headers: { "if-match": etag } });

      const first = await rename(shown, "One");
      const stale = await rename(shown, "Two");
      const second = await rename(first.headers["etag"] as string, "Three");
      const removal = await gateway.platform.rest("DELETE", companyPath(), {
        headers: { "if-match": first.headers["etag"] as string },
      });

      expect([first.status, stale.status, second.status, removal.status]).toEqual([200, 412, 200, 412]);
      expect(await gateway.db.company.findFirst({ where: { id: company.id } })).toMatchObject({
        name: "Three",
        deletedAt: null,
      });
    });

    it("restore a deleted company only as it was deleted", async () => {
      const restore = (etag: string) =>
        gateway.platform.rest("POST", `${companyPath()}/restore`, { headers: { "if-match": etag } });
      const { headers } = await company.owner.rest("PATCH", companyPath(), { body: { name: "New" } });
      await gateway.platform.rest("DELETE", companyPath());

      const stale = await restore(headers["etag"] as string);

      expect(stale).toMatchObject(FAILED);
      expect((await gateway.db.company.findFirst({ where: { id: company.id } }))?.deletedAt).not.toBeNull();
      expect((await restore("*")).status).toBe(200);
    });

    it.each(["PATCH", "POST"] as const)("take the ETag that %s of the settings answered", async (method) => {
      const change = (slogan: string, headers = {}) =>
        company.owner.rest(method, `${companyPath()}/settings`, { body: { slogan }, headers });

      const first = await change("One", { "idempotency-key": "settings" });
      const replayed = await change("One", { "idempotency-key": "settings" });
      const second = await change("Two", { "if-match": first.headers["etag"] as string });
      const stale = await change("Three", { "if-match": first.headers["etag"] as string });

      expect([first.status, replayed.headers["idempotent-replayed"], second.status]).toEqual([
        200,
        "true",
        200,
      ]);
      expect(replayed.headers["etag"]).toBe(first.headers["etag"]);
      expect(stale).toMatchObject(FAILED);
      expect((await change("Two")).body.slogan).toBe("Two");
      expect((await change("Two")).headers["etag"]).toBe(second.headers["etag"]);
    });

    it("take the ETag that a change of parts answered, which is that of the row around them", async () => {
      const material = await gateway.db.material.create({ data: { companyId: company.id, name: "Wood" } });
      const property = await gateway.db.property.create({
        data: { companyId: company.id, name: "Size", type: 0x100 },
      });
      const client = await gateway.db.client.create({ data: { companyId: company.id, name: "Client" } });
      const put = (to: string, headers = {}) =>
        company.owner.rest("PUT", path(`/materials/${to}`), { body: { quantity_real: 1 }, headers });

      const linked = await put(`${material.id}`);
      const synced = await company.owner.rest("POST", path("/properties"), {
        body: [{ property_id: property.id, display_name: "Size" }],
        headers: { "if-match": linked.headers["etag"] as string },
      });
      const renamed = await company.owner.rest("PATCH", path(`/properties/${property.id}`), {
        body: { display_name: "Sizes" },
        headers: { "if-match": synced.headers["etag"] as string },
      });
      const good = await patch(company.owner, renamed.headers["etag"] as string, "New");
      const admins = await company.owner.rest("PUT", `${companyPath()}/clients/${client.id}/admins`, {
        body: [],
      });

      expect([linked, synced, renamed, good].map(({ status, body }) => [status, body?.errors])).toEqual(
        Array(4).fill([200, undefined]),
      );
      expect(await patch(company.owner, renamed.headers["etag"] as string, "Newer")).toMatchObject(FAILED);
      expect([admins.status, admins.headers["etag"]]).toEqual([200, expect.stringMatching(/^W\//u)]);
    });

    it("take the ETag that a change of parts alone answered", async () => {
      const { body: property } = await company.owner.rest("POST", `${companyPath()}/properties`, {
        body: { name: "Size" },
      });
      const change = (etag: string, body: object) =>
        company.owner.rest("PATCH", `${companyPath()}/properties/${property.id}`, {
          body: { name: "Size", ...body },
          headers: { "if-match": etag },
        });
      const answers = [await change("*", {})];
      for (const parts of [
        { property_options: [{ name: "S", price_e2: 1 }] },
        { property_options: [] },
        { property_range: RANGE },
        { property_text: { regex: "a" } },
        { property_text: null },
      ])
        answers.push(await change(answers.at(-1)?.headers["etag"] as string, parts));

      expect(answers.map(({ status, body }) => [status, body.version])).toEqual(
        [1, 2, 3, 4, 5, 6].map((version) => [200, version]),
      );
      expect(new Set(answers.map(({ headers }) => headers["etag"])).size).toBe(6);
    });

    it("take the ETag of a banner for its links, and that of an answered change", async () => {
      const companyId = company.id;
      const shop = await gateway.db.branchGroup.create({ data: { companyId, name: "Shop" } });
      const banner = await company.owner.rest("POST", `${companyPath()}/promoted-banners`, {
        body: { action: "view", target_type: "branch_group", target_id: shop.id, name: "Sale" },
      });
      const category = await gateway.db.branchCategory.create({ data: { companyId, name: "Here" } });
      const bannerPath = `${companyPath()}/promoted-banners/${banner.body.id}`;
      const shown = (await company.owner.rest("GET", bannerPath)).headers["etag"] as string;
      const link = (etag: string) =>
        company.owner.rest(
          "PUT",
          `${companyPath()}/branch-categories/${category.id}/promoted-banners/${banner.body.id}`,
          { headers: { "if-match": etag } },
        );

      const linked = await link(shown);
      const changed = await company.owner.rest("PATCH", bannerPath, {
        body: { name: "New" },
        headers: { "if-match": linked.headers["etag"] as string },
      });

      expect([banner.status, linked.status, changed.status]).toEqual([201, 200, 200]);
      expect(await link(banner.headers["etag"] as string)).toMatchObject(FAILED);
    });
  });

  describe("by ifVersion", () => {
    const update = (by: Client, name: string, ifVersion: number) =>
      by.run(BY_VERSION, { companyId: company.id, id, input: { name }, ifVersion });

    it("are made while the row has the version, however fast they come", async () => {
      const results = [];
      for (const [name, version] of [
        ["A", 1],
        ["B", 1],
        ["B", 2],
        ["C", 4],
        ["C", 3],
      ] as const)
        results.push(errorCodes(await update(name === "B" ? other : company.owner, name, version)));

      expect(results).toEqual([[], ["PRECONDITION_FAILED"], [], ["PRECONDITION_FAILED"], []]);
      expect(await nameNow()).toBe("C");
      expect((await company.owner.rest("GET", path())).body.version).toBe(4);
    });

    it("are made once when 20 come at the same time", async () => {
      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => update(n % 2 === 0 ? company.owner : other, `New ${n}`, 1)),
      );

      expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      expect(results.flatMap(errorCodes)).toEqual(Array(19).fill("PRECONDITION_FAILED"));
    });

    it("are made again when the change before changed nothing", async () => {
      const etag = await etagOf(company.owner);

      expect(errorCodes(await update(other, "Old", 1))).toEqual([]);
      expect((await patch(company.owner, etag, "New")).status).toBe(200);
    });
  });

  describe("by ifUpdatedAt", () => {
    const update = (by: Client, name: string, ifUpdatedAt: string | null) =>
      by.run(UPDATE, { companyId: company.id, id, input: { name }, ifUpdatedAt });
    const shown = async (): Promise<string> => (await company.owner.rest("GET", path())).body.updated_at;

    it("tell two changes of one second apart", async () => {
      const before = await shown();

      const first = await update(company.owner, "Mine", before);
      const second = await update(other, "Theirs", before);
      const third = await update(other, "Theirs", dataOf(first)["updateGood"].updatedAt);

      expect(dataOf(first)["updateGood"].name).toBe("Mine");
      expect(errorCodes(second)).toEqual(["PRECONDITION_FAILED"]);
      expect(dataOf(third)["updateGood"].name).toBe("Theirs");
    });

    it("refuse a moment that two states share, whoever has read which", async () => {
      const where = { companyId_id: { companyId: company.id, id } };
      await gateway.db.$transaction(async (db) => {
        for (const name of ["A", "B"]) await db.good.update({ where, data: { name } });
      });
      const { updatedAt, sharesSecond } = await gateway.db.good.findUniqueOrThrow({ where });

      const result = await update(other, "Theirs", updatedAt.toISOString());

      expect(errorCodes(result)).toEqual(sharesSecond ? ["PRECONDITION_FAILED"] : []);
      expect(await nameNow()).toBe(sharesSecond ? "B" : "Theirs");
    });

    it("notice changes that were made without a condition", async () => {
      const before = await shown();
      await patch(other, "*", "Theirs");

      expect(errorCodes(await update(company.owner, "Mine", before))).toEqual(["PRECONDITION_FAILED"]);
      expect(await nameNow()).toBe("Theirs");
    });

    it("are made once when 20 come at the same time", async () => {
      const before = await shown();

      const results = await Promise.all(
        Array.from({ length: 20 }, (_, n) => update(n % 2 === 0 ? company.owner : other, `New ${n}`, before)),
      );

      expect(results.filter(({ errors }) => errors === undefined)).toHaveLength(1);
      expect(results.flatMap(errorCodes)).toEqual(Array(19).fill("PRECONDITION_FAILED"));
    });

    it("refuse one mutation of a document and let the others be made", async () => {
      const coupon = await createCouponRow(gateway, company.id, { status: "pending" });
      const both = `mutation ($c: Int!, $id: Int!, $coupon: Int!) {
        updateGood(companyId: $c, id: $id, input: { name: "New" }, ifUpdatedAt: "2020-01-01") { id }
        updateCoupon(companyId: $c, id: $coupon, input: { name: "New" }) { name }
      }`;

      const { data, errors } = await company.owner.run(both, { c: company.id, id, coupon: coupon.id });

      expect(errors?.map(({ path: place, extensions }) => [place, extensions?.["code"]])).toEqual([
        [["updateGood"], "PRECONDITION_FAILED"],
      ]);
      expect(data).toEqual({ updateGood: null, updateCoupon: { name: "New" } });
      expect(await nameNow()).toBe("Old");
    });

    it("are read in UTC as moments are shown, whatever the company's clock", async () => {
      await gateway.db.company.update({ where: { id: company.id }, data: { timeZoneOffset: "-04:00" } });
      const before = await shown();

      const wrong = await update(company.owner, "New", `${before.replace(" ", "T")}-04:00`);
      const right = await update(company.owner, "New", before);
      const text = await update(company.owner, "New", "yesterday");

      expect([errorCodes(wrong), errorCodes(right), errorCodes(text)]).toEqual([
        ["PRECONDITION_FAILED"],
        [],
        ["VALIDATION_FAILED"],
      ]);
    });
  });
});
