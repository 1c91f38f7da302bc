import {
  adminWith,
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
  type GraphqlResult,
  startGateway,
  wrongFields,
} from "../support/gateway.js";

const FAVORITES = `query ($companyId: Int!, $clientId: Int!, $first: Int, $after: String, $orderBy: [GoodOrderByInput!]) {
  favorites(companyId: $companyId, clientId: $clientId, first: $first, after: $after, orderBy: $orderBy) {
    totalCount nodes { id } pageInfo { hasNextPage endCursor }
  }
}`;
const ADD = `mutation ($companyId: Int!, $clientId: Int!, $input: [Int!]!) {
  addFavorites(companyId: $companyId, clientId: $clientId, input: $input) { id }
}`;
const SET = `mutation ($companyId: Int!, $clientId: Int!, $goodId: Int!, $input: FavoriteInput) {
  setFavorite(companyId: $companyId, clientId: $clientId, goodId: $goodId, input: $input) { inOrder good { id } }
}`;
const REMOVE = `mutation ($companyId: Int!, $clientId: Int!, $goodId: Int!) {
  removeFavorite(companyId: $companyId, clientId: $clientId, goodId: $goodId) { goodId inOrder }
}`;

describe("favourites of a client", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let me: { id: number; client: Client };
  let [a, b, c, d] = [0, 0, 0, 0];

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    const create = async (priceE2: number): Promise<number> =>
      (await createGood(gateway, acme.id, { priceE2 })).id;
    [a, b, c, d] = [await create(400), await create(100), await create(300), await create(200)];
  });

  beforeEach(async () => {
    me = await signedInClient(gateway, acme.id);
  });

  afterAll(() => gateway.close());

  it("are added behind the others in the order given, and keep their place when given again", async () => {
    const first = await add([c, a]);
    const second = await add([b, a, c, d]);

    expect([first.status, ids(first.body)]).toEqual([200, [c, a]]);
    expect([second.status, ids(second.body)]).toEqual([200, [b, a, c, d]]);
    expect(await places()).toEqual({ [c]: 1, [a]: 2, [b]: 3, [d]: 4 });
    expect(ids((await list()).body)).toEqual([c, a, b, d]);
    expect([(await add([])).body, (await add([d, d])).status, await places()]).toEqual([
      [],
      200,
      { [c]: 1, [a]: 2, [b]: 3, [d]: 4 },
    ]);
  });

  it("go to the end without a place, and stay where they are", async () => {
    await add([a, b]);

    const added = await set(c);
    const kept = await set(a, {});

    expect([added.status, added.body]).toEqual([
      200,
      { client_id: me.id, good_id: c, in_order: 3, created_at: expect.any(String) },
    ]);
    expect([kept.body.in_order, await places()]).toEqual([1, { [a]: 1, [b]: 2, [c]: 3 }]);
  });

  it("make room for the one that gets their place, the same at each repetition", async () => {
    await add([a, b, c]);

    for (let time = 0; time < 2; time += 1) {
      expect((await set(d, { in_order: 2 })).body.in_order).toBe(2);
      expect(await places()).toEqual({ [a]: 1, [d]: 2, [b]: 3, [c]: 4 });
    }
    await set(c, { in_order: 1 });
    expect(ids((await list()).body)).toEqual([c, a, d, b]);
    await set(a, { in_order: 2_000_000_000 });
    await set(b, { in_order: 2_000_000_000 });
    expect(ids((await list()).body).slice(0, 2)).toEqual([c, d]);
    expect((await add([a, b, c, d])).status).toBe(200);
  });

  it("leave their own place to those between when they move", async () => {
    await add([a, d, b, c]);

    expect((await set(a, { in_order: 3 })).body.in_order).toBe(3);
    expect(await places()).toEqual({ [d]: 1, [b]: 2, [a]: 3, [c]: 4 });
    expect((await set(c, { in_order: 2 })).body.in_order).toBe(2);
    expect(ids((await list()).body)).toEqual([d, c, b, a]);
  });

  it("come in the order of the places that they were given, whichever was given first", async () => {
    await set(a, { in_order: 50 });
    await set(b, { in_order: 30 });

    expect((await set(c, { in_order: 40 })).body.in_order).toBe(40);
    expect(await places()).toEqual({ [b]: 30, [c]: 40, [a]: 50 });
  });

  it.each([
    [0, "min"],
    [-1, "min"],
    [1.5, "type"],
    ["2", "type"],
    [2_000_000_001, "max"],
  ])("have no place %j", async (in_order, rule) => {
    await add([a, b]);

    const { status, body } = await set(b, { in_order });

    expect([status, wrongFields(body.errors), await places()]).toEqual([
      422,
      [`in_order:${rule}`],
      { [a]: 1, [b]: 2 },
    ]);
  });

  it("are removed once", async () => {
    await add([a, b]);

    const statuses = [(await remove(a)).status, (await remove(a)).status];

    expect([statuses, await places()]).toEqual([[204, 404], { [b]: 2 }]);
  });

  it("are listed by pages, filters and other orders too", async () => {
    await add([c, a, b, d]);

    expect(ids((await list("?per_page=3&page=2")).body)).toEqual([d]);
    expect((await list("?per_page=3")).headers["x-total-count"]).toBe("4");
    expect(ids((await list("?sort=price_e2")).body)).toEqual([b, d, c, a]);
    expect(ids((await list("?filter[price_e2][gte]=300")).body)).toEqual([c, a]);
    expect((await list("?load=tags&fields=id")).body[0]).toEqual({ id: c, tags: [] });
  });

  it.each([undefined, [{ field: "PRICE_E2", direction: "DESC" }]])(
    "can be walked by cursor, ordered by %j",
    async (orderBy) => {
      await add([c, a, b, d]);
      const variables = { companyId: acme.id, clientId: me.id, orderBy };
      const whole = dataOf(await me.client.run(FAVORITES, variables)).favorites;

      const seen: number[] = [];
      let after: string | null = null;
      for (let more = true; more;) {
        const page: GraphqlResult = await me.client.run(FAVORITES, { ...variables, first: 1, after });
        const { nodes, pageInfo } = dataOf(page).favorites;
        seen.push(...ids(nodes));
        [more, after] = [pageInfo.hasNextPage, pageInfo.endCursor];
      }

      expect([seen, whole.totalCount]).toEqual([ids(whole.nodes), 4]);
    },
  );

  it("leave deleted goods out, and do not forget them", async () => {
    const { id } = await createGood(gateway, acme.id);
    await add([id, a]);
    await acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${id}`);

    expect(ids((await list()).body)).toEqual([a]);
    expect([(await set(id)).status, (await remove(id)).status]).toEqual([404, 404]);
    expect((await list("?with_deleted=true")).status).toBe(403);
    const seen = await acme.owner.rest(
      "GET",
      `/companies/${acme.id}/clients/${me.id}/favorites?with_deleted=true`,
    );
    expect(ids(seen.body)).toEqual([id, a]);
  });

  it("work through GraphQL", async () => {
    const variables = { companyId: acme.id, clientId: me.id };

    expect(dataOf(await me.client.run(ADD, { ...variables, input: [b, a] })).addFavorites).toEqual([
      { id: b },
      { id: a },
    ]);
    expect(
      dataOf(await me.client.run(SET, { ...variables, goodId: c, input: { inOrder: 1 } })).setFavorite,
    ).toEqual({ inOrder: 1, good: { id: c } });
    expect(dataOf(await me.client.run(SET, { ...variables, goodId: d })).setFavorite).toEqual({
      inOrder: 4,
      good: { id: d },
    });
    expect(dataOf(await me.client.run(REMOVE, { ...variables, goodId: b })).removeFavorite).toEqual({
      goodId: b,
      inOrder: 2,
    });
    expect(errorCodes(await me.client.run(REMOVE, { ...variables, goodId: b }))).toEqual(["NOT_FOUND"]);
    expect(ids(dataOf(await me.client.run(FAVORITES, variables)).favorites.nodes)).toEqual([c, a, d]);
  });

  it("belong to the client and to admins of goods alone", async () => {
    await add([a]);
    const { client: other } = await signedInClient(gateway, acme.id);
    const globex = await createCompany(gateway);
    const [reader, editor] = [
      await adminWith(gateway, acme.id, "access_goods"),
      await adminWith(gateway, acme.id, "can_edit_goods"),
    ];
    const attempt = async (caller: Client): Promise<number[]> => [
      (await list("", caller)).status,
      (await add([b], caller)).status,
      (await set(b, { in_order: 1 }, caller)).status,
      (await remove(a, caller)).status,
    ];

    expect(await attempt(gateway.anonymous)).toEqual([401, 401, 401, 401]);
    expect(await attempt(other)).toEqual([403, 403, 403, 403]);
    expect(await attempt(globex.owner)).toEqual([403, 403, 403, 403]);
    expect(await attempt(reader)).toEqual([200, 403, 403, 403]);
    expect(await places()).toEqual({ [a]: 1 });
    expect(await attempt(editor)).toEqual([403, 200, 200, 204]);
  });

  it("take goods of the company alone, and clients that exist", async () => {
    const globex = await createCompany(gateway);
    const theirs = (await createGood(gateway, globex.id)).id;
    await add([a]);

    const { status, body } = await add([b, theirs, 2_000_000_000]);

    expect([status, wrongFields(body.errors)]).toEqual([422, ["[1]:exists", "[2]:exists"]]);
    expect([(await set(theirs)).status, (await set(theirs, { in_order: 0 })).status]).toEqual([404, 404]);
    expect(await places()).toEqual({ [a]: 1 });
    for (const clientId of [2_000_000_000, (await signedInClient(gateway, globex.id)).id]) {
      const path = `/companies/${acme.id}/clients/${clientId}`;
      expect((await acme.owner.rest("GET", `${path}/favorites`)).status).toBe(404);
      expect((await acme.owner.rest("POST", `${path}/favorites`, { body: [a] })).status).toBe(404);
      expect((await acme.owner.rest("PUT", `${path}/goods/${a}/favorites`)).status).toBe(404);
      expect((await acme.owner.rest("DELETE", `${path}/goods/${a}/favorites`)).status).toBe(404);
    }
  });

  it("get places of their own, however many are added at once", async () => {
    await Promise.all([a, b, c, d].flatMap((id) => [add([id]), set(id)]));

    expect(Object.values(await places()).sort()).toEqual([1, 2, 3, 4]);
  });

  const path = (): string => `/companies/${acme.id}/clients/${me.id}`;
  const list = (query = "", caller = me.client) => caller.rest("GET", `${path()}/favorites${query}`);
  const add = (body: unknown[], caller = me.client) => caller.rest("POST", `${path()}/favorites`, { body });
  const set = (goodId: number, body?: object, caller = me.client) =>
    caller.rest("PUT", `${path()}/goods/${goodId}/favorites`, body === undefined ? {} : { body });
  const remove = (goodId: number, caller = me.client) =>
    caller.rest("DELETE", `${path()}/goods/${goodId}/favorites`);

  async function places(): Promise<Record<number, number>> {
    const rows = await gateway.db.clientFavorite.findMany({ where: { companyId: acme.id, clientId: me.id } });
    return Object.fromEntries(rows.map(({ goodId, inOrder }) => [goodId, inOrder]));
  }
});

const ids = (rows: { id: number }[]): number[] => rows.map(({ id }) => id);
