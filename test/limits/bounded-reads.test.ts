import { RowBudget } from "../../src/engine/limits/row-budget.js";
import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

/** More than the 200 that a list without pages is expected to have. */
const GOODS = 300;
const PAGE = 60;
const LIMIT = 200;
const LONG_TEXT = "x".repeat(20_000);

/** One run reads and answers no more than its limit, however it asks. */
describe("reads of one run", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let goodTagId: number;

  beforeAll(async () => {
    gateway = await startGateway({ own: "service", environment: { COST_LIMIT: String(LIMIT) } });
    acme = await createCompany(gateway);
    const { id: companyId } = acme;
    ({ id: goodTagId } = await gateway.db.goodTag.create({ data: { companyId, name: "All" } }));
    const goods = await gateway.db.good.createManyAndReturn({
      data: Array.from({ length: GOODS }, (_, index) => ({
        companyId,
        name: `Good ${index}`,
        shortDetails: "",
        details: index === GOODS - 1 ? LONG_TEXT : "",
        priceE2: 100,
        type: 1,
      })),
      select: { id: true },
    });
    await gateway.db.goodTagGood.createMany({
      data: goods.map(({ id: goodId }) => ({ companyId, goodTagId, goodId })),
    });
  });
  afterAll(() => gateway.close());

  const ask = (query: string, token = acme.owner.token) =>
    gateway.app.inject({
      method: "POST",
      url: "/graphql",
      headers: { authorization: `Bearer ${token ?? ""}` },
      payload: { query },
    });

  const refusal = (query: string) =>
    ask(query).then((answer) => [answer.statusCode, answer.json().errors[0].extensions.errors?.[0]?.rule]);

  const page = (selection: string, size: number) =>
    `goods(companyId: ${acme.id}, first: ${size}) { nodes { ${selection} } }`;

  it("reads lists without pages one after the other, and stops at the limit", async () => {
    const big = await startGateway({ on: gateway, environment: { COST_LIMIT: "20000" } });
    const narrow = await startGateway({ on: gateway, environment: { COST_LIMIT: "2000" } });
    const tagged = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: goodsOfTag(companyId: ${acme.id}, goodTagId: ${goodTagId}) { id }`).join(" ")} }`;

    const within = await big.withToken(acme.owner.token).run(tagged(20));
    const beyond = await narrow.withToken(acme.owner.token).run(tagged(9));

    expect(within.errors).toBeUndefined();
    expect(Object.values(within.data ?? {}).map((rows) => rows.length)).toEqual(Array(20).fill(GOODS));
    expect(beyond.errors?.[0]?.extensions["errors"]).toMatchObject([{ field: "query", rule: "cost" }]);
    await big.close();
    await narrow.close();
  });

  it("counts the bytes of long rows", async () => {
    const rest = await acme.owner.rest("GET", `/companies/${acme.id}/goods?per_page=${PAGE}&fields=id,name`);
    expect(rest.status).toBe(200);

    expect(await refusal(`{ a: ${page("details", PAGE)} b: ${page("details", PAGE)} }`)).toEqual([
      400,
      "cost",
    ]);
  });

  it("counts the length of the answer, whatever repeats a text in it", async () => {
    const copies = Array.from({ length: 5 }, (_, index) => `d${index}: details`).join(" ");
    const id = (
      await gateway.db.good.findFirstOrThrow({ where: { companyId: acme.id, name: `Good ${GOODS - 1}` } })
    ).id;
    const one = (selection: string) => `{ good(companyId: ${acme.id}, id: ${id}) { ${selection} } }`;

    expect((await ask(one("details"))).json().data.good.details).toHaveLength(LONG_TEXT.length);
    expect(await refusal(one(copies))).toEqual([400, "cost"]);
  });

  it("reports the refusal of a relation once for all rows of a page", async () => {
    const { id: companyId } = acme;
    const { id: adminTypeId } = await gateway.db.adminType.create({
      data: { companyId, name: "Type", defaultKey: "orders", content: [], code: 1 },
    });
    await gateway.db.admin.createMany({
      data: ["a", "b", "c"].map((name) => ({
        companyId,
        adminTypeId,
        name,
        displayName: name,
        email: `${name}@bounded.example`,
        phone: "+15550000",
      })),
    });
    const reader = await adminWith(gateway, companyId, "access_admins");

    const { data, errors } = await reader.run(
      `{ admins(companyId: ${companyId}, first: 3) { nodes { id one: adminType { name } two: adminType { name } } } }`,
    );

    const nodes = data?.["admins"].nodes as object[];
    expect(nodes).toHaveLength(3);
    for (const node of nodes) expect(node).toMatchObject({ one: null, two: null });
    expect(
      errors?.map(({ path, extensions }) => [
        path?.filter((key) => typeof key === "string").join("."),
        extensions["code"],
      ]),
    ).toEqual([
      ["admins.nodes.one", "FORBIDDEN"],
      ["admins.nodes.two", "FORBIDDEN"],
    ]);
  });
});

describe("statements of one run", () => {
  /** Runs so many statements that end one after the other. @returns how many were under way at each end. */
  async function underWay(statements: number, isAlone: boolean): Promise<number[]> {
    const budget = new RowBudget(LIMIT, { loopMs: 0, used: 0, isAlone });
    const ends: (() => void)[] = [];
    const counts: number[] = [];
    const done = Array.from({ length: statements }, () =>
      budget.inTurn(() => new Promise<void>((resolve) => ends.push(resolve))),
    );
    for (let ended = 0; ended < statements; ended += 1) {
      await new Promise(setImmediate);
      counts.push(ends.length - ended);
      ends[ended]?.();
    }
    await Promise.all(done);
    return counts;
  }

  it("are four at once while nobody else asks", async () => {
    expect(await underWay(12, true)).toEqual([...Array<number>(9).fill(4), 3, 2, 1]);
  });

  it("are four at once while others ask when they are few", async () => {
    expect(await underWay(6, false)).toEqual([4, 4, 4, 3, 2, 1]);
  });

  it("are one at a time behind the first when they are many and others ask", async () => {
    expect(await underWay(12, false)).toEqual([4, 3, 2, ...Array<number>(9).fill(1)]);
  });
});
