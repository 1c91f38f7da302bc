import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";
import { asking, webhookOf } from "./webhooks.js";

const URL = "https://receiver.invalid/hook";
const SECRET = /^whsec_[A-Za-z0-9+/]{32}$/u;

let gateway: Gateway;
let company: TestCompany;
const ask = asking(() => company);
beforeAll(async () => {
  gateway = await startGateway({ environment: { FETCH_ALLOW: "127.0.0.1:4999" } });
});
beforeEach(async () => {
  company = await createCompany(gateway);
});
afterAll(() => gateway.close());

const stored = () => gateway.db.webhook.findMany({ where: { companyId: company.id } });

describe("a webhook", () => {
  it("is created with a secret that nothing else shows", async () => {
    const made = webhookOf(
      await ask.create({ url: URL, types: ["Good", "order", "good"], actions: ["updated"] }),
    );
    const { webhook, webhooks } = dataOf(await ask.read(made["id"] as number));
    const state = await gateway.db.webhookState.findFirstOrThrow({ where: { companyId: company.id } });
    const entries = await gateway.db.auditEntry.findMany({ where: { companyId: company.id } });

    expect(made).toMatchObject({
      url: URL,
      types: ["Good", "Order"],
      actions: ["updated"],
      query: null,
      isEnabled: true,
      disabledReason: null,
      authorKind: "admin",
      authorId: company.ownerId,
      version: 1,
      secret: expect.stringMatching(SECRET),
    });
    expect(webhook).toEqual({ ...made, secret: null });
    expect(webhooks.nodes).toEqual([webhook]);
    expect(state.secret).not.toContain(made["secret"]);
    expect(gateway.secrets.open(state.secret, { companyId: company.id, name: `webhook.${made["id"]}` })).toBe(
      made["secret"],
    );
    expect(entries.map(({ operation, targetType }) => [operation, targetType])).toEqual([
      ["createWebhook", "webhook"],
    ]);
    expect(JSON.stringify(entries.map(({ changes }) => changes))).not.toContain('secret":"');
  });

  it("gets a new secret, beside which the one before signs for a day", async () => {
    const { id, secret } = webhookOf(await ask.create({ url: URL }));

    const rotated = webhookOf(await ask.rotate(id as number));

    expect(rotated).toMatchObject({ id, version: 2, secret: expect.stringMatching(SECRET) });
    expect(rotated["secret"]).not.toBe(secret);
    const [state] = await gateway.db.$queryRaw<
      { secret: string; previous: string; hours: number }[]
    >`SELECT secret, previous_secret AS previous,
             round(extract(epoch FROM previous_until - now()) / 3600)::int AS hours
        FROM webhook_states WHERE company_id = ${company.id}`;
    const open = (sealed: string, name: string) =>
      gateway.secrets.open(sealed, { companyId: company.id, name });
    expect(state?.hours).toBe(24);
    expect(open(state?.secret ?? "", `webhook.${id}`)).toBe(rotated["secret"]);
    expect(open(state?.previous ?? "", `webhook.${id}.previous`)).toBe(secret);
    expect(dataOf(await ask.read(id as number))["webhook"].secret).toBeNull();
  });

  it("is changed, has its latest author, and is deleted with its state", async () => {
    const { id } = webhookOf(await ask.create({ url: URL, query: null }));
    const editor = await adminWith(gateway, company.id, "can_edit_webhooks", "access_goods");

    const off = webhookOf(await ask.update(id as number, { isEnabled: false }, editor));
    const changed = webhookOf(await ask.update(id as number, { url: `${URL}/2`, types: ["good"] }, editor));
    const removed = webhookOf(await ask.remove(id as number, editor));

    expect(off).toMatchObject({ isEnabled: false, authorId: company.ownerId, secret: null });
    expect(changed).toMatchObject({ url: `${URL}/2`, types: ["Good"], isEnabled: false });
    expect(changed["authorId"]).not.toBe(company.ownerId);
    expect(removed).toEqual(changed);
    expect([
      await stored(),
      await gateway.db.webhookState.count({ where: { companyId: company.id } }),
    ]).toEqual([[], 0]);
  });

  it("is of one company", async () => {
    const { id } = webhookOf(await ask.create({ url: URL }));
    const other = await createCompany(gateway);

    const results = [
      await other.owner.run(
        `mutation { rotateWebhookSecret(companyId: ${other.id}, webhookId: ${id}) { id } }`,
      ),
      await other.owner.run(`mutation { deleteWebhook(companyId: ${other.id}, id: ${id}) { id } }`),
    ];

    expect(results.map(errorCodes)).toEqual([["NOT_FOUND"], ["NOT_FOUND"]]);
    expect(await stored()).toHaveLength(1);
  });

  it("is refused to who may not edit webhooks, and for types that the caller may not read", async () => {
    const reader = await adminWith(gateway, company.id, "access_webhooks");
    const editor = await adminWith(gateway, company.id, "can_edit_webhooks", "access_goods");

    const refused = [
      await ask.create({ url: URL }, reader),
      await ask.create({ url: URL }, gateway.anonymous),
      await ask.create({ url: URL, types: ["Good", "Client"] }, editor),
    ];

    expect(refused.map(errorCodes)).toEqual([["FORBIDDEN"], ["UNAUTHENTICATED"], ["FORBIDDEN"]]);
    expect(await stored()).toEqual([]);
  });

  it("names all wrong fields", async () => {
    const wrong = async (input: object) =>
      wrongFields((await ask.create(input)).errors?.[0]?.extensions["errors"]);
    const query = (text: string) => wrong({ url: URL, query: text });

    expect([
      await wrong({ url: "nothing" }),
      await wrong({ url: URL, types: ["Good", "Bad"], query: "{ nothing }" }),
      await wrong({ url: "https://127.0.0.1/" }),
      await wrong({ url: "https://localhost/" }),
      await wrong({ url: "https://169.254.169.254/latest" }),
      await wrong({ url: "http://receiver.invalid/" }),
      await wrong({ url: "http://127.0.0.1:4999/", types: ["AuditEntry"] }),
      await query("mutation { deleteGood(companyId: 1, id: 1) { id } }"),
      await query("query A { me { id } } query B { me { id } }"),
      await query(
        "query ($companyId: Int!, $other: Int!) { good(companyId: $companyId, id: $other) { id } }",
      ),
      await query("query ($companyId: Int!) {"),
    ]).toEqual([
      ["url:url"],
      ["query:query", "types[1]:exists"],
      ["url:address"],
      ["url:address"],
      ["url:address"],
      ["url:address"],
      ["types[0]:exists"],
      ["query:query"],
      ["query:query"],
      ["query:query"],
      ["query:query"],
    ]);
    expect(await stored()).toEqual([]);
  });

  it.each([
    ["{ nothing }", 'Cannot query field "nothing" on type "Query"'],
    ["query ($companyId: Int!) {", "Syntax Error: Expected Name, found <EOF>"],
  ])("is told what GraphQL says first of its query: %s", async (query, said) => {
    const { errors } = await ask.create({ url: URL, query });

    const message = `is no GraphQL that fits the schema: ${said}`;
    expect(errors?.[0]?.extensions["errors"]).toEqual([{ field: "query", rule: "query", message }]);
    expect(await stored()).toEqual([]);
  });

  it("is one of twenty", async () => {
    for (let n = 0; n < 20; n += 1) await ask.create({ url: `${URL}/${n}` });

    const { errors } = await ask.create({ url: URL });

    expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual(["webhooks:quota"]);
    expect(await stored()).toHaveLength(20);
  });
});
