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
  startGateway,
  wrongFields,
} from "../support/gateway.js";

const RESTORE = `mutation ($companyId: Int!, $id: Int!, $input: RestoreGoodInput) {
  restoreGood(companyId: $companyId, id: $id, input: $input) { id name deletedAt }
}`;
const DELETE = `mutation ($companyId: Int!, $id: Int!) { deleteGood(companyId: $companyId, id: $id) { id name deletedAt } }`;
const SHOW = `query ($companyId: Int!, $id: Int!, $withDeleted: Boolean) { good(companyId: $companyId, id: $id, withDeleted: $withDeleted) { id } }`;

describe("deleting and restoring a good", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });

  afterAll(() => gateway.close());

  it("leaves it out until it is restored", async () => {
    const { id } = await createGood(gateway, acme.id);
    const before = (await acme.owner.rest("GET", path(id))).body;

    const deleted = await acme.owner.rest("DELETE", path(id));

    expect([deleted.status, deleted.body]).toEqual([204, null]);
    expect((await acme.owner.rest("GET", path(id))).status).toBe(404);
    expect((await acme.owner.rest("GET", `/companies/${acme.id}/goods?filter[id]=${id}`)).body).toEqual([]);
    const restored = await acme.owner.rest("POST", `${path(id)}/restore`);
    expect([restored.status, restored.body]).toEqual([
      200,
      { ...before, updated_at: expect.any(String), version: 3 },
    ]);
    expect((await acme.owner.rest("GET", path(id))).status).toBe(200);
  });

  it("keeps what is linked to it", async () => {
    const { id } = await createGood(gateway, acme.id);
    const tag = await gateway.db.goodTag.create({ data: { companyId: acme.id, name: "Hot" } });
    await gateway.db.goodTagGood.create({ data: { companyId: acme.id, goodTagId: tag.id, goodId: id } });

    await acme.owner.rest("DELETE", path(id));
    await acme.owner.rest("POST", `${path(id)}/restore`);

    expect(
      (await acme.owner.rest("GET", `/companies/${acme.id}/good-tags/${tag.id}/goods`)).body,
    ).toMatchObject([{ id }]);
  });

  it("takes a new name of at most 64 characters", async () => {
    const good = await createGood(gateway, acme.id, { deletedAt: new Date() });

    const refused = [
      await acme.owner.rest("POST", `${path(good.id)}/restore`, { body: { name: "x".repeat(65) } }),
      await acme.owner.rest("POST", `${path(good.id)}/restore`, { body: { name: "" } }),
    ];

    expect(refused.map(({ status, body }) => [status, wrongFields(body.errors)])).toEqual([
      [422, ["name:max_length"]],
      [422, ["name:min_length"]],
    ]);
    expect(await stored(good.id)).toEqual(good);
    const { body } = await acme.owner.rest("POST", `${path(good.id)}/restore`, {
      body: { name: "x".repeat(64) },
    });
    expect([body.name, body.deleted_at]).toEqual(["x".repeat(64), null]);
  });

  it("refuses to restore what is not deleted, and does not rename it", async () => {
    const good = await createGood(gateway, acme.id);

    const { status, body } = await acme.owner.rest("POST", `${path(good.id)}/restore`, {
      body: { name: "Other" },
    });
    const result = await acme.owner.run(RESTORE, { companyId: acme.id, id: good.id, input: null });

    expect([status, body.code, errorCodes(result)]).toEqual([409, "INVALID_STATE", ["INVALID_STATE"]]);
    expect(await stored(good.id)).toEqual(good);
  });

  it("works through GraphQL, and once only", async () => {
    const { id } = await createGood(gateway, acme.id, { name: "Tea" });

    const { deleteGood } = dataOf(await acme.owner.run(DELETE, { companyId: acme.id, id }));
    const again = await acme.owner.run(DELETE, { companyId: acme.id, id });
    const { restoreGood } = dataOf(
      await acme.owner.run(RESTORE, { companyId: acme.id, id, input: { name: "Green tea" } }),
    );

    expect(deleteGood).toEqual({ id, name: "Tea", deletedAt: expect.any(String) });
    expect(errorCodes(again)).toEqual(["NOT_FOUND"]);
    expect(restoreGood).toEqual({ id, name: "Green tea", deletedAt: null });
  });

  it("is refused to whoever may not edit goods, and to other companies", async () => {
    const globex = await createCompany(gateway);
    const [live, gone] = [
      await createGood(gateway, acme.id),
      await createGood(gateway, acme.id, { deletedAt: new Date() }),
    ];
    const reader = await adminWith(gateway, acme.id, "access_goods");
    const { client } = await signedInClient(gateway, acme.id);

    for (const [caller, status] of [
      [gateway.anonymous, 401],
      [reader, 403],
      [client, 403],
      [globex.owner, 403],
    ] as const) {
      expect((await caller.rest("DELETE", path(live.id))).status).toBe(status);
      expect((await caller.rest("POST", `${path(gone.id)}/restore`)).status).toBe(status);
    }
    for (const action of [
      `/companies/${globex.id}/goods/${gone.id}/restore`,
      `/companies/${globex.id}/goods/2000000000/restore`,
    ]) {
      expect((await globex.owner.rest("POST", action)).status).toBe(404);
    }
    expect((await globex.owner.rest("DELETE", `/companies/${globex.id}/goods/${live.id}`)).status).toBe(404);
    expect([await stored(live.id), await stored(gone.id)]).toEqual([live, gone]);
  });

  it("shows deleted goods to admins of the area alone, when they ask", async () => {
    const globex = await createCompany(gateway);
    const { id } = await createGood(gateway, acme.id, { deletedAt: new Date() });
    const [reader, editor, other] = [
      await adminWith(gateway, acme.id, "access_goods"),
      await adminWith(gateway, acme.id, "can_edit_goods"),
      await adminWith(gateway, acme.id, "access_coupons", "can_edit_coupons"),
    ];
    const { client } = await signedInClient(gateway, acme.id);
    const list = `/companies/${acme.id}/goods?with_deleted=true&filter[id]=${id}`;

    const refused = [gateway.anonymous, client, other, globex.owner];
    const callers = [...refused, reader, editor, acme.owner, gateway.platform];
    const statuses = await Promise.all(
      callers.map(async (caller) => [
        (await caller.rest("GET", `${path(id)}?with_deleted=true`)).status,
        (await caller.rest("GET", list)).status,
      ]),
    );

    expect(statuses).toEqual([
      [401, 401],
      [403, 403],
      [403, 403],
      [403, 403],
      [200, 200],
      [200, 200],
      [200, 200],
      [200, 200],
    ]);
    const { body, headers } = await reader.rest("GET", list);
    expect(body).toMatchObject([{ id }]);
    expect(headers["cache-control"]).toBe("private, no-store");
    expect((await reader.rest("GET", `${path(id)}?with_deleted=false`)).status).toBe(404);
    const show = (by: Client) => by.run(SHOW, { companyId: acme.id, id, withDeleted: true });
    expect(errorCodes(await show(other))).toEqual(["FORBIDDEN"]);
    for (const admin of [reader, editor]) expect(dataOf(await show(admin))).toEqual({ good: { id } });
  });

  const path = (id: number): string => `/companies/${acme.id}/goods/${id}`;
  const stored = (id: number): Promise<unknown> =>
    gateway.db.good.findFirst({ where: { companyId: acme.id, id } });
});
