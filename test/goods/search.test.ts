import {
  adminWith,
  createBranchGroup,
  createCompany,
  createGood,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import {
  type Client,
  dataOf,
  errorCodes,
  type Gateway,
  startGateway,
  wrongFields,
} from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";
import { GOOD_BODY } from "./examples.js";

const SEARCH = `query ($companyId: Int!, $q: String!, $first: Int, $after: String, $last: Int, $before: String,
    $filter: GoodFilterInput, $categoryId: Int, $clientId: Int, $limit: Int, $paginate: Boolean) {
  searchGoods(companyId: $companyId, q: $q, first: $first, after: $after, last: $last, before: $before, filter: $filter,
      categoryId: $categoryId, clientId: $clientId, limit: $limit, paginate: $paginate) {
    totalCount nodes { name } edges { score cursor } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } branches { branchId }
  }
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

const make = (name: string, others: object = {}) => createGood(gateway, company.id, { name, ...others });

/** The names of the goods found, by both faces, which have to agree. */
async function found(q: string, parameters: Record<string, string> = {}, by: Client = gateway.anonymous) {
  const query = new URLSearchParams({ q, ...parameters });
  const { status, body } = await by.rest("GET", `/companies/${company.id}/goods/search?${query.toString()}`);
  expect([q, status]).toEqual([q, 200]);
  const variables = Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replace(/_id$/u, "Id"),
      value === "false" ? false : Number(value),
    ]),
  );
  const { searchGoods } = dataOf(await by.run(SEARCH, { companyId: company.id, q, ...variables }));
  const names = (body as { name: string }[]).map(({ name }) => name);
  expect(searchGoods.nodes.map(({ name }: { name: string }) => name)).toEqual(names);
  expect(searchGoods.branches).toBeNull();
  return names;
}

describe("searching goods", () => {
  it("finds words wherever they stand, whatever their case and accents", async () => {
    await make("Crème Brûlée", {
      shortDetails: "Süßes Dessert",
      sku: "DE-4711",
      keywords: ["Nachtisch", "à la carte"],
      barcodes: ["4006381333931"],
    });
    await make("Bread");
    const queries = [
      "creme brulee",
      "CRÈME",
      "brûlee",
      "suesses",
      "süsses",
      "SUSSES DESSERT",
      "DE-4711",
      "de4711",
      "4711",
      "nachtisch",
      "carte a la",
      "4006381333931",
      "  brulee   dessert ",
    ];
    const results = await Promise.all(queries.map((q) => found(q)));

    // "ü" is "u" without its accent, so that "suesses" has a letter too many.
    expect(results).toEqual(queries.map(() => ["Crème Brûlée"]));
  });

  it("puts what is exact before beginnings, and these before words with typing errors", async () => {
    await make("Chocolates assorted");
    await make("Choclate mousse");
    await make("Cake", { keywords: ["chocolate"] });
    await make("Milk chocolate");
    await make("Chocolate");

    expect(await found("chocolate")).toEqual([
      "Chocolate",
      "Milk chocolate",
      "Cake",
      "Chocolates assorted",
      "Choclate mousse",
    ]);
    const { searchGoods } = dataOf(
      await gateway.anonymous.run(SEARCH, { companyId: company.id, q: "chocolate" }),
    );
    const scores = searchGoods.edges.map(({ score }: { score: number }) => score);
    expect(scores[0]).toBeGreaterThan(0.9);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
  });

  it("finds by beginnings of each length", async () => {
    await make("Wireless headphones", { sku: "HP-100200", barcodes: ["4012345678901"] });

    for (const q of ["w", "wi", "wire", "head wire", "hp", "hp-1002", "1002", "40123"])
      expect(await found(q)).toEqual(["Wireless headphones"]);
  });

  it("finds a code by a slip in its letters or in the order of its characters, and never by another digit", async () => {
    await make("Projector", { sku: "KA-004103" });
    await make("Screen", { sku: "KA-004203" });
    await make("Tea", { sku: "TE-77" });

    for (const q of ["KE-004103", "K-004103", "KAA-004103", "KA-004130", "KA-040103", "AK-004103"])
      expect([q, await found(q)]).toEqual([q, ["Projector"]]);
    expect(await found("KA-004104")).toEqual([]);
    expect(await found("KA-00410")).toEqual(["Projector"]);
    expect(await found("K-004103 projector")).toEqual(["Projector"]);
  });

  it("takes what punctuation ends for a whole word", async () => {
    await make("Tex-Mex sauce");
    await make("Texas-Mexico map");

    expect(await found("tex-me")).toEqual(["Tex-Mex sauce"]);
    expect(await found("tex mex")).toEqual(["Tex-Mex sauce", "Texas-Mexico map"]);
  });

  it("answers digits alone by nothing like them, and a whole code by its goods alone", async () => {
    await make("Tea", { barcodes: ["4006381333931"], sku: "T-100" });
    await make("Tea, large", { barcodes: ["4006381333948"], sku: "T-1000" });
    await make("Box", { keywords: ["4006381333931", "T-100"] });
    await make("Kettle T-100 plus");
    await make("7up", { sku: "SU" });
    await make("7up can");

    expect(await found("4006381333913")).toEqual([]);
    expect(await found("4006 3813 3393 2")).toEqual([]);
    expect(await found("4006381333931")).toEqual(["Tea"]);
    expect(await found("t-100")).toEqual(["Tea"]);
    expect(await found("T 100")).toEqual(["Tea"]);
    expect(await found("400638133394")).toEqual(["Tea, large"]);
    expect(await found("7up")).toEqual(["7up", "7up can"]);
  });

  it("tolerates typing errors in each kind of text, and in one of several words", async () => {
    await make("Waterproof jacket", {
      shortDetails: "For hikers",
      keywords: ["outdoor"],
      sku: "WPJ-20451",
      barcodes: ["4006381333931"],
    });
    const typos = [
      "watreproof",
      "waterprof",
      "jaket",
      "kacket",
      "hickers",
      "outdor",
      "WPJ-20541",
      "waterproof jaket",
      "outdor jacket",
    ];
    const results = await Promise.all(typos.map((q) => found(q)));

    expect(results).toEqual(typos.map(() => ["Waterproof jacket"]));
    expect(await found("WPJ-20452")).toEqual([]);
    expect(await found("WPI-20451")).toEqual(["Waterproof jacket"]);
    expect(await found("waterproof trousers")).toEqual(["Waterproof jacket"]);
    expect(await found("umbrella")).toEqual([]);
  });

  it("finds a good as it is from the moment it is written", async () => {
    const path = `/companies/${company.id}/goods`;
    const created = await company.owner.rest("POST", path, { body: { ...GOOD_BODY, name: "Marmalade" } });
    expect(await found("marmelade")).toEqual(["Marmalade"]);

    await company.owner.rest("PATCH", `${path}/${created.body.id}`, { body: { name: "Honey" } });
    expect([await found("marmalade"), await found("honey")]).toEqual([[], ["Honey"]]);

    await company.owner.rest("DELETE", `${path}/${created.body.id}`);
    expect(await found("honey")).toEqual([]);
  });

  it("keeps companies apart", async () => {
    const other = await createCompany(gateway);
    await createGood(gateway, other.id, { name: "Secret sauce" });

    expect([await found("secret"), await found("secert"), await found("sauce")]).toEqual([[], [], []]);
  });

  it("looks for the first ten words of a text, each once", async () => {
    await make("Alpha beta gamma delta epsilon zeta eta theta iota kappa");
    await make("Alphabet");
    const ten = "alpha beta gamma delta epsilon zeta eta theta iota kappa";

    expect(await found(`${ten} lambda mu`)).toEqual(await found(ten));
    expect(await found(ten)).toHaveLength(1);
    expect(await found(`${"alpha ".repeat(20)}lambda`)).toEqual(await found("alpha"));
    expect((await found("a al alph alphabet"))[0]).toBe("Alphabet");
    expect(await found("a-b-c-d-e-f-g-h-i-j-k-l-m")).toEqual([]);
  });

  it("finds frequent and rare words alike, and no other company's", async () => {
    const other = await createCompany(gateway);
    await gateway.asOwner(`
      SET session_replication_role = replica;
      INSERT INTO goods (company_id, name, short_details, details, price_e2, type, updated_at)
      SELECT CASE WHEN n < 8500 THEN ${company.id} ELSE ${other.id} END, 'Common ' || n, '', '', 1, 0, now()
        FROM generate_series(1, 8600) AS n;
      INSERT INTO good_words (company_id, word) VALUES (${company.id}, 'common'), (${other.id}, 'common');
      ANALYZE goods`);
    const all = await found("common", { paginate: "false" });

    expect([all.length, all.includes("Common 8499"), all.includes("Common 8500")]).toEqual([
      500,
      true,
      false,
    ]);
    expect(await found("common 8499")).toEqual(["Common 8499"]);
    expect(await found("common 8500")).toEqual(await found("common"));
  });

  it("answers every text", async () => {
    await make("50% off_now \\ ☕");
    const texts = [
      "'",
      '"',
      "%",
      "_",
      "&|!()",
      ":*",
      "\\",
      "a'b:*&c",
      "<->",
      "=",
      ".",
      "#",
      "x".repeat(200),
      "\u{1F600}",
    ];

    for (const q of texts) expect(await found(q)).toEqual([]);
    expect(await found("☕")).toEqual(["50% off_now \\ ☕"]);
    expect(await found("50% \\")).toEqual(["50% off_now \\ ☕"]);
  });

  it.each([
    ["nothing", "", "q:required"],
    ["an empty text", "q=", "q:min_length"],
    ["a text that is too long", `q=${"x".repeat(201)}`, "q:max_length"],
    ["no mode", "q=a&results_mode=all", "results_mode:enum"],
    ["one coordinate", "q=a&latitude_e6=1", "longitude_e6:required"],
    ["a place off the globe", "q=a&latitude_e6=90000001&longitude_e6=0", "latitude_e6:max"],
    ["a limit of none", "q=a&limit=0", "limit:min"],
    ["an unknown category", "q=a&category_id=2147483647", "category_id:exists"],
  ])("refuses %s", async (_, query, wrong) => {
    const { status, body } = await gateway.anonymous.rest(
      "GET",
      `/companies/${company.id}/goods/search?${query}`,
    );

    expect([status, wrongFields(body.errors)]).toEqual([422, [wrong]]);
  });

  it("puts the favourites of the client first, for itself and for who may see them", async () => {
    const [first] = [await make("Green tea one"), await make("Green tea two")];
    const me = await signedInClient(gateway, company.id);
    const other = await signedInClient(gateway, company.id);
    await gateway.db.clientFavorite.create({
      data: { companyId: company.id, clientId: me.id, goodId: first.id },
    });
    const mine = { client_id: String(me.id) };

    expect(await found("tea")).toEqual(["Green tea two", "Green tea one"]);
    expect(await found("tea", mine, me.client)).toEqual(["Green tea one", "Green tea two"]);
    const reader = await adminWith(gateway, company.id, "access_goods");
    expect(await found("tea", mine, reader)).toEqual(["Green tea one", "Green tea two"]);
    const refused = await Promise.all(
      [gateway.anonymous, other.client, await adminWith(gateway, company.id, "access_coupons")].map((by) =>
        by.rest("GET", `/companies/${company.id}/goods/search?q=tea&client_id=${me.id}`),
      ),
    );
    expect(refused.map(({ status }) => status)).toEqual([401, 403, 403]);
    const mayNot = await other.client.run(SEARCH, { companyId: company.id, q: "tea", clientId: me.id });
    expect(errorCodes(mayNot)).toEqual(["FORBIDDEN"]);
  });

  it("makes caches ask again, and keeps what a client sees from them", async () => {
    const me = await signedInClient(gateway, company.id);
    const path = `/companies/${company.id}/goods/search?q=tea`;

    expect((await gateway.anonymous.rest("GET", path)).headers["cache-control"]).toBe("public, max-age=0");
    expect((await me.client.rest("GET", `${path}&client_id=${me.id}`)).headers["cache-control"]).toBe(
      "private, no-store",
    );
  });

  it("takes filters, categories with those below, fields and relations", async () => {
    const { id: companyId } = company;
    const top = await gateway.db.category.create({ data: { companyId, name: "Drinks" } });
    const below = await gateway.db.category.create({ data: { companyId, name: "Hot", parentId: top.id } });
    const hot = await make("Hot tea", { priceE2: 300 });
    await make("Iced tea", { priceE2: 500 });
    await gateway.db.goodCategory.create({ data: { companyId, categoryId: below.id, goodId: hot.id } });
    const path = `/companies/${companyId}/goods/search?q=tea`;

    expect(await found("tea", { category_id: String(top.id) })).toEqual(["Hot tea"]);
    const { body } = await gateway.anonymous.rest(
      "GET",
      `${path}&filter[price_e2][lt]=400&fields=name&load=categories`,
    );
    expect(body).toEqual([{ name: "Hot tea", categories: [expect.objectContaining({ name: "Hot" })] }]);
    const wrong = await gateway.anonymous.rest("GET", `${path}&filter[nothing]=1&fields=nix&load=no`);
    expect([wrong.status, wrongFields(wrong.body.errors)]).toEqual([
      400,
      ["fields:unknown", "filter[nothing]:unknown", "load:unknown"],
    ]);
  });

  it("pages by number and by cursor, over one order, and on one page", async () => {
    for (let n = 0; n < 7; n += 1) await make(`Tea number ${n}`);
    const path = `/companies/${company.id}/goods/search?q=tea`;
    const names = (body: { name: string }[]) => body.map(({ name }) => name.at(-1)).join("");

    const second = await gateway.anonymous.rest("GET", `${path}&per_page=3&page=2`);
    expect([names(second.body), second.headers["x-total-count"]]).toEqual(["321", "7"]);
    const one = await gateway.anonymous.rest("GET", `${path}&per_page=3&cursor=`);
    await make("Tea number 9");
    const next = /<([^>]+)>/u.exec(String(one.headers["link"]))?.[1]?.replace(/^\/api/u, "") as string;
    const two = await gateway.anonymous.rest("GET", next);
    expect([names(one.body), names(two.body)]).toEqual(["654", "321"]);
    const all = await gateway.anonymous.rest("GET", `${path}&paginate=false&per_page=3`);
    expect([names(all.body), all.headers["link"]]).not.toContain("next");
    expect(names(all.body)).toBe("96543210");
    const few = await gateway.anonymous.rest("GET", `${path}&limit=4&per_page=3`);
    expect([names(few.body), few.headers["x-total-count"]]).toEqual(["965", "4"]);

    const page = async (variables: object) =>
      dataOf(await gateway.anonymous.run(SEARCH, { companyId: company.id, q: "tea", ...variables }))
        .searchGoods;
    const { pageInfo } = await page({ first: 3 });
    const after = await page({ first: 3, after: pageInfo.endCursor });
    expect(names(after.nodes)).toBe("432");
    const back = await page({ last: 2, before: after.pageInfo.startCursor });
    expect([names(back.nodes), back.pageInfo.hasPreviousPage]).toEqual(["65", true]);
    const foreign = await gateway.anonymous.run(SEARCH, {
      companyId: company.id,
      q: "number",
      after: pageInfo.endCursor,
    });
    expect(errorCodes(foreign)).toEqual(["BAD_REQUEST"]);
  });

  it("is in an order of its own, so that any other is refused, on both paths", async () => {
    const shop = await createBranchGroup(gateway, company.id);
    await make("Tea");
    for (const [by, part] of [
      [gateway.anonymous, ""],
      [company.owner, `/branch-groups/${shop.id}`],
    ] as const) {
      const ask = (query: string, headers: Record<string, string> = {}) =>
        by.rest("GET", `/companies/${company.id}${part}/goods/search?q=tea&${query}`, { headers });

      for (const sort of ["zzz", "name", "-price_e2"]) {
        const refused = await ask(`sort=${sort}&per_page=0`);
        expect([refused.status, wrongFields(refused.body.errors)]).toEqual([
          400,
          ["per_page:min", "sort:unknown"],
        ]);
        const strict = await ask(`sort=${sort}`, { prefer: "handling=strict" });
        expect([strict.status, wrongFields(strict.body.errors)]).toEqual([400, ["sort:unknown"]]);
      }
      expect((await ask("sort=zzz")).body.detail).toContain("there are none here");
      expect((await ask("sort=")).status).toBe(200);
    }
  });

  it("takes the same number of statements for 2 and 20 goods", async () => {
    const count = async () => {
      gateway.statements.length = 0;
      await gateway.anonymous.rest("GET", `/companies/${company.id}/goods/search?q=tea&load=categories,tags`);
      return gateway.statements.length;
    };
    const forget = keepRemembered();
    await make("Tea a");
    await make("Tea b");
    await count();
    const few = await count();
    for (let n = 0; n < 18; n += 1) await make(`Tea ${n}`);

    const many = await count();
    forget();

    expect(many).toBe(few);
  });
});
