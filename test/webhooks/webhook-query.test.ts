import { createAccount, login, PASSWORD } from "../auth/accounts.js";
import { newsOf } from "../auth/account-news.js";
import { adminNamed } from "../admins/people.js";
import {
  adminWith,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, type Gateway, startGateway } from "../support/gateway.js";
import { type Receiver, startReceiver } from "./receiver.js";
import { journalShowsAll } from "../support/journal.js";
import { deliveries, send } from "./sending.js";
import { makeKey, REVOKE } from "../api-keys/keys.js";
import { asking, webhookOf } from "./webhooks.js";

const QUERY = `query ($companyId: Int!, $id: Int!) {
  good(companyId: $companyId, id: $id) { name priceE2 }
  client: clients(companyId: $companyId, first: 1) { nodes { id } }
}`;

let receiver: Receiver;
let gateway: Gateway;
let company: TestCompany;
let goodId: number;
const ask = asking(() => company);
beforeAll(async () => {
  receiver = await startReceiver();
  gateway = await startGateway({ own: "database", environment: { FETCH_ALLOW: receiver.host } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
  ({ id: goodId } = await createGood(gateway, company.id));
  await journalShowsAll(gateway);
  receiver.answers(() => 200);
});
afterAll(async () => {
  await gateway.close();
  await receiver.close();
});

const rename = (name: string) =>
  company.owner.rest("PATCH", `/companies/${company.id}/goods/${goodId}`, { body: { name } });

describe("the query of a webhook", () => {
  it("is answered with the rights of its author", async () => {
    const editor = await adminWith(gateway, company.id, "can_edit_webhooks", "access_goods");
    await ask.create({ url: `${receiver.url}/owner`, types: ["Good"], query: QUERY });
    await ask.create({ url: `${receiver.url}/editor`, types: ["Good"], query: QUERY }, editor);
    await gateway.db.good.updateMany({
      where: { companyId: company.id, id: goodId },
      data: { priceE2: 250 },
    });
    await rename("Mate");

    await send(gateway, 2);

    const results = receiver.received.map(({ path, body }) => [path, body.type, body.data["result"]]);
    const good = { name: "Mate", priceE2: 250 };
    expect(results.filter(([path]) => path === "/hook/owner")).toEqual(
      Array(2).fill(["/hook/owner", "good.updated", { good, client: { nodes: [] } }]),
    );
    expect(results.filter(([path]) => path === "/hook/editor")).toEqual(
      Array(2).fill(["/hook/editor", "good.updated", { good, client: null }]),
    );
  });

  it("tells who an admin is that signs in where it is not known, is shut out, or has another password", async () => {
    const account = await createAccount(gateway, company.id);
    const { id, email } = account;
    const query = "query ($companyId: Int!, $id: Int!) { admin(companyId: $companyId, id: $id) { email } }";
    webhookOf(await ask.create({ url: receiver.url, types: ["Admin"], actions: ["updated"], query }));
    const { body } = await login(gateway, { email, password: PASSWORD });
    const change = "mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { id } }";
    const input = { currentPassword: PASSWORD, newPassword: "another long password" };
    dataOf(await gateway.withToken(body.access_token as string).run(change, { input }));
    for (let time = 0; time < 12; time += 1) await login(gateway, { email, password: PASSWORD });
    await newsOf(gateway, company, account, 3);

    await send(gateway, 4);

    const result = { admin: { email } };
    expect(receiver.received.map(({ body: { type, data } }) => [type, data])).toEqual(
      [["devices"], ["password"], ["lock_out"]].map((fields) => [
        "admin.updated",
        { company_id: company.id, id, fields, result },
      ]),
    );
  });

  it("is answered with what a key holds that has made the webhook, until it is revoked", async () => {
    const roles = ["can_edit_webhooks", "access_webhooks", "access_goods"];
    const { id: keyId, client: erp } = await makeKey(gateway, company.owner, company.id, { roles });
    const made = webhookOf(await ask.create({ url: receiver.url, types: ["Good"], query: QUERY }, erp));
    await rename("Mate");
    await send(gateway);
    await company.owner.run(REVOKE, { companyId: company.id, id: keyId });
    await rename("Unseen");
    await send(gateway);

    const webhook = await gateway.db.webhook.findFirstOrThrow({ where: { companyId: company.id } });
    expect(made).toMatchObject({ authorKind: "key", authorId: keyId });
    expect(receiver.received.map(({ body }) => [body.type, body.data["result"]])).toEqual([
      ["good.updated", { good: { name: "Mate", priceE2: expect.any(Number) }, client: null }],
    ]);
    expect(webhook).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(
        /^Its author is suspended, no admin of the company any more, or no key/u,
      ),
    });
  });

  it("is answered no more once its author is suspended, or who has made its key, until it is enabled again", async () => {
    const roles = ["can_edit_webhooks", "access_webhooks", "access_goods"] as const;
    const { id: adminId, client: editor } = await adminNamed(
      gateway,
      company.id,
      "can_edit_api_keys",
      ...roles,
    );
    const { client: erp } = await makeKey(gateway, editor, company.id, { roles });
    const made: number[] = [];
    for (const author of [editor, erp])
      made.push(webhookOf(await ask.create({ url: receiver.url, types: ["Good"] }, author))["id"] as number);
    const set = (operation: string) =>
      company.owner.run(
        `mutation ($c: Int!, $id: Int!) { ${operation}(companyId: $c, adminId: $id) { id } }`,
        {
          c: company.id,
          id: adminId,
        },
      );
    const shown = () =>
      Promise.all(
        made.map(async (id) => {
          const { webhook } = dataOf(await ask.read(id)) as { webhook: Record<string, unknown> };
          return [webhook["isEnabled"], webhook["disabledReason"]];
        }),
      );
    const begun = receiver.received.length;

    dataOf(await set("suspendAdmin"));
    await rename("Unseen");
    await send(gateway);
    const suspended = await shown();
    dataOf(await set("resumeAdmin"));
    await send(gateway);
    const resumed = await shown();

    const words = expect.stringMatching(
      /^Its author is suspended, no admin of the company any more, or no key/u,
    );
    expect(suspended).toEqual([
      [false, words],
      [false, words],
    ]);
    expect(resumed).toEqual(suspended);
    expect(receiver.received).toHaveLength(begun);
    for (const id of made) dataOf(await ask.update(id, { isEnabled: true }));
    expect(await shown()).toEqual([
      [true, null],
      [true, null],
    ]);
    // Changes that they had still to send are none of the other tests.
    for (const id of made) dataOf(await ask.remove(id));
  });

  it("and its messages are of the shops that its author reaches by now", async () => {
    const { db } = gateway;
    const companyId = company.id;
    const [own, other] = [
      await createBranchGroup(gateway, companyId),
      await createBranchGroup(gateway, companyId),
    ];
    const [near, far] = [
      await createGood(gateway, companyId, { branchGroupId: own.id }),
      await createGood(gateway, companyId, { branchGroupId: other.id }),
    ];
    const { id: adminId, client: editor } = await adminNamed(
      gateway,
      companyId,
      "can_edit_webhooks",
      "access_goods",
    );
    await journalShowsAll(gateway);
    webhookOf(await ask.create({ url: receiver.url, types: ["Good"], query: QUERY }, editor));
    const begun = receiver.received.length;
    const { adminTypeId } = await db.admin.findFirstOrThrow({ where: { companyId, id: adminId } });
    const bind = `mutation ($c: Int!, $id: Int!, $shop: Int!) {
      updateAdminType(companyId: $c, id: $id, input: { branchGroupIds: [$shop] }) { id } }`;
    dataOf(await company.owner.run(bind, { c: companyId, id: adminTypeId, shop: own.id }));
    for (const id of [far.id, near.id, goodId])
      await company.owner.rest("PATCH", `/companies/${companyId}/goods/${id}`, {
        body: { name: `Good ${id}` },
      });

    await send(gateway, 3);

    const about = receiver.received.slice(begun).map(({ body }) => body.data["id"] as number);
    expect(about.sort((a, b) => a - b)).toEqual([goodId, near.id].sort((a, b) => a - b));
    expect((await deliveries(gateway, company)).map(({ entityId }) => Number(entityId))).not.toContain(
      far.id,
    );
  });

  it("costs its author as much as if the author had asked", async () => {
    const limited = await startGateway({
      on: gateway,
      environment: { FETCH_ALLOW: receiver.host, RATE_LIMIT: "3" },
    });
    await ask.create({ url: receiver.url, types: ["Good"], query: QUERY });
    // An author who has asked for nothing yet.
    await adminWith(gateway, company.id, "access_goods");
    const { id: authorId } = await gateway.db.admin.findFirstOrThrow({
      where: { companyId: company.id },
      orderBy: { id: "desc" },
    });
    await gateway.db.webhook.updateMany({ where: { companyId: company.id }, data: { authorId } });
    for (let n = 0; n < 5; n += 1) await createGood(gateway, company.id);
    await send(limited);
    const made = await deliveries(gateway, company);
    await limited.close();

    expect(made.map(({ status, attempts, error }) => [status, attempts, error]).sort()).toEqual([
      ...Array<unknown>(3).fill(["delivered", 1, null]),
      ...Array<unknown>(2).fill(["pending", 1, "the query failed: Too many requests; try again later."]),
    ]);
    expect(receiver.received).toHaveLength(3);
  });

  it("is not answered any more when its author is gone: the webhook is disabled, and loses nothing", async () => {
    const editor = await adminWith(gateway, company.id, "can_edit_webhooks", "access_goods");
    const { id, authorId } = webhookOf(await ask.create({ url: receiver.url, types: ["Good"] }, editor));
    await gateway.db.admin.updateMany({
      where: { companyId: company.id, id: authorId as number },
      data: { deletedAt: new Date() },
    });
    gateway.app.forLoops.runtime.roles.forgetCompany(company.id);
    await rename("Unseen");

    await send(gateway);
    const disabled = await gateway.db.webhook.findFirstOrThrow({
      where: { companyId: company.id, id: id as number },
    });
    const taken = webhookOf(await ask.update(id as number, { types: ["Good"], isEnabled: true }));
    const early = receiver.received.length;
    await send(gateway);

    expect(disabled).toMatchObject({
      isEnabled: false,
      disabledReason: expect.stringMatching(/^Its author is suspended, no admin/u),
    });
    expect(early).toBe(0);
    expect(taken).toMatchObject({ isEnabled: true, disabledReason: null, authorId: company.ownerId });
    expect(receiver.received.map(({ body }) => [body.type, body.data["id"]])).toEqual([
      ["good.updated", goodId],
    ]);
  });
});
