import { createOrders, runningCoupon, tally } from "../coupons/running-coupon.js";
import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  unique,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import { makeKey } from "./keys.js";

const HOUR_MS = 3_600_000;

let gateway: Gateway;
let company: TestCompany;
let path: string;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  company = await createCompany(gateway);
  path = `/companies/${company.id}`;
});
afterAll(() => gateway.close());

describe("an ERP with a key", () => {
  const STOCK = `mutation ($c: Int!, $rows: [UpsertBranchGoodInput!]!) {
    upsertBranchGoods(companyId: $c, by: external_id, rows: $rows) {
      ok created error { code } branchGood { goodId priceE2 stock version }
    }
  }`;
  const PRICE = `mutation ($c: Int!, $id: Int!, $price: SafeInt!, $version: Int!) {
    updateGood(companyId: $c, id: $id, input: { priceE2: $price }, ifVersion: $version) { priceE2 version }
  }`;
  let erp: Client;
  let keyId: number;
  let shopId: number;
  let branchId: number;
  beforeEach(async () => {
    const roles = ["access_goods", "can_edit_goods"];
    ({ id: keyId, client: erp } = await makeKey(gateway, company.owner, company.id, { roles }));
    shopId = (await createBranchGroup(gateway, company.id)).id;
    branchId = (await createBranch(gateway, company.id, { branchGroupId: shopId })).id;
  });

  /** All that has changed behind a place, page by page, and the place behind it. */
  async function changesBehind(cursor: string) {
    await journalShowsAll(gateway);
    const nodes: Record<string, any>[] = [];
    for (let place = cursor; ;) {
      const { body, headers } = await erp.rest(
        "GET",
        `${path}/changes?types=good&per_page=2&cursor=${encodeURIComponent(place)}`,
      );
      nodes.push(...(body as Record<string, any>[]));
      const next = new URL(
        /<(?<url>[^>]+)>; rel="next"/u.exec(String(headers["link"]))?.groups?.["url"] ?? "",
        "http://a",
      );
      place = next.searchParams.get("cursor") as string;
      if (body.length === 0) return { nodes, place };
    }
  }

  it("follows what changed since last night, and pushes prices and stock by its own ids", async () => {
    const { place: lastNight } = await changesBehind("now");
    const pushed = await erp.rest("PATCH", `${path}/goods?by=external_id`, {
      body: ["A-1", "A-2", "A-3"].map((externalId, n) => ({
        external_id: externalId,
        branch_group_id: shopId,
        name: `Good ${n}`,
        price_e2: 100 * (n + 1),
      })),
    });
    const stock = await erp.run(STOCK, {
      c: company.id,
      rows: ["A-1", "A-2", "none"].map((externalId, n) => ({
        branchId,
        externalId,
        stock: n + 0.5,
        priceE2: 90,
      })),
    });
    const [first, second] = pushed.body.map(({ good }: { good: object }) => good) as { id: number }[];
    await company.owner.rest("PATCH", `${path}/goods/${second?.id}`, { body: { name: "By the shop" } });

    const { nodes, place } = await changesBehind(lastNight);

    expect(pushed.body).toMatchObject(Array(3).fill({ ok: true, created: true, good: { version: 1 } }));
    expect(dataOf(stock)["upsertBranchGoods"]).toEqual([
      {
        ok: true,
        created: true,
        error: null,
        branchGood: { goodId: first?.id, priceE2: 90, stock: 0.5, version: 1 },
      },
      {
        ok: true,
        created: true,
        error: null,
        branchGood: { goodId: second?.id, priceE2: 90, stock: 1.5, version: 1 },
      },
      { ok: false, created: false, error: { code: "NOT_FOUND" }, branchGood: null },
    ]);
    const isOwn = ({ actor_kind: kind, actor_id: id }: Record<string, unknown>) =>
      kind === "key" && id === keyId;
    expect(nodes.filter(isOwn).map(({ action, fields }) => [action, fields])).toEqual([
      ...Array(3).fill(["created", []]),
      ...Array(2).fill(["updated", ["branch_goods"]]),
    ]);
    expect(nodes.filter((node) => !isOwn(node))).toMatchObject([
      { action: "updated", fields: ["name"], entity_id: second?.id, actor_kind: "admin" },
    ]);
    expect((await changesBehind(place)).nodes).toEqual([]);
  });

  it("goes on by the versions that it was answered, and learns who came between", async () => {
    const { id } = await createGood(gateway, company.id, { externalId: "A-1", priceE2: 100 });
    const push = (priceE2: number) =>
      erp.rest("PATCH", `${path}/goods?by=external_id`, {
        body: [{ external_id: "A-1", price_e2: priceE2 }],
      });
    const { body } = await push(110);
    const { version } = body[0].good as { version: number };
    const price = (value: number, seen: number) =>
      erp.run(PRICE, { c: company.id, id, price: value, version: seen });

    expect(dataOf(await price(120, version))["updateGood"]).toEqual({ priceE2: 120, version: version + 1 });
    await company.owner.rest("PATCH", `${path}/goods/${id}`, { body: { price_e2: 99 } });
    const refused = await price(130, version + 1);

    expect(errorCodes(refused)).toEqual(["PRECONDITION_FAILED"]);
    expect(refused.errors?.[0]?.extensions["present"]).toMatchObject({
      version: version + 2,
      actorKind: "admin",
      actorId: expect.any(Number),
    });
    expect(dataOf(await price(130, version + 2))["updateGood"]).toEqual({
      priceE2: 130,
      version: version + 3,
    });
    expect((await push(130)).body[0].good.version).toBe(version + 3);
  });
});

describe("a till with a key", () => {
  const CLIENTS = `mutation ($c: Int!, $rows: [UpsertClientInput!]!) {
    upsertClients(companyId: $c, by: external_id, rows: $rows) {
      ok created error { code field } client { id name version }
    }
  }`;

  it("tells its day without a network later, each thing once however often it is sent", async () => {
    const { client: till } = await makeKey(gateway, company.owner, company.id, {
      roles: ["access_coupons", "can_redeem_coupons", "access_clients", "can_edit_clients"],
    });
    const { id, codes } = await runningCoupon(gateway, company.id, {
      startsAt: new Date(Date.now() - 10 * HOUR_MS),
      totalCount: 2,
    });
    const orders = await createOrders(gateway, company.id, 4);
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString();
    const told = [
      { path: "hold", body: { code: codes[0], order_id: orders[0], occurred_at: ago(5) } },
      { path: "consume", body: { code: codes[0], order_id: orders[0], occurred_at: ago(4) } },
      { path: "consume", body: { code: codes[0], order_id: orders[1], occurred_at: ago(3) } },
      { path: "consume", body: { code: codes[0], order_id: orders[2], occurred_at: ago(2) } },
      { path: "consume", body: { code: codes[0], order_id: orders[3], occurred_at: ago(80) } },
    ].map((one) => ({ ...one, key: unique() }));
    const rows = [
      { externalId: "T-1", name: "Ana" },
      { externalId: "T-2", name: "Luis", phone: "+584125550100" },
      { externalId: "T-3" },
    ];
    const tellAll = async () => {
      const answers = [];
      for (const { path: name, body, key } of told)
        answers.push(
          await till.rest("POST", `${path}/coupons/${name}`, { body, headers: { "idempotency-key": key } }),
        );
      const { upsertClients } = dataOf(await till.run(CLIENTS, { c: company.id, rows }));
      return { answers: answers.map(({ status, body }) => ({ status, body })), upsertClients };
    };

    const first = await tellAll();
    const again = await tellAll();

    expect(first.answers.map(({ status, body }) => [status, body.code ?? null])).toMatchObject([
      [200, expect.anything()],
      [200, expect.anything()],
      [200, expect.anything()],
      [422, "COUPON_EXHAUSTED"],
      [422, "VALIDATION_FAILED"],
    ]);
    expect(again.answers.slice(0, 3)).toEqual(first.answers.slice(0, 3));
    expect(again.answers.map(({ status }) => status)).toEqual(first.answers.map(({ status }) => status));
    expect((await tally(gateway, company.id, id)).counters).toMatchObject({ spent: 2, held: 0 });
    const written = (isNew: boolean) => [
      { ok: true, created: isNew, error: null, client: { name: "Ana", version: 1 } },
      { ok: true, created: isNew, error: null, client: { name: "Luis", version: 1 } },
      { ok: false, created: false, error: { code: "VALIDATION_FAILED", field: "name" }, client: null },
    ];
    expect(first.upsertClients).toMatchObject(written(true));
    expect(again.upsertClients).toMatchObject(written(false));
    expect(await gateway.db.client.count({ where: { companyId: company.id } })).toBe(2);
  });

  it("creates a client once, however many tills have its id at once", async () => {
    const { client: till } = await makeKey(gateway, company.owner, company.id, {
      roles: ["can_edit_clients"],
    });

    const results = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        till.run(CLIENTS, { c: company.id, rows: [{ externalId: "T-1", name: `Ana ${n}` }] }),
      ),
    );

    const rows = results.map((result) => (dataOf(result)["upsertClients"] as Record<string, any>[])[0]);
    expect(rows.map((row) => row?.["ok"])).toEqual(Array(8).fill(true));
    expect(rows.filter((row) => row?.["created"] === true)).toHaveLength(1);
    expect(await gateway.db.client.findMany({ where: { companyId: company.id } })).toMatchObject([
      { externalId: "T-1", version: 8 },
    ]);
  });

  it("finds clients by their ids, and creates none", async () => {
    const { id } = await gateway.db.client.create({ data: { companyId: company.id, name: "Ana" } });
    const rows = [{ id, phone: "1" }, { id: 2_000_000_000, name: "None" }, { name: "Without" }];
    const byId = CLIENTS.replace("external_id", "id");

    const result = await company.owner.run(byId, { c: company.id, rows });

    expect(dataOf(result)["upsertClients"]).toMatchObject([
      { ok: true, created: false, client: { id, name: "Ana", version: 2 } },
      { ok: false, error: { code: "NOT_FOUND" } },
      { ok: false, error: { code: "VALIDATION_FAILED", field: "id" } },
    ]);
    expect(await gateway.db.client.count({ where: { companyId: company.id } })).toBe(1);
  });
});
