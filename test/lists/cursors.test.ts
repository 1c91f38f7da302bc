import { createCompany, createGood, createProperty, type TestCompany } from "../support/factories.js";
import { type Client, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const PAGE = `query ($companyId: Int!, $goodId: Int!, $after: String, $filter: GoodPropertyFilterInput, $before: String) {
  propertiesOfGood(companyId: $companyId, goodId: $goodId, after: $after, filter: $filter, before: $before) { nodes { id } }
}`;

describe("a cursor", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let by: Client;
  let [one, other] = [0, 0];
  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    by = company.owner;
    const companyId = company.id;
    [one, other] = [
      (await createGood(gateway, companyId, { name: "One" })).id,
      (await createGood(gateway, companyId, { name: "Other" })).id,
    ];
    for (const name of ["Size", "Sauce", "Salt"]) {
      const { id: propertyId } = await createProperty(gateway, companyId, { name });
      const data = [one, other].map((goodId) => ({ companyId, goodId, propertyId, displayName: name }));
      await gateway.db.goodProperty.createMany({ data });
    }
  });
  afterAll(() => gateway.close());

  const read = (path: string) => by.rest("GET", `/companies/${company.id}${path}`);
  /** Returns the query of the next page. */
  const nextOf = async (path: string): Promise<string> => {
    const { headers } = await read(path);
    return /\?([^>]+)>; rel="next"/u.exec(String(headers["link"]))?.[1] as string;
  };
  const cursorOf = async (path: string): Promise<string> =>
    /cursor=([\w-]+)/u.exec(await nextOf(path))?.[1] as string;
  const propertiesOf = (good: number): string => `/goods/${good}/properties`;

  it("leads on in its own list, also by the other face", async () => {
    const cursor = await cursorOf(`${propertiesOf(one)}?cursor=&per_page=1`);

    const rest = await read(`${propertiesOf(one)}?cursor=${cursor}`);
    const { data } = await by.run(PAGE, { companyId: company.id, goodId: one, after: cursor });

    expect(rest.body).toHaveLength(2);
    expect(data?.["propertiesOfGood"].nodes).toEqual(rest.body.map(({ id }: { id: number }) => ({ id })));
  });

  it("of one good's properties is none of another's", async () => {
    const cursor = await cursorOf(`${propertiesOf(one)}?cursor=&per_page=1`);

    const rest = await read(`${propertiesOf(other)}?cursor=${cursor}`);
    const after = await by.run(PAGE, { companyId: company.id, goodId: other, after: cursor });
    const before = await by.run(PAGE, { companyId: company.id, goodId: other, before: cursor });

    expect([rest.status, rest.body.code, wrongFields(rest.body.errors)]).toEqual([
      400,
      "BAD_REQUEST",
      ["cursor:cursor"],
    ]);
    expect([after, before].map(errorCodes)).toEqual([["BAD_REQUEST"], ["BAD_REQUEST"]]);
    expect([after, before].map(({ errors }) => wrongFields(errors?.[0]?.extensions["errors"]))).toEqual([
      ["after:cursor"],
      ["before:cursor"],
    ]);
  });

  it("belongs to one filter, whatever the order of its conditions", async () => {
    const [name, id] = ["filter[display_name][starts_with]=S", "filter[id][gt]=0"];
    const cursor = await cursorOf(`${propertiesOf(one)}?cursor=&per_page=1&${name}&${id}`);

    const same = await read(`${propertiesOf(one)}?cursor=${cursor}&${id}&${name}`);
    const wider = await read(`${propertiesOf(one)}?cursor=${cursor}&${id}`);
    const empty = await by.run(PAGE, { companyId: company.id, goodId: one, filter: {}, after: null });

    expect([same.status, same.body.length, wider.status, empty.errors]).toEqual([200, 2, 400, undefined]);
  });

  it("of one link is none of another's, though the rows are the same", async () => {
    const companyId = company.id;
    const tagged = { companyId, name: "A type" };
    const [first, second] = [
      await gateway.db.goodType.create({ data: tagged }),
      await gateway.db.goodType.create({ data: tagged }),
    ];
    await gateway.db.good.updateMany({ where: { companyId }, data: { goodTypeId: first.id } });
    const cursor = await cursorOf(`/good-types/${first.id}/goods?cursor=&per_page=1`);

    const own = await read(`/good-types/${first.id}/goods?cursor=${cursor}`);
    const foreign = await read(`/good-types/${second.id}/goods?cursor=${cursor}`);
    const whole = await read(`/goods?cursor=${cursor}`);

    expect([own.status, own.body.length, foreign.status, whole.status]).toEqual([200, 1, 400, 400]);
  });
});

describe("a cursor of an order with nulls", () => {
  let gateway: Gateway;
  let company: TestCompany;
  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
    for (const sku of ["b", null, "a", null]) await createGood(gateway, company.id, { sku });
  });
  afterAll(() => gateway.close());

  const SKUS = `query ($companyId: Int!, $direction: OrderDirection, $first: Int, $after: String, $last: Int, $before: String) {
    goods(companyId: $companyId, orderBy: [{ field: SKU, direction: $direction }], first: $first, after: $after, last: $last, before: $before) {
      nodes { sku } pageInfo { startCursor endCursor hasNextPage hasPreviousPage }
    }
  }`;
  /** Walks over the list one row at a time. */
  const walk = async (direction: string, isForwards: boolean): Promise<(string | null)[]> => {
    const skus: (string | null)[] = [];
    for (let cursor: string | null = null, isMore = true; isMore;) {
      const page: object = isForwards ? { first: 1, after: cursor } : { last: 1, before: cursor };
      const { data } = await company.owner.run(SKUS, { companyId: company.id, direction, ...page });
      const { nodes, pageInfo } = data?.["goods"];
      skus.push(nodes[0].sku);
      cursor = isForwards ? pageInfo.endCursor : pageInfo.startCursor;
      isMore = isForwards ? pageInfo.hasNextPage : pageInfo.hasPreviousPage;
    }
    return skus;
  };

  it.each([
    ["ASC", "sku", ["a", "b", null, null]],
    ["DESC", "-sku", [null, null, "b", "a"]],
  ])("goes over them %s, forwards and backwards, as the whole list does", async (direction, sort, skus) => {
    const { body } = await company.owner.rest("GET", `/companies/${company.id}/goods?sort=${sort}`);

    expect(body.map(({ sku }: { sku: string | null }) => sku)).toEqual(skus);
    expect(await walk(direction, true)).toEqual(skus);
    expect(await walk(direction, false)).toEqual(skus.toReversed());
  });
});

describe("a cursor of favourites", () => {
  it("is none of another client's", async () => {
    const gateway = await startGateway();
    const { id: companyId, owner } = await createCompany(gateway);
    const goods = [await createGood(gateway, companyId), await createGood(gateway, companyId)];
    const clients = await Promise.all(
      ["a", "b"].map((name) => gateway.db.client.create({ data: { companyId, name } })),
    );
    for (const { id: clientId } of clients)
      await gateway.db.clientFavorite.createMany({
        data: goods.map(({ id: goodId }, inOrder) => ({ companyId, clientId, goodId, inOrder })),
      });
    const path = (place: number): string => `/companies/${companyId}/clients/${clients[place]?.id}/favorites`;
    const { headers } = await owner.rest("GET", `${path(0)}?cursor=&per_page=1`);
    const cursor = /cursor=([\w-]+)/u.exec(String(headers["link"]))?.[1];

    const own = await owner.rest("GET", `${path(0)}?cursor=${cursor}`);
    const foreign = await owner.rest("GET", `${path(1)}?cursor=${cursor}`);

    expect([own.status, own.body.length, foreign.status]).toEqual([200, 1, 400]);
    await gateway.close();
  });
});
