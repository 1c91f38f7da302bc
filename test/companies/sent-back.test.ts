import { adminWith, createCompany, type TestCompany } from "../support/factories.js";
import { errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const UPDATE = `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
  updateSettings(companyId: $companyId, input: $input) { messengerAToken partnerAccountJson bankSettings }
}`;
const SECRETS = {
  messenger_a_token: "token",
  partner_account_json: [{ account: 1 }],
  acme_settings: [{ key: 2 }],
};
const MASKED = {
  messenger_a_token: "********",
  partner_account_json: ["********"],
  acme_settings: ["********"],
};

/** An answer may be changed and sent back, on condition that nothing has changed meanwhile. */
describe("settings that are sent back", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    path = `/companies/${company.id}/settings`;
  });
  afterAll(() => gateway.close());

  const settings = async () => [
    await gateway.db.companySettings.findFirst({ where: { companyId: company.id } }),
    await gateway.db.company.findFirstOrThrow({ where: { id: company.id } }),
  ];
  const stored = async () =>
    (await gateway.db.companySettings.findFirstOrThrow({ where: { companyId: company.id } })).secrets;
  const patch = (body: unknown, headers: Record<string, string> = {}) =>
    company.owner.rest("PATCH", path, { body, headers });

  it("keep secrets that stand there as they are shown, on both faces", async () => {
    await patch(SECRETS);
    const before = await stored();

    const rest = await patch({ ...MASKED, slogan: "New" });
    const graphql = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: {
        messengerAToken: "********",
        partnerAccountJson: ["********"],
        bankSettings: { acme_settings: ["********"], other_settings: ["********"] },
      },
    });

    expect([rest.status, rest.body.slogan]).toEqual([200, "New"]);
    expect(rest.body).toMatchObject(MASKED);
    expect(errorCodes(graphql)).toEqual([]);
    expect(await stored()).toEqual(before);
    expect((await patch({ messenger_a_token: null })).body.messenger_a_token).toBeNull();
  });

  it("have no bank where null stands in the place of all, as it is shown where there is none", async () => {
    const clear = async () => {
      const input = { bankSettings: null };
      const answer = await company.owner.run(UPDATE, { companyId: company.id, input });
      return [errorCodes(answer), answer.data?.["updateSettings"].bankSettings];
    };
    await patch(SECRETS);

    expect(await clear()).toEqual([[], null]);
    const cleared = await stored();
    expect(Object.keys(cleared as object).toSorted()).toEqual(["messengerAToken", "partnerAccountJson"]);
    expect(await clear()).toEqual([[], null]);
    expect(await stored()).toEqual(cleared);
  });

  it("change nothing when they are sent back as they are", async () => {
    const rule = { name: "a", human_price_min_e2: 0.29 };
    const readings = [];
    for (const body of [{}, { taxes: [rule], service_app_modifiers: [rule], pay_in_store: true }]) {
      await patch(body);
      const { body: before } = await company.owner.rest("GET", path);
      const row = await settings();
      const entries = await gateway.db.auditEntry.count({ where: { companyId: company.id } });

      const again = await patch(before);

      expect([again.status, again.body]).toEqual([200, before]);
      expect(await settings()).toEqual(row);
      expect(await gateway.db.auditEntry.count({ where: { companyId: company.id } })).toBe(entries);
      readings.push(before);
    }
    expect(readings).toMatchObject([
      { pay_in_store: false, currency_iso: "USD" },
      { taxes: [{ name: "a" }] },
    ]);
  });

  it.each(["PATCH", "POST"] as const)("are refused by %s when they have changed since", async (method) => {
    const other = await adminWith(gateway, company.id, "access_settings", "can_edit_settings");
    const etag = (await company.owner.rest("GET", path)).headers["etag"] as string;
    const send = (slogan: string) =>
      other.rest(method, path, { body: { slogan }, headers: { "if-match": etag } });

    const answers = await Promise.all(["One", "Two", "Three"].map(send));

    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 412, 412]);
  });

  it("are never null, nor is a list of roles left out", async () => {
    const type = await company.owner.rest("POST", `/companies/${company.id}/admin-types`, {
      body: { name: "Cook", default_key: "goods" },
    });
    const none = await company.owner.rest(
      "POST",
      `/companies/${company.id}/admin-types/${type.body.id}/roles`,
    );
    const nothing = await gateway.app.inject({
      method: "PATCH",
      url: `/api${path}`,
      headers: { authorization: `Bearer ${company.owner.token ?? ""}`, "content-type": "application/json" },
      payload: "null",
    });

    expect([none.status, wrongFields(none.body.errors)]).toEqual([422, ["body:required"]]);
    expect([nothing.statusCode, wrongFields(nothing.json<{ errors: [] }>().errors)]).toEqual([
      422,
      ["body:type"],
    ]);
  });

  it("name the platform where it alone may change a key", async () => {
    const { status, body } = await company.owner.rest("PATCH", `/companies/${company.id}`, {
      body: { enabled: false },
    });

    expect([status, body.principal]).toEqual([403, "platform"]);
    expect(await gateway.db.company.count({ where: { id: company.id, enabled: true } })).toBe(1);
  });

  it.each([
    ["country_iso", "1!", "must be ASCII letters"],
    ["default_iso_lang", "??", "must be two ASCII letters"],
  ])("have letters alone as %s", async (key, value, message) => {
    const { status, body } = await company.owner.rest("PATCH", `/companies/${company.id}`, {
      body: { [key]: value },
    });

    expect([status, body.errors]).toEqual([422, [{ field: key, rule: "pattern", message }]]);
  });

  it("have no null among their texts", async () => {
    const { status, body } = await company.owner.rest("PATCH", `/companies/${company.id}`, {
      body: { strings_json: { strings: [null] } },
    });

    expect([status, body.errors]).toEqual([
      422,
      [{ field: "strings_json.strings[0]", rule: "type", message: "must not be null" }],
    ]);
  });

  it("may have a country of fewer than two letters", async () => {
    const { status, body } = await company.owner.rest("PATCH", `/companies/${company.id}`, {
      body: { country_iso: "V" },
    });
    const graphql = await company.owner.run(
      `mutation ($id: Int!) { updateCompany(companyId: $id, input: { countryIso: "" }) { countryIso } }`,
      { id: company.id },
    );

    expect([status, body.country_iso]).toEqual([200, "V"]);
    expect(graphql.data?.["updateCompany"]).toEqual({ countryIso: "" });
  });
});
