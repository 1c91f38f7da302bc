import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { errorCodes, startGateway, type Gateway, type GraphqlResult } from "../support/gateway.js";

const GOOD = "query Good($c: Int!, $id: Int!) { good(companyId: $c, id: $id) { id name priceE2 createdAt } }";

let gateway: Gateway;
let company: TestCompany;
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const post = (payload: object, headers: Record<string, string> = {}) =>
  gateway.app.inject({
    method: "POST",
    url: "/graphql",
    headers: { authorization: `Bearer ${company.owner.token}`, ...headers },
    payload,
  });

/** Headers that differ from one answer to the next. */
const CHANGING = new Set([
  "x-request-id",
  "traceparent",
  "ratelimit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "date",
  // The time that an answer took is a number of one or more digits.
  "content-length",
  "server-timing",
]);

const lasting = (headers: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !CHANGING.has(name)));

const ACCEPTED = [
  undefined,
  "*/*",
  "application/json",
  "application/graphql-response+json, application/json",
  "application/graphql-response+json, application/json;q=0.9",
  "application/graphql-response+json,application/json;q=0.9",
];

describe("a process that has warmed up", () => {
  it("answers the first query as one that has not", async () => {
    const warm = await startGateway({ own: "service", on: gateway });
    await warm.app.warmUp();
    const payload = { query: "{ __typename }" };
    const ask = (app: Gateway["app"], accept: string | undefined) =>
      app.inject({
        method: "POST",
        url: "/graphql",
        headers: accept === undefined ? {} : { accept },
        payload,
      });

    for (const accept of ACCEPTED) {
      const [first, other] = [await ask(warm.app, accept), await ask(gateway.app, accept)];
      expect(first.statusCode).toBe(200);
      expect(timeless(first.body)).toBe(timeless(other.body));
      expect(lasting(first.headers)).toEqual(lasting(other.headers));
    }
    await warm.close();
  });
});

describe("a query that is sent again", () => {
  it.each(ACCEPTED)("is answered as the first time, with Accept: %s", async (accept) => {
    const good = await createGood(gateway, company.id);
    const body = { query: `${GOOD} # ${accept}`, variables: { c: company.id, id: good.id } };
    const headers: Record<string, string> = accept === undefined ? {} : { accept };

    const first = await post(body, headers);
    const second = await post(body, headers);

    expect(second.statusCode).toBe(200);
    expect(timeless(second.body)).toBe(timeless(first.body));
    expect(lasting(second.headers)).toEqual(lasting(first.headers));
  });

  it("is answered with the same refusals, and by other variables", async () => {
    const good = await createGood(gateway, company.id);
    const missing = { query: GOOD, variables: { c: company.id, id: 2_000_000_000 } };

    const refusals = [await post(missing), await post(missing)];
    const wrong = [1, 2].map(() => post({ query: GOOD, variables: { c: company.id, id: "x" } }));
    const found = await post({ query: GOOD, variables: { c: company.id, id: good.id } });

    expect(refusals.map((answer) => errorCodes(answer.json()))).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
    expect(timeless(refusals[1]?.body)).toBe(timeless(refusals[0]?.body));
    const [one, other] = await Promise.all(wrong);
    expect(errorCodes(one?.json() as GraphqlResult)).toHaveLength(1);
    expect(timeless(other?.body)).toBe(timeless(one?.body));
    expect(found.json().data.good.id).toBe(good.id);
  });

  it("runs once also when it fails", async () => {
    const query = `{ goods(companyId: ${company.id}, first: 3) { nodes { id } } good(companyId: ${company.id}, id: 1999999999) { id } }`;
    await post({ query });
    gateway.statements.length = 0;

    await post({ query });

    expect(gateway.statements.filter((sql) => sql.includes('"goods"'))).toHaveLength(2);
  });

  it("is checked anew for who asks", async () => {
    const query = `{ branches(companyId: ${company.id}) { nodes { id } } }`;
    await post({ query });

    const answers = [await gateway.anonymous.run(query), await gateway.withToken("x.y.z").run(query)];

    expect(answers.map(errorCodes)).toEqual([["UNAUTHENTICATED"], ["UNAUTHENTICATED"]]);
  });
});

/** Leaves out what an answer took and leaves, which differs when the same is answered again. */
function timeless(body: string | undefined): string | undefined {
  return body?.replace(/"used":[\d.]+,"left":\d+/u, "");
}
