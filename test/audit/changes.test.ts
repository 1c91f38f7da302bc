import { GOOD_BODY } from "../goods/examples.js";
import { createOrder, runningCoupon } from "../coupons/running-coupon.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";

const CHANGES = `query ($companyId: Int!, $after: String, $first: Int, $filter: ChangeFilterInput) {
  changes(companyId: $companyId, after: $after, first: $first, filter: $filter) {
    edges { cursor }
    nodes { id type action entityId fields at requestId actorKind actorId }
    pageInfo { hasNextPage endCursor }
  }
}`;

interface Page {
  readonly edges: readonly { readonly cursor: string }[];
  readonly nodes: readonly Record<string, unknown>[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string };
}

let gateway: Gateway;
let company: TestCompany;
let start: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  start = (await read({ after: "now" })).pageInfo.endCursor;
});
afterAll(() => gateway.close());

const ask = (variables: object, by: Client = company.owner) =>
  by.run(CHANGES, { companyId: company.id, ...variables });
const read = async (variables: object, by?: Client): Promise<Page> =>
  dataOf(await ask(variables, by))["changes"] as Page;
/** Reads on until so many changes have come: a transaction of another database of the server may hold them back. */
async function follow(
  after: string,
  count: number,
  filter: object | null = null,
  by?: Client,
): Promise<Page> {
  const page = await read({ after, filter }, by);
  return page.nodes.length >= count ? page : follow(after, count, filter, by);
}
const short = ({ nodes }: Page) => nodes.map(({ type, action, fields }) => [type, action, fields]);

describe("changes", () => {
  it("tell what became of a row, by whom and by which fields", async () => {
    const path = `/companies/${company.id}/goods`;
    const made = await company.owner.rest("POST", path, {
      body: GOOD_BODY,
    });
    const id = made.body.id as number;
    const changed = await company.owner.rest("PATCH", `${path}/${id}`, {
      body: { name: "Mate", price_e2: 120 },
    });
    await company.owner.rest("PATCH", `${path}/${id}`, { body: { name: "Mate" } });
    await company.owner.rest("DELETE", `${path}/${id}`);
    await company.owner.rest("POST", `${path}/${id}/restore`);

    const page = await follow(start, 4, { types: ["Good"] });

    expect(short(page)).toEqual([
      ["Good", "created", []],
      ["Good", "updated", ["name", "priceE2"]],
      ["Good", "deleted", []],
      ["Good", "restored", []],
    ]);
    expect(new Set(page.nodes.map(({ entityId }) => entityId))).toEqual(new Set([id]));
    expect(page.nodes[1]).toMatchObject({
      actorKind: "admin",
      actorId: expect.any(Number),
      requestId: changed.headers["x-request-id"],
    });
  });

  it("are no uses of coupons, which are records themselves: they move no version of the coupon and the order", async () => {
    const coupon = await runningCoupon(gateway, company.id);
    const order = await createOrder(gateway, company.id);
    const versions = async () => [
      (await gateway.db.coupon.findFirstOrThrow({ where: { companyId: company.id, id: coupon.id } })).version,
      (await gateway.db.order.findFirstOrThrow({ where: { companyId: company.id, id: order.id } })).version,
    ];
    for (const name of ["hold", "consume", "return"]) {
      const { status } = await company.owner.rest("POST", `/companies/${company.id}/coupons/${name}`, {
        body: { code: coupon.codes[0], order_id: order.id },
      });
      expect(status).toBe(200);
    }
    expect(await versions()).toEqual([1, 1]);
    await gateway.db.coupon.updateMany({ where: { companyId: company.id }, data: { name: "Last" } });

    const page = await follow(start, 3, { types: ["Coupon", "Order"] });

    expect(short(page)).toEqual([
      ["Coupon", "created", []],
      ["Order", "created", []],
      ["Coupon", "updated", ["name"]],
    ]);
  });

  it("of parts are changes of their whole, also by jobs, of whom nobody is named", async () => {
    const companyId = company.id;
    const { id: goodId } = await createGood(gateway, companyId);
    const { id: branchId } = await gateway.db.branch.create({ data: { companyId, name: "Here" } });
    const { id } = await gateway.db.branchGood.create({ data: { companyId, branchId, goodId } });
    const { endCursor } = (await follow(start, 4)).pageInfo;
    await gateway.db.branchGood.update({
      where: { companyId_id: { companyId, id } },
      data: { priceE2: 3n, stock: 2 },
    });

    const page = await follow(endCursor, 2);

    expect(short(page).sort()).toEqual([
      ["BranchGood", "updated", ["priceE2", "stock"]],
      ["Good", "updated", ["branchGoods"]],
    ]);
    expect(page.nodes.map(({ actorKind, requestId }) => [actorKind, requestId])).toEqual([
      [null, null],
      [null, null],
    ]);
  });

  it("of each kind of part name it among the fields of the good, and move the good's version by one", async () => {
    const { db } = gateway;
    const companyId = company.id;
    const { id: g } = await createGood(gateway, companyId);
    const { id: b } = await db.branch.create({ data: { companyId, name: "Here" } });
    const { id: k } = await db.category.create({ data: { companyId, name: "Teas" } });
    const { id: m } = await db.material.create({ data: { companyId, name: "Leaves" } });
    const { id: p } = await db.property.create({ data: { companyId, name: "Size", type: 0x100 } });
    const { id: goodTagId } = await db.goodTag.create({ data: { companyId, name: "New" } });
    const change = async (mutation: string): Promise<void> => {
      const known: Record<string, number> = { c: companyId, g, b, k, m, p };
      const variables = Object.fromEntries(
        Object.entries(known).filter(([name]) => mutation.includes(`$${name}`)),
      );
      const types = Object.keys(variables).map((name) => `$${name}: Int!`);
      dataOf(await company.owner.run(`mutation (${types.join()}) { ${mutation} }`, variables));
    };
    const parts: Record<string, () => Promise<unknown>> = {
      categories: () => change("addGoodsToCategory(companyId: $c, categoryId: $k, input: [$g]) { id }"),
      materials: () =>
        change(
          "linkGoodMaterial(companyId: $c, goodId: $g, materialId: $m, input: { quantityReal: 7 }) { quantityReal }",
        ),
      properties: () =>
        change(
          'syncGoodProperties(companyId: $c, goodId: $g, input: [{ propertyId: $p, displayName: "Size" }]) { displayName }',
        ),
      branchGoods: () =>
        change(
          "upsertBranchGoods(companyId: $c, by: id, rows: [{ branchId: $b, goodId: $g, stock: 2 }]) { ok }",
        ),
      // Goods get their tags past the contract.
      tags: () => db.goodTagGood.create({ data: { companyId, goodId: g, goodTagId } }),
    };
    const versions: number[] = [];
    for (const make of Object.values(parts)) {
      await make();
      versions.push((await db.good.findFirstOrThrow({ where: { companyId, id: g } })).version);
    }

    const page = await follow(start, 6, { types: ["Good"] });

    expect(short(page)).toEqual([
      ["Good", "created", []],
      ...Object.keys(parts).map((name) => ["Good", "updated", [name]]),
    ]);
    expect(versions).toEqual([2, 3, 4, 5, 6]);
  });

  it("of several parts at once are one change of their whole, as its version moves once", async () => {
    const { db } = gateway;
    const companyId = company.id;
    const goods = await Promise.all(["A", "B", "C"].map((name) => createGood(gateway, companyId, { name })));
    const [one, two, three] = goods.map(({ id }) => id) as [number, number, number];
    const { id: tag } = await db.goodTag.create({ data: { companyId, name: "New" } });
    const { id: type } = await db.adminType.create({
      data: { companyId, name: "Staff", defaultKey: "home" },
    });
    const put = (ids: readonly number[]) =>
      company.owner.rest("PUT", `/companies/${companyId}/good-tags/${tag}/goods`, { body: ids });
    await put([one, two]);
    const { endCursor } = (await follow(start, 1, { types: ["GoodTag"], actions: ["updated"] })).pageInfo;

    const replaced = await put([three]);
    const roles = await company.owner.rest("POST", `/companies/${companyId}/admin-types/${type}/roles`, {
      body: ["access_goods", "access_clients", "access_coupons"],
    });
    const page = await follow(endCursor, 5, { types: ["GoodTag", "Good", "AdminType"] });

    expect([replaced.status, roles.status]).toEqual([200, 200]);
    expect(page.nodes.map(({ type: kind, entityId, fields }) => [kind, entityId, fields]).sort()).toEqual(
      [
        ["AdminType", type, ["roles"]],
        ["Good", one, ["tags"]],
        ["Good", two, ["tags"]],
        ["Good", three, ["tags"]],
        ["GoodTag", tag, ["goods"]],
      ].sort(),
    );
    expect((await db.goodTag.findFirst({ where: { companyId } }))?.version).toBe(3);
    expect((await db.adminType.findFirst({ where: { companyId, id: type } }))?.version).toBe(2);
  });

  it("of a whole with which its version moves once are one change, with all its fields", async () => {
    const { db } = gateway;
    const companyId = company.id;
    const { id: goodId } = await createGood(gateway, companyId);
    const ids = await Promise.all(
      ["Teas", "Cups"].map((name) => db.category.create({ data: { companyId, name } })),
    );
    const { id: goodTagId } = await db.goodTag.create({ data: { companyId, name: "New" } });
    const categories = ids.map(({ id: categoryId }) => ({ companyId, goodId, categoryId }));
    await db.$transaction(async (inside) => {
      await inside.goodCategory.createMany({ data: categories });
      await inside.goodTagGood.create({ data: { companyId, goodId, goodTagId } });
      await inside.good.updateMany({ where: { companyId, id: goodId }, data: { name: "Mate" } });
      await inside.goodCategory.deleteMany({ where: { companyId, goodId } });
    });
    await db.goodCategory.createMany({ data: categories });

    const page = await follow(start, 4, { types: ["Good"] });

    expect(short(page)).toEqual([
      ["Good", "created", []],
      ["Good", "updated", ["categories", "tags"]],
      ["Good", "updated", ["name"]],
      ["Good", "updated", ["categories"]],
    ]);
    expect((await db.good.findFirstOrThrow({ where: { companyId, id: goodId } })).version).toBe(4);
  });

  it("of a row and of its parts by one request are one change, as its version moves once", async () => {
    const path = `/companies/${company.id}/properties`;
    const made = await company.owner.rest("POST", path, {
      body: { name: "Size", type: 0x100, property_options: [{ name: "S", price_e2: 1 }] },
    });
    const parts = {
      property_options: [
        { name: "M", price_e2: 2 },
        { name: "L", price_e2: 3 },
      ],
      property_text: { regex: "a" },
    };
    const change = (body: object) => company.owner.rest("PATCH", `${path}/${made.body.id}`, { body });

    const answers = [await change({ name: "Sizes", ...parts }), await change({ name: "Sizes", ...parts })];
    answers.push(await change({ name: "Sizes", property_options: [], property_text: null }));
    const page = await follow(start, 4, { types: ["Property"] });

    expect(answers.map(({ body }) => body.version)).toEqual([2, 3, 4]);
    expect(short(page)).toEqual([
      ["Property", "created", []],
      ["Property", "updated", ["name", "propertyOptions", "propertyText"]],
      ["Property", "updated", ["propertyOptions"]],
      ["Property", "updated", ["propertyOptions", "propertyText"]],
    ]);
    expect(page.nodes.slice(1).map(({ requestId }) => requestId)).toEqual(
      answers.map(({ headers }) => headers["x-request-id"]),
    );
  });

  it("of a segment and of its list by one request are one change, and a new one is created alone", async () => {
    const { db } = gateway;
    const companyId = company.id;
    const clients = await Promise.all(
      ["A", "B"].map((name) => db.client.create({ data: { companyId, name } })),
    );
    const [one, two] = clients.map(({ id }) => id) as [number, number];
    const run = async (mutation: string, variables: object) =>
      dataOf(await company.owner.run(mutation, { c: companyId, ...variables })).answer;
    const SHOWN = "{ id version listedCount }";
    const made = await run(
      `mutation ($c: Int!, $input: CreateClientSegmentInput!) { answer: createClientSegment(companyId: $c, input: $input) ${SHOWN} }`,
      { input: { name: "Few", clientIds: [one] } },
    );
    const change = (input: object) =>
      run(
        `mutation ($c: Int!, $id: Int!, $input: UpdateClientSegmentInput!) {
          answer: updateClientSegment(companyId: $c, id: $id, input: $input) ${SHOWN} }`,
        { id: made.id, input },
      );

    const answers = [made, await change({ name: "Many", clientIds: [one, two] })];
    answers.push(await change({ clientIds: [] }));
    const page = await follow(start, 3, { types: ["ClientSegment"] });

    expect(answers.map(({ version, listedCount }) => [version, listedCount])).toEqual([
      [1, 1],
      [2, 2],
      [3, 0],
    ]);
    expect(
      short(page).map(([type, action, fields]) => [type, action, [...(fields as string[])].sort()]),
    ).toEqual([
      ["ClientSegment", "created", []],
      ["ClientSegment", "updated", ["listedCount", "name"]],
      ["ClientSegment", "updated", ["listedCount"]],
    ]);
  });

  it("of parts of several kinds by the mutations of one transaction are one change", async () => {
    const { db } = gateway;
    const c = company.id;
    const { id: g } = await createGood(gateway, c);
    const { id: k } = await db.category.create({ data: { companyId: c, name: "Teas" } });
    const { id: m } = await db.material.create({ data: { companyId: c, name: "Leaves" } });

    const result = await company.owner.run(
      `mutation ($c: Int!, $g: Int!, $k: Int!, $m: Int!) {
        linkGoodMaterial(companyId: $c, goodId: $g, materialId: $m, input: { quantityReal: 7 }) { quantityReal }
        addGoodsToCategory(companyId: $c, categoryId: $k, input: [$g]) { id }
      }`,
      { c, g, k, m },
      { "idempotency-key": "several kinds" },
    );
    const page = await follow(start, 2, { types: ["Good"] });

    expect(result.errors).toBeUndefined();
    expect(short(page)).toEqual([
      ["Good", "created", []],
      ["Good", "updated", ["categories", "materials"]],
    ]);
    expect((await db.good.findFirstOrThrow({ where: { companyId: c, id: g } })).version).toBe(2);
  });

  it("are told of areas that the caller may read alone, and refused by name", async () => {
    const reader = await adminWith(gateway, company.id, "access_goods");
    await createGood(gateway, company.id);
    await gateway.db.city.create({ data: { companyId: company.id, name: "Quito" } });

    const types = (
      await follow(start, 1, { types: ["Good"] }, reader).then(() => read({ after: start }, reader))
    ).nodes.map(({ type }) => type);

    expect(types).toContain("Good");
    expect(types).not.toContain("Admin");
    expect(errorCodes(await ask({ filter: { types: ["Admin"] } }, reader))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await ask({ filter: { types: ["ClientAddress"] } }))).toEqual(["VALIDATION_FAILED"]);
    expect(errorCodes(await ask({}, gateway.anonymous))).toEqual(["UNAUTHENTICATED"]);
  });

  it("of parts without a mutation of their own are told who may read their whole", async () => {
    const readers = {
      PropertyOption: await adminWith(gateway, company.id, "access_properties"),
      AdminTypeRole: await adminWith(gateway, company.id, "access_admin_types"),
    };

    const told = (type: string, by: Client) => ask({ filter: { types: [type] } }, by).then(errorCodes);

    expect(await told("PropertyOption", readers.PropertyOption)).toEqual([]);
    expect(await told("AdminTypeRole", readers.AdminTypeRole)).toEqual([]);
    expect(await told("PropertyOption", readers.AdminTypeRole)).toEqual(["FORBIDDEN"]);
    expect(await told("AdminTypeRole", readers.PropertyOption)).toEqual(["FORBIDDEN"]);
  });

  it("go on behind any cursor, by any filter", async () => {
    for (const name of ["A", "B", "C"]) await createGood(gateway, company.id, { name });

    const all = await follow(start, 3, { types: ["Good"] });
    const first = await read({ after: start, first: 1, filter: { types: ["Good"] } });
    const rest = await read({
      after: first.pageInfo.endCursor,
      filter: { actions: ["created"], types: ["Good"] },
    });
    const none = await read({ after: start, filter: { types: ["Coupon"] } });
    const after = await read({ after: none.pageInfo.endCursor });

    expect(all.nodes).toHaveLength(3);
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect([...first.nodes, ...rest.nodes]).toEqual(all.nodes);
    expect([none.nodes, after.nodes]).toEqual([[], []]);
    expect((await read({ after: all.edges[1]?.cursor, filter: { types: ["Good"] } })).nodes).toEqual(
      all.nodes.slice(2),
    );
  });

  it("of an empty filter are all, as of none", async () => {
    await createGood(gateway, company.id);
    const reader = await adminWith(gateway, company.id, "access_goods");

    const all = await follow(start, 1, null, reader);
    const empty = await read({ after: start, filter: { types: [], actions: [] } }, reader);

    expect(short(all)).toContainEqual(["Good", "created", []]);
    expect(empty.nodes).toEqual(all.nodes);
  });

  it("behind a place that is not kept any more are refused", async () => {
    await createGood(gateway, company.id);
    const { endCursor } = (await follow(start, 1)).pageInfo;
    await gateway.db.journalEntry.deleteMany({ where: { companyId: company.id } });

    expect(errorCodes(await ask({ after: endCursor }))).toEqual(["CURSOR_EXPIRED"]);
    expect(errorCodes(await ask({ after: "nonsense" }))).toEqual(["BAD_REQUEST"]);
  });

  it("of a transaction that goes on hold back those that began later", async () => {
    let commit = (): void => undefined;
    const waiting = new Promise<void>((resolve) => (commit = resolve));
    let written = (): void => undefined;
    const hasWritten = new Promise<void>((resolve) => (written = resolve));
    const long = gateway.db.$transaction(async (db) => {
      await db.city.create({ data: { companyId: company.id, name: "First" } });
      written();
      await waiting;
    });
    await hasWritten;
    await gateway.db.city.create({ data: { companyId: company.id, name: "Second" } });
    const filter = { types: ["City"] };

    const during = await read({ after: start, filter });
    commit();
    await long;
    const after = await follow(during.pageInfo.endCursor, 2, filter);

    const cities = await gateway.db.city.findMany({ where: { companyId: company.id } });
    const idOf = (name: string) => cities.find((city) => city.name === name)?.id;
    expect(during.nodes).toEqual([]);
    expect(after.nodes.map(({ entityId }) => entityId)).toEqual([idOf("First"), idOf("Second")]);
  });

  it("of one row keep their order, though a transaction that began before changes it last", async () => {
    const companyId = company.id;
    const { id } = await gateway.db.city.create({ data: { companyId, name: "Here" } });
    const change = (db: Pick<Gateway["db"], "city">, data: object) =>
      db.city.update({ where: { companyId_id: { companyId, id } }, data });
    await gateway.db.$transaction(async (db) => {
      await db.city.create({ data: { companyId, name: "First" } });
      await change(gateway.db, { name: "There" });
      await change(gateway.db, { enabled: false });
      await change(db, { countryIso: "US" });
      await db.city.create({ data: { companyId, name: "Last" } });
    });

    const page = await follow(start, 6, { types: ["City"] });

    const ofRow = page.nodes.filter(({ entityId }) => entityId === id);
    const others = page.nodes.filter(({ entityId }) => entityId !== id);
    expect(ofRow.map(({ fields }) => fields)).toEqual([[], ["name"], ["enabled"], ["countryIso"]]);
    expect(others.map(({ entityId }) => entityId)).toEqual(
      others.map(({ entityId }) => entityId as number).sort((a, b) => a - b),
    );
  });

  it("reach each of four readers exactly once, whatever eight writers do side by side", async () => {
    const committed: number[] = [];
    let writing = 8;
    const writer = async (n: number): Promise<void> => {
      for (let turn = 0; turn < 12; turn += 1) {
        const ids: number[] = [];
        const isUndone = (n + turn) % 4 === 0;
        await gateway.db
          .$transaction(async (db) => {
            for (let part = 0; part <= (n + turn) % 5; part += 1) {
              const { id } = await db.city.create({
                data: { companyId: company.id, name: `${n}.${turn}.${part}` },
              });
              ids.push(id);
            }
            if (isUndone) throw new Error("undone");
          })
          .then(
            () => committed.push(...ids),
            (error: Error) => expect(error.message).toBe("undone"),
          );
      }
      writing -= 1;
    };
    const reader = async (first: number): Promise<unknown[]> => {
      const seen: unknown[] = [];
      let after = start;
      for (;;) {
        const isOver = writing === 0;
        const page = await read({ after, first, filter: { types: ["City"] } });
        seen.push(...page.nodes.map(({ entityId }) => entityId));
        after = page.pageInfo.endCursor;
        if (isOver && !page.pageInfo.hasNextPage && seen.length >= committed.length) return seen;
      }
    };

    const [, readers] = await Promise.all([
      Promise.all(Array.from({ length: 8 }, (_, n) => writer(n))),
      Promise.all([1, 7, 50, 200].map(reader)),
    ]);

    const sorted = (ids: readonly unknown[]) => [...(ids as number[])].sort((a, b) => a - b);
    expect(committed.length).toBeGreaterThan(100);
    for (const seen of readers) {
      expect(sorted(seen)).toEqual(sorted(committed));
      expect(seen).toEqual(readers[0]);
    }
  });
});
