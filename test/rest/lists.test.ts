import { createCompany, createProperty, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway, type RestResult } from "../support/gateway.js";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const list = (query: string): Promise<RestResult> =>
  gateway.anonymous.rest("GET", `/companies/${company.id}/properties${query}`);
const names = ({ body }: RestResult): string[] => body.map(({ name }: { name: string }) => name);
const wrongFields = ({ body }: RestResult): string[] =>
  body.errors.map(({ field }: { field: string }) => field);
const linksOf = ({ headers }: RestResult): Record<string, string> =>
  Object.fromEntries(
    [...String(headers["link"] ?? "").matchAll(/<([^>]+)>; rel="(\w+)"/gu)].map(([, url, relation]) => [
      relation,
      url,
    ]),
  );
async function make(...all: string[]): Promise<void> {
  for (const name of all) await createProperty(gateway, company.id, { name });
}

describe("pages by number", () => {
  it("tell the total and where the others are", async () => {
    await make("a", "b", "c", "d", "e");

    const second = await list("?page=2&per_page=2&sort=name");

    expect(names(second)).toEqual(["c", "d"]);
    expect(second.headers["x-total-count"]).toBe("5");
    const links = linksOf(second);
    expect(Object.keys(links)).toEqual(["first", "prev", "next", "last"]);
    const path = `/api/companies/${company.id}/properties`;
    expect(Object.values(links)).toEqual(
      [1, 1, 3, 3].map((page) => `${path}?page=${page}&per_page=2&sort=name`),
    );
    const last = await gateway.app.inject({ url: links["last"] ?? "" });
    expect(last.json<{ name: string }[]>().map(({ name }) => name)).toEqual(["e"]);
  });

  it("lead from behind the last page back to it", async () => {
    await make("a", "b", "c", "d", "e");

    const [behind, far] = [
      await list("?page=4&per_page=2&sort=name"),
      await list("?page=9&per_page=2&sort=name"),
    ];

    for (const answer of [behind, far]) {
      const path = `/api/companies/${company.id}/properties`;
      expect(answer.body).toEqual([]);
      expect(linksOf(answer)).toEqual({
        first: `${path}?page=1&per_page=2&sort=name`,
        prev: `${path}?page=3&per_page=2&sort=name`,
        last: `${path}?page=3&per_page=2&sort=name`,
      });
    }
  });

  it("name no host that a request made up, and the public address where there is one", async () => {
    await make("a");
    const url = `/api/companies/${company.id}/properties?page=1`;
    const headers = { host: "evil.example", "x-forwarded-host": "worse.example" };
    const shop = await startGateway({ on: gateway, environment: { PUBLIC_URL: "https://shop.example/v1/" } });

    const links = [];
    for (const { app } of [gateway, shop]) links.push((await app.inject({ url, headers })).headers["link"]);
    await shop.close();

    const linksFrom = (start: string) => `<${start}${url}>; rel="first", <${start}${url}>; rel="last"`;
    expect(links).toEqual([linksFrom(""), linksFrom("https://shop.example/v1")]);
  });

  it("are 25 rows unless asked for otherwise, newest first", async () => {
    await make(...Array.from({ length: 26 }, (_, index) => `p${index}`));

    const answer = await list("");

    expect(answer.body).toHaveLength(25);
    expect(names(answer)[0]).toBe("p25");
    expect(linksOf(answer)).not.toHaveProperty("prev");
  });

  it.each(["?page=", "?per_page=", "?page=&per_page=&sort=&load=&fields=&filter="])(
    "are as ever with nothing behind the sign: %s",
    async (query) => {
      await make("a", "b");

      const answer = await list(query);

      expect([answer.status, names(answer), answer.headers["x-total-count"]]).toEqual([200, ["b", "a"], "2"]);
    },
  );

  it("give way to a cursor when nothing is behind the sign", async () => {
    await make("a", "b");

    const answer = await list("?page=&per_page=1&cursor=");

    expect([names(answer), Object.keys(linksOf(answer))]).toEqual([["b"], ["next"]]);
  });

  it.each(["?page=0", "?page=x", "?per_page=0", "?per_page=201", "?per_page=-1", "?page=1.5"])(
    "refuse %s",
    async (query) => {
      const answer = await list(query);

      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    },
  );
});

describe("pages by cursor", () => {
  it.each([
    "",
    "&sort=name",
    "&sort=-name",
    "&sort=branch_group_id,-name",
    "&sort=-branch_group_id",
    "&sort=created_at",
  ])("visit every row once while rows are inserted, ordered by %j", async (sort) => {
    const group = await gateway.db.branchGroup.create({ data: { companyId: company.id, name: "Shop" } });
    for (const name of ["d", "b", "a", "c", "b", "e", "a"]) {
      await createProperty(gateway, company.id, { name, ...(name < "c" && { branchGroupId: group.id }) });
    }
    const there = (await gateway.db.property.findMany({ where: { companyId: company.id } })).map(
      ({ id }) => id,
    );

    const seen: number[] = [];
    let answer = await list(`?cursor=&per_page=2${sort}`);
    for (let page = 0; page < 10; page += 1) {
      seen.push(...answer.body.map(({ id }: { id: number }) => id));
      const { next } = linksOf(answer);
      if (next === undefined) break;
      await make("inserted");
      answer = await gateway.anonymous.rest("GET", next.replace("/api", ""));
      expect(answer.status).toBe(200);
    }

    expect(new Set(seen).size).toBe(seen.length);
    expect(there.filter((id) => !seen.includes(id))).toEqual([]);
    expect(answer.headers).not.toHaveProperty("x-total-count");
  });

  it.each(["?cursor=nonsense", "?cursor=WyJuYW1lIiwxXQ", "?cursor=WyItaWQiLCIxIl0"])(
    "refuse %s",
    async (query) => {
      const answer = await list(query);

      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    },
  );
});

describe("filters", () => {
  it.each([
    ["filter[name]=Beta", ["Beta"]],
    ["filter[name][eq]=Beta", ["Beta"]],
    ["filter[name][ne]=Beta", ["Alpha", "100%", "a_b"]],
    ["filter[name][in]=Alpha,Beta", ["Alpha", "Beta"]],
    ["filter[name][nin]=Alpha,Beta", ["100%", "a_b"]],
    ["filter[name][contains]=ET", ["Beta"]],
    ["filter[name][starts_with]=a", ["Alpha", "a_b"]],
    ["filter[name][contains]=%25", ["100%"]],
    ["filter[name][contains]=_", ["a_b"]],
    ["filter[type][gte]=512", ["Beta"]],
    ["filter[type][lt]=512&filter[name][ne]=Alpha", ["100%", "a_b"]],
    ["filter[disabled]=true", []],
    ["filter[branch_group_id][is_null]=false", []],
    ["filter[branch_group_id][is_null]=true&filter[name]=Alpha", ["Alpha"]],
    ["filter[created_at][gte]=2001-01-01&filter[name]=Alpha", ["Alpha"]],
    ["filter[created_at][lt]=2001-01-01 00:00:00", []],
  ])("%s", async (filter, expected) => {
    await make("Alpha", "100%", "a_b");
    await createProperty(gateway, company.id, { name: "Beta", type: 0x200 });

    const answer = await list(`?${filter}`);

    expect(answer.status).toBe(200);
    expect(names(answer).sort()).toEqual([...expected].sort());
  });

  it.each([
    ["filter[nope]=1", "filter[nope]"],
    ["filter[name][like]=1", "filter[name][like]"],
    ["filter[type]=abc", "filter[type]"],
    ["filter[type][eq]=9007199254740993", "filter[type][eq]"],
    ["filter[disabled]=maybe", "filter[disabled]"],
    ["filter[created_at][gt]=yesterday", "filter[created_at][gt]"],
    ["filter[name]=a%00b", "filter[name]"],
    ["filter[branchGroupId]=1", "filter[branchGroupId]"],
    ["filter=x", "filter"],
    ["sort=nope", "sort"],
    ["sort=-", "sort"],
  ])("refuse %s", async (query, field) => {
    const answer = await list(`?${query}`);

    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(wrongFields(answer)).toEqual([field]);
  });
});

describe("wrong parameters", () => {
  it("are reported all at once, each as it was written and with its rule", async () => {
    const answer = await list(
      "?page=0&per_page=500&sort=name,nope,-priceE2&load=branch_group,nope&fields=id,colour,size" +
        "&filter[type]=x&filter[name][like]=a&filter[created_at][gt]=yesterday&filter[perPage]=1",
    );

    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(answer.body.detail).toBe("11 parameters are wrong; see errors.");
    const told = answer.body.errors.map((error: { field: string; rule: string }) => [
      error.field,
      error.rule,
    ]);
    expect(told).toEqual([
      ["per_page", "max"],
      ["page", "min"],
      ["filter[type]", "type"],
      ["filter[name][like]", "unknown"],
      ["filter[perPage]", "unknown"],
      ["sort", "unknown"],
      ["sort", "unknown"],
      ["load", "unknown"],
      ["fields", "unknown"],
      ["fields", "unknown"],
      ["filter[created_at][gt]", "datetime"],
    ]);
    expect(answer.body.errors[6].message).toMatch(/^"-priceE2" is unknown; allowed: id, name, /u);
  });

  it.each([
    ["per_page=0", "per_page", "min"],
    ["per_page=-1", "per_page", "min"],
    ["per_page=201", "per_page", "max"],
    [`page=${"9".repeat(30)}`, "page", "max"],
    ["per_page=01", "per_page", "format"],
    ["per_page=1.5", "per_page", "format"],
    ["page=two", "page", "format"],
  ])("tell a number beyond its bounds from what is none: %s", async (query, field, rule) => {
    const { status, body } = await list(`?${query}`);

    const message = field === "page" ? "must be between 1 and 1000000" : "must be between 1 and 200";
    expect([status, body.errors]).toEqual([400, [{ field, rule, message }]]);
  });

  it("say nothing more of a part of a filter that could not be read", async () => {
    const answer = await list(
      "?filter[or][0][nope]=1&filter[or][1][name][words]=a b c d e f g h i j k&filter[not][name][like]=a&page=0",
    );

    expect(wrongFields(answer)).toEqual([
      "page",
      "filter[or][0][nope]",
      "filter[not][name][like]",
      "filter[or][1][name][words]",
    ]);
  });

  it.each([
    ["goods", "sort=deleted_at&cursor=zz", ["sort", "filter[name][words]", "cursor"]],
    ["goods", "sort=deleted_at&filter[created_at]=x", ["sort", "filter[created_at]", "filter[name][words]"]],
    [
      "goods",
      "with_deleted=yes&filter[price_e2]=x",
      ["filter[price_e2]", "filter[name][words]", "with_deleted"],
    ],
    ["goods", "format=xml&page=0", ["format", "page", "filter[name][words]"]],
    [
      "goods",
      "format=xlsx&with_deleted=yes&filter[price_e2]=x",
      ["filter[price_e2]", "filter[name][words]", "with_deleted"],
    ],
    ["goods", "fields=zz&load=zz&sort=zz", ["sort", "filter[name][words]", "load", "fields"]],
    ["goods", "fields=zz&load=zz&format=csv", ["filter[name][words]", "load", "fields"]],
    ["coupons", "sort=spent_count,name&cursor=zz", ["sort", "filter[name][words]", "cursor"]],
  ])("of %s are reported whoever finds them: %s", async (resource, query, fields) => {
    const path = `/companies/${company.id}/${resource}?${query}&filter[name][words]=a b c d e f g h i j k`;

    const answer = await company.owner.rest("GET", path);

    expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
    expect(wrongFields(answer).sort()).toEqual([...fields].sort());
  });

  it.each([
    ["cursor=zz", "cursor: is no cursor of this list with this filter in this order."],
    ["cursor=WyJQcm9wZXJ0eSJd", "cursor: is no cursor of this list with this filter in this order."],
    [
      "filter[name][words]=a b c d e f g h i j k",
      "filter[name][words]: has 11 words, at most 10 are allowed.",
    ],
    ["filter[not][not][not][type]=1", "filter[not][not][not]: is deeper than 3 filters."],
    ["filter[created_at]=x", "filter[created_at]: is not a valid datetime."],
    ["filter[created_at]=x&filter[updated_at]=x", "2 parameters are wrong; see errors."],
  ])("are named in the detail as they were written: %s", async (query, detail) => {
    expect((await list(`?${query}`)).body.detail).toBe(detail);
  });

  it("are named in the detail of what orders, too", async () => {
    const detail = async (query: string): Promise<string> =>
      (await company.owner.rest("GET", `/companies/${company.id}/coupons?${query}`)).body.detail;

    expect(await detail("sort=spent_count,name")).toBe("sort: has no other field beside the number of uses.");
    expect(await detail("sort=deleted_at")).toBe(
      "sort: orders deleted rows by when they were deleted; ask for them by with_deleted.",
    );
    expect(await detail("with_deleted=yes")).toBe("with_deleted: must be boolean.");
  });

  it.each([
    ["filter[name]=a&filter[name]=b", "filter[name]"],
    ["filter[name][eq]=a&filter[type]=1&filter[name][eq]=b", "filter[name][eq]"],
    ["filter[type]=1&filter[type][gte]=2", "filter[type]"],
    ["filter[type][gte]=2&filter[type]=1", "filter[type]"],
    ["filter%5Btype%5D=1&filter[type]=1", "filter[type]"],
    ["filter[or][0][name]=a&filter[or][0][name]=b", "filter[or][0][name]"],
    ["filter=x&filter[name]=a", "filter"],
    ["page=2&page=3", "page"],
    ["per_page=2&per_page=3", "per_page"],
    ["cursor=&cursor=", "cursor"],
    ["with_deleted=0&with_deleted=1", "with_deleted"],
  ])("say what is given twice: %s", async (query, field) => {
    const resource = query.startsWith("with_deleted") ? "goods" : "properties";
    const answer = await company.owner.rest("GET", `/companies/${company.id}/${resource}?${query}`);

    expect([answer.status, wrongFields(answer)]).toEqual([400, [field]]);
    expect(answer.body.errors[0]).toMatchObject({ rule: "unique" });
    expect(answer.body.errors[0].message).toMatch(/^is given twice/u);
  });

  it("are none when values of a list come under one name, or operators under several", async () => {
    await make("a", "b", "c");

    expect(names(await list("?filter[name][in]=a&filter[name][in]=b&sort=name"))).toEqual(["a", "b"]);
    expect(names(await list("?filter[name][gte]=b&filter[name][ne]=c"))).toEqual(["b"]);
  });

  it.each([
    "filter[name]]",
    "filter[name] [eq]",
    "filter[name",
    "filter[[name]",
    "filter[name][eq",
    "filter [name]",
    "filter]",
    "filter[not][name]x[eq]",
  ])("have whole brackets: %s", async (name) => {
    const encoded = encodeURIComponent(name);
    const answers = [await list(`?${name.replaceAll(" ", "%20")}=x`), await list(`?${encoded}=x`)];

    const error = { field: name, rule: "format", message: "must be written filter[field]=value" };
    for (const { status, body } of answers) expect([status, body.errors]).toEqual([400, [error]]);
  });

  it("are reported when the same names were wrong before", async () => {
    const answers = [await list("?fields=nope&page=0"), await list("?fields=nope&page=0")];

    expect(answers.map(wrongFields)).toEqual([
      ["page", "fields"],
      ["page", "fields"],
    ]);
  });

  it("are 50 at most", async () => {
    const filters = Array.from({ length: 60 }, (_, index) => `filter[nope_${index}]=1`);

    const answer = await list(`?${filters.join("&")}`);

    expect(answer.body.errors).toHaveLength(50);
    expect(answer.body.detail).toBe("60 parameters are wrong; see errors.");
  });

  it("come after a path that leads nowhere", async () => {
    const path = `/companies/${company.id}/good-types/2000000000/goods?page=0&sort=nope`;

    const answer = await gateway.anonymous.rest("GET", path);

    expect([answer.status, answer.body.code]).toEqual([404, "NOT_FOUND"]);
  });
});

describe("dynamic loading", () => {
  it("embeds relations, nested with dots, and answers just the keys that are wanted", async () => {
    const group = await gateway.db.branchGroup.create({ data: { companyId: company.id, name: "Shop" } });
    await createProperty(gateway, company.id, { name: "Size", branchGroupId: group.id });

    const answer = await list("?load=branch_group&fields=name,id");

    expect(Object.keys(answer.body[0]).sort()).toEqual(["branch_group", "id", "name"]);
    expect(answer.body[0].branch_group).toMatchObject({ id: group.id, name: "Shop" });
  });

  it.each(["load=nope", "load=branch_group.nope", "fields=id,nope"])(
    "refuses %s and lists what there is",
    async (query) => {
      const answer = await list(`?${query}`);

      expect([answer.status, answer.body.code]).toEqual([400, "BAD_REQUEST"]);
      expect(answer.body.detail).toMatch(/allowed: \w+/u);
    },
  );

  it("goes four levels deep at most", async () => {
    const answer = await list("?load=a.b.c.d.e");

    expect([answer.status, answer.body.detail]).toEqual([400, "load: goes at most 4 levels deep."]);
  });
});
