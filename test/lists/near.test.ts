import pg from "pg";
import { createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

const ROWS = 400;
/** The rows are so far apart that they are in 18 of the large blocks of ids. */
const STEP = 731;
const FIRST_ID = 5_003;

interface Row {
  readonly id: number;
  readonly name: string;
}

/** The mark of a statement that reads the blocks where a page begins. */
const NEAR = `("id" >> 14) = `;

const idOf = (n: number): number => FIRST_ID + n * STEP;

/** Words that come always, often, rarely, once, and in the last rows alone. */
function nameOf(n: number): string {
  const words = ["Always", `number${n}`];
  if (n % 3 === 0) words.push("Thírd");
  if (n % 41 === 7) words.push("seldom");
  if (n >= ROWS - 60) words.push("late");
  return words.join(" ");
}

const rows: readonly Row[] = Array.from({ length: ROWS }, (_, n) => ({ id: idOf(n), name: nameOf(n) }));

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  company = await createCompany(gateway);
  const client = new pg.Client({ connectionString: gateway.ownerUrl });
  await client.connect();
  const values = [company.id, rows.map(({ id }) => id), rows.map(({ name }) => name)];
  await client.query(
    `INSERT INTO properties (company_id, id, name, updated_at)
     SELECT $1, id, name, now() FROM unnest($2::int[], $3::text[]) AS row (id, name)`,
    values,
  );
  await client.query(
    `INSERT INTO goods (company_id, id, name, short_details, details, price_e2, type, keywords, deleted_at, updated_at)
     SELECT $1, id, name, '', '', id % 7, 0, string_to_array(name, ' '), CASE WHEN id % 5 = 0 THEN now() END, now()
       FROM unnest($2::int[], $3::text[]) AS row (id, name)`,
    values,
  );
  // The service believes that the company has very many rows.
  await client.query(
    `INSERT INTO row_counts (company_id, table_name, live, deleted)
     VALUES ($1, 'properties', 1000000, 0), ($1, 'goods', 1000000, 0)`,
    [company.id],
  );
  await client.query("ANALYZE properties, goods");
  // There are many more goods of other companies, as it seems.
  await client.query("UPDATE pg_class SET reltuples = 100000000 WHERE oid = 'goods'::regclass");
  await client.end();
});
afterAll(async () => {
  await gateway.close();
});

type Pages = (args: string) => Promise<number[]>;

/** Returns the ids of all rows of a list, read page by page. */
function pagesOf(list: "properties" | "goods", filter: string): Pages {
  return async (args) => {
    const backward = args.includes("last");
    const ids: number[] = [];
    let cursor: string | null = null;
    do {
      const place: string = cursor === null ? "" : `, ${backward ? "before" : "after"}: "${cursor}"`;
      const { data, errors } = await gateway.platform.run(
        `{ ${list}(companyId: ${company.id}, filter: ${filter}, ${args}${place}) {
             nodes { id } pageInfo { startCursor endCursor hasNextPage hasPreviousPage } } }`,
      );
      expect(errors).toBeUndefined();
      const { nodes, pageInfo } = data?.[list] as {
        nodes: { id: number }[];
        pageInfo: Record<string, any>;
      };
      const page = nodes.map(({ id }) => id);
      ids[backward ? "unshift" : "push"](...page);
      cursor = pageInfo[backward ? "hasPreviousPage" : "hasNextPage"]
        ? pageInfo[backward ? "startCursor" : "endCursor"]
        : null;
    } while (cursor !== null);
    return ids;
  };
}

const idsWith = (fits: (name: string) => boolean): number[] =>
  rows.filter(({ name }) => fits(name)).map(({ id }) => id);
const liveIdsWith = (fits: (name: string) => boolean): number[] => idsWith(fits).filter((id) => id % 5 !== 0);

describe("pages of parts of texts in a company with very many rows", () => {
  it.each<[string, string, (name: string) => boolean]>([
    ["that all rows have", `{ name: { contains: "ALWAYS" } }`, () => true],
    ["that many have", `{ name: { contains: "third" } }`, (name) => name.includes("Thírd")],
    ["that few have", `{ name: { contains: "seldom" } }`, (name) => name.includes("seldom")],
    ["that the last ones have", `{ name: { contains: "late" } }`, (name) => name.includes("late")],
    ["that one has", `{ name: { contains: "number397" } }`, (name) => name.includes("number397")],
    ["that none has", `{ name: { contains: "nowhere" } }`, () => false],
    ["too short for an index", `{ name: { contains: "ld" } }`, (name) => name.includes("ld")],
    [
      "at the beginning",
      `{ name: { startsWith: "always number1" } }`,
      (name) => name.startsWith("Always number1"),
    ],
    ["of two letters at the beginning", `{ name: { startsWith: "al" } }`, () => true],
    ["that all have, but none at the beginning", `{ name: { startsWith: "number" } }`, () => false],
    ["in any order", `{ name: { words: "late third" } }`, (name) => /Thírd.*late/u.test(name)],
  ])("are complete and in order for a part %s", async (_, filter, fits) => {
    const pages = pagesOf("properties", filter);
    const ids = idsWith(fits);
    const descending = [...ids].reverse();

    expect(await pages("first: 7, orderBy: [{ field: ID }]")).toEqual(ids);
    expect(await pages("last: 30, orderBy: [{ field: ID }]")).toEqual(ids);
    expect(await pages("first: 30, orderBy: [{ field: ID, direction: DESC }]")).toEqual(descending);
    expect(await pages("last: 7, orderBy: [{ field: ID, direction: DESC }]")).toEqual(descending);
  });

  it("are complete and in order for texts of a list, without deleted rows and with them", async () => {
    const filter = `{ keywords: { in: ["SELDOM", "late"] } }`;
    const fits = (name: string): boolean => /seldom|late/u.test(name);
    const pages = pagesOf("goods", filter);

    expect(await pages("first: 9, orderBy: [{ field: ID }]")).toEqual(liveIdsWith(fits));
    expect(await pages("first: 9, withDeleted: true, orderBy: [{ field: ID }]")).toEqual(idsWith(fits));
  });

  it("hold the caller's other conditions, orders and bounds", async () => {
    const priced = pagesOf("goods", `{ name: { contains: "third" }, priceE2: { eq: 3 } }`);
    const bounded = pagesOf("goods", `{ name: { contains: "third" }, id: { gt: 90000, lte: 200000 } }`);
    const either = pagesOf(
      "goods",
      `{ or: [{ name: { contains: "seldom" } }, { name: { contains: "late" } }] }`,
    );
    const third = liveIdsWith((name) => name.includes("Thírd"));

    expect(await priced("first: 5, orderBy: [{ field: ID }]")).toEqual(third.filter((id) => id % 7 === 3));
    expect(await bounded("first: 5, orderBy: [{ field: ID, direction: DESC }]")).toEqual(
      third.filter((id) => id > 90_000 && id <= 200_000).reverse(),
    );
    expect(await either("first: 5, orderBy: [{ field: ID }]")).toEqual(
      liveIdsWith((name) => /seldom|late/u.test(name)),
    );
  });

  it.each([
    ["{ gt: -2147483648 }", rows.length],
    ["{ gte: 2147483647 }", 0],
    ["{ lt: -2147483648 }", 0],
    ["{ lte: -2147483648 }", 0],
    ["{ lte: 2147483647 }", rows.length],
    ["{ lt: 0 }", 0],
  ])("hold the bound %s, where ids end", async (bound, length) => {
    const pages = pagesOf("properties", `{ name: { contains: "always" }, id: ${bound} }`);

    expect(await pages("first: 200, orderBy: [{ field: ID }]")).toHaveLength(length);
    expect(await pages("first: 200, orderBy: [{ field: ID, direction: DESC }]")).toHaveLength(length);
  });

  it.each([0, 7, 33, 130, 390])("begin at the offset %i over REST", async (offset) => {
    const third = idsWith((name) => name.includes("Thírd"));
    const page = `per_page=1&page=${offset + 1}`;
    const path = `/companies/${company.id}/properties?filter[name][contains]=third&sort=id&fields=id&${page}`;
    const { body } = await gateway.platform.rest("GET", path);

    expect(body.map(({ id }: Row) => id)).toEqual(third.slice(offset, offset + 1));
  });

  it.each([
    ["properties", "third", [NEAR]],
    ["properties", "seldom", [NEAR, `"company_id" = $1::bigint`]],
    ["goods", "third", [NEAR]],
    ["goods", "seldom", [NEAR, `"company_id" = $1 `]],
    ["goods", "th", [`"company_id" = $1 `]],
  ])(
    "of %s with %s are read from the blocks that have enough, else from all",
    async (list, part, expected) => {
      const args = `filter: { name: { contains: "${part}" } }, first: 5, orderBy: [{ field: ID }]`;
      const read = () =>
        gateway.platform.run(`{ ${list}(companyId: ${company.id}, ${args}) { nodes { id } } }`);
      await read();
      gateway.statements.length = 0;
      await read();

      const reads = gateway.statements.filter((text) => text.includes(`FROM "${list}"`));
      expect(reads).toEqual(expected.map((text) => expect.stringContaining(text)));
    },
  );
});
