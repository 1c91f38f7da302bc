import { adminNamed } from "../admins/people.js";
import { createAccount, PASSWORD } from "../auth/accounts.js";
import { adminWith, createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Client, dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";

const ENTRIES = `query ($c: Int!, $filter: AuditEntryFilterInput) {
  auditEntries(companyId: $c, filter: $filter, orderBy: [{ field: ID }]) {
    nodes { operation action targetType } totalCount
  }
}`;

let gateway: Gateway;
let acme: TestCompany;
let goodId: number;
beforeAll(async () => {
  gateway = await startGateway();
});
beforeEach(async () => {
  acme = await createCompany(gateway);
  const good = await createGood(gateway, acme.id, { name: "Arepa", priceE2: 1234n });
  goodId = good.id;
});
afterAll(() => gateway.close());

const patch = (path: string, body: object, by: Client = acme.owner) =>
  by.rest("PATCH", `/companies/${acme.id}${path}`, { body });
const ask = (query: string, by: Client = acme.owner) =>
  by.rest("GET", `/companies/${acme.id}/audit-entries${query}`);

async function found(filter: object): Promise<string[]> {
  const { nodes, totalCount } = dataOf(await acme.owner.run(ENTRIES, { c: acme.id, filter }))["auditEntries"];
  expect(totalCount).toBe(nodes.length);
  return nodes.map(
    ({ action, targetType }: { action: string; targetType: string }) => `${action} ${targetType}`,
  );
}

describe("filters of the trail", () => {
  it("find entries by what happened", async () => {
    await patch(`/goods/${goodId}`, { price_e2: 1500 });
    await acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${goodId}`);

    expect(await found({ action: { eq: "delete" } })).toEqual(["delete good"]);
    expect(await found({ action: { in: ["update", "delete"] } })).toEqual(["update good", "delete good"]);
    expect(await found({ action: { ne: "delete" } })).toEqual(["update good"]);
    expect(await found({ action: { eq: "restore" } })).toEqual([]);
  });

  it("find entries by the kind of who acted, somebody without a token too", async () => {
    const account = await createAccount(gateway, acme.id);
    await patch(`/goods/${goodId}`, { price_e2: 1500 });
    await patch(`/goods/${goodId}`, { price_e2: 1600 }, gateway.platform);
    await gateway.anonymous.rest("POST", "/auth/login", {
      body: { email: account.email, password: PASSWORD },
    });

    expect(await found({ actorKind: { eq: "platform" } })).toEqual(["update good"]);
    expect(await found({ actorKind: { eq: "admin" }, adminId: { eq: acme.ownerId } })).toEqual([
      "update good",
    ]);
    expect(await found({ actorKind: { eq: "client" } })).toEqual([]);
    expect(await found({ not: { actorKind: { eq: "admin" } }, targetType: { eq: "good" } })).toEqual([
      "update good",
    ]);
  });

  it("find entries by the field that changed, as it is shown or in snake_case", async () => {
    await patch(`/goods/${goodId}`, { price_e2: 1500 });
    await patch(`/goods/${goodId}`, { name: "Other" });
    await patch("/settings", { slogan: "Fresh", messenger_a_token: "secret", acme_settings: ["secret"] });

    const good = ["update good"];
    expect(await found({ field: { eq: "priceE2" } })).toEqual(good);
    expect(await found({ field: { eq: "price_e2" } })).toEqual(good);
    expect(await found({ field: { in: ["priceE2", "name"] } })).toEqual([...good, ...good]);
    expect(await found({ field: { in: [] } })).toEqual([]);
    expect(await found({ field: { eq: "price" } })).toEqual([]);
    expect(await found({ not: { field: { eq: "name" } }, targetType: { eq: "good" } })).toEqual(good);
    for (const field of ["slogan", "messengerAToken", "messenger_a_token", "bankSettings.acme_settings"])
      expect([field, await found({ field: { eq: field } })]).toEqual([
        field,
        [expect.stringMatching(/settings$/u)],
      ]);
  });

  it("find by an object what changed within it", async () => {
    const create = `mutation ($c: Int!) {
      createCoupon(companyId: $c, input: { name: "Ten", type: batch, promoCode: "TENTEN", totalCount: 5, config: { limit: 2 } }) { id }
    }`;
    const { id } = dataOf(await acme.owner.run(create, { c: acme.id }))["createCoupon"];
    await acme.owner.run(
      "mutation ($c: Int!, $id: Int!) { updateCoupon(companyId: $c, id: $id, input: { config: { limit: 3 } }) { id } }",
      { c: acme.id, id },
    );

    const updated = { targetType: { eq: "coupon" }, action: { eq: "update" } };
    expect(await found({ ...updated, field: { eq: "config.limit" } })).toEqual(["update coupon"]);
    expect(await found({ ...updated, field: { eq: "config" } })).toEqual(["update coupon"]);
    expect(await found({ ...updated, field: { eq: "config.goods" } })).toEqual([]);
  });

  it("refuse null for a field, and an action that is none", async () => {
    const wrong = await acme.owner.run(ENTRIES, { c: acme.id, filter: { field: { eq: null } } });
    const { status, body } = await ask("?filter[action]=burn");

    expect(errorCodes(wrong)).toEqual(["BAD_REQUEST"]);
    expect([status, body.errors[0].field]).toEqual([400, "filter[action]"]);
  });
});

describe("the trail over REST", () => {
  const nameOf = async (id: number): Promise<string> =>
    (await gateway.db.admin.findFirstOrThrow({ where: { companyId: acme.id, id } })).name;

  it("names who has acted to who may read the trail alone, those who have left too", async () => {
    const reader = await adminWith(gateway, acme.id, "access_audit_entries");
    const { id: leaver, client } = await adminNamed(gateway, acme.id, "can_edit_goods");
    const create = `mutation ($c: Int!) {
      createApiKey(companyId: $c, input: { name: "Till", roles: ["can_edit_goods"] }) { key } }`;
    const { key } = dataOf(await acme.owner.run(create, { c: acme.id }))["createApiKey"];
    await patch(`/goods/${goodId}`, { price_e2: 1500 }, client);
    await patch(`/goods/${goodId}`, { price_e2: 1600 }, gateway.withToken(key));
    await patch(`/goods/${goodId}`, { price_e2: 1700 }, gateway.platform);
    await gateway.db.admin.updateMany({
      where: { companyId: acme.id, id: leaver },
      data: { deletedAt: new Date() },
    });

    const { body } = await ask("?filter[field]=price_e2&sort=id", reader);

    const actors = body.map((entry: Record<string, unknown>) => [entry["actor_kind"], entry["actor_name"]]);
    expect(actors).toEqual([
      ["admin", await nameOf(leaver)],
      ["key", "Till"],
      ["platform", null],
    ]);
  });

  it("lists entries, newest first, by the filters", async () => {
    await patch(`/goods/${goodId}`, { price_e2: 1500 });
    await patch(`/goods/${goodId}`, { name: "Other" });

    const all = await ask("");
    const one = await ask("?filter[field]=price_e2&filter[actor_kind]=admin&filter[action]=update");

    expect(all.body.map(({ id }: { id: number }) => id)).toEqual([one.body[0].id + 1, one.body[0].id]);
    expect(one.body).toEqual([
      {
        id: expect.any(Number),
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/u),
        operation: "updateGood",
        request_id: expect.any(String),
        actor_kind: "admin",
        actor_id: acme.ownerId,
        actor_name: await nameOf(acme.ownerId),
        action: "update",
        target_type: "good",
        target_id: goodId,
        target_key: null,
        changes: [{ field: "price_e2", before: 1234, after: 1500 }],
        address: null,
        device: null,
      },
    ]);
  });

  it("is a table with a row for each entry", async () => {
    await patch(`/goods/${goodId}`, { price_e2: 1500, name: "Other" });
    await acme.owner.rest("DELETE", `/companies/${acme.id}/goods/${goodId}`);

    const { status, body, headers } = await ask(
      "?format=csv&sort=id&fields=action,actor_kind,actor_id,target_type,target_id,changes&filter[field]=name",
    );

    expect([status, headers["content-disposition"]]).toEqual([
      200,
      'attachment; filename="audit-entries.csv"',
    ]);
    const changes = JSON.stringify([
      { field: "name", before: "Arepa", after: "Other" },
      { field: "price_e2", before: 1234, after: 1500 },
    ]).replaceAll('"', '""');
    expect(body).toBe(
      "action,actor_kind,actor_id,target_type,target_id,changes\r\n" +
        `update,admin,${acme.ownerId},good,${goodId},"${changes}"\r\n`,
    );
  });

  it("shows values to who may read such rows alone, and nothing to who may not read the trail", async () => {
    await patch(`/goods/${goodId}`, { price_e2: 1500 });
    const reader = await adminWith(gateway, acme.id, "access_audit_entries");
    const seller = await adminWith(gateway, acme.id, "access_goods", "can_edit_goods");

    expect((await ask("?filter[target_type]=good", reader)).body[0].changes).toEqual([
      { field: "price_e2", before: null, after: null },
    ]);
    expect((await ask("", seller)).status).toBe(403);
    expect((await ask("?format=csv", seller)).status).toBe(403);
  });
});
