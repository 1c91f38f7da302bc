import { setTimeout as sleep } from "node:timers/promises";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const UPDATE = `mutation ($companyId: Int!, $input: UpdateSettingsInput!) {
  updateSettings(companyId: $companyId, input: $input) { slogan currencyIso bankSettings taxes { name priceMinE2 } }
}`;

/** A value for each setting that can be written, and that is shown as it was written. */
const EVERY = {
  uid: "acme",
  slogan: "Fresh",
  mail_footer: "Acme\nInc.",
  mail_from: "shop@acme.example",
  pay_in_store: true,
  enable_multi_providers: true,
  enable_invoices: true,
  enable_phone_login: true,
  enable_coupons: true,
  invoice_format: {
    head: "<h1>",
    body: "b",
    item: "i",
    date_format: "d",
    paper: "A4",
    orientation: "landscape",
  },
  terms_of_service: "Be kind.\n\nAlways.",
  nearby_branches_distance: 1_000,
  nearby_providers_distance: 2_000,
  provider_collecting_distance: 5,
  provider_arriving_distance: 6,
  tip_threshold: 0,
  min_nearby_branches_count: 2,
  max_nearby_branches_count: 2,
  subcategories_count: 1,
  branch_invoice_tax_name: "VAT",
  branch_invoice_tax_prc: 0.16,
  branch_closing_soon_message_delay: 60,
  assignable_orders_mask: 7,
  auto_assign_delay_minutes: 0,
  auto_assign_bid_count: 1,
  auto_assign_bid_attempts: 2,
  order_expiration_minutes: 3,
  auto_assign_prepared_mode: true,
  cancel_on_payment_failure: true,
  disable_reports: true,
  disable_balance: true,
  sms_notifications_enabled: true,
  sms_enabled_for_clients_tracking: true,
  disable_payment_emails: true,
  is_verification_required: true,
  is_full_verification_required: true,
  is_marketplace: true,
  currency_iso: "VES",
  contact_phone: "+15550100",
  contact_phone_messenger_b: "+15550101",
  sms_providers: [{ Key: 1 }, "two"],
  sms_expiration_in_minutes: 2,
  sms_cooldown_in_seconds: 15,
  messenger_b_phone_id: "17",
  checkout_disclaimer: "It rains.",
  qr_logo: "data:image/png;base64,AA==",
  use_providers_balance_payouts: false,
  linked_servers: [{ url: "https://x.example" }],
  first_purchase_bonus_e2: 5_000_000_000,
  system_expiration_hours: 0,
  service_app_name: "Acme Go",
  sms_default_provider: "provider_a",
  sms_login_provider: "provider_e",
  search_languages: ["pt", "es"],
};

describe("updateSettings", () => {
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

  const patch = (body: object) => company.owner.rest("PATCH", path, { body });
  const stored = () =>
    gateway.db.companySettings.findFirst({
      where: { companyId: company.id },
      select: { data: true, secrets: true },
    });

  it.each(["PATCH", "POST"] as const)(
    "writes every setting by %s and answers all of them",
    async (method) => {
      const { status, body } = await company.owner.rest(method, path, { body: EVERY });

      expect(status).toBe(200);
      expect(body).toMatchObject(EVERY);
      expect(body).toEqual((await company.owner.rest("GET", path)).body);
      const publicly = await gateway.anonymous.run(
        `{ company(companyId: ${company.id}) { currencyIso settings { slogan isMarketplace } } }`,
      );
      expect(dataOf(publicly)["company"]).toEqual({
        currencyIso: "VES",
        settings: { slogan: "Fresh", isMarketplace: true },
      });
    },
  );

  it("leaves what is absent and clears what is null", async () => {
    await patch({ ...EVERY, messenger_a_token: "t", acme_settings: [1], other_settings: [2] });

    const { body } = await patch({
      slogan: null,
      min_nearby_branches_count: null,
      branch_invoice_tax_prc: null,
      linked_servers: null,
      use_providers_balance_payouts: null,
      messenger_a_token: null,
      acme_settings: null,
      search_languages: null,
    });

    expect(body).toMatchObject({
      slogan: null,
      min_nearby_branches_count: null,
      max_nearby_branches_count: 2,
      branch_invoice_tax_prc: null,
      linked_servers: null,
      use_providers_balance_payouts: null,
      messenger_a_token: null,
      other_settings: ["********"],
      search_languages: null,
      uid: "acme",
    });
    expect(body).not.toHaveProperty("acme_settings");
  });

  it.each([
    [{ linked_servers: [null] }, "linked_servers[0]"],
    [{ sms_providers: [{ a: 1 }, null] }, "sms_providers[1]"],
    [{ partner_account_json: [null] }, "partner_account_json[0]"],
    [{ sockette_keys: [null] }, "sockette_keys[0]"],
    [{ acme_settings: [1, null] }, "acme_settings[1]"],
    [{ taxes: [{ name: "VAT", conditions: [null] }] }, "taxes[0].conditions[0]"],
  ])("refuses the null in %j, and writes nothing", async (input, field) => {
    const before = await stored();

    const { status, body } = await patch(input);

    expect([status, body.errors]).toEqual([422, [{ field, rule: "type", message: "must not be null" }]]);
    expect(await stored()).toEqual(before);
  });

  it("refuses a null in a list of JSON over GraphQL alike, whatever the variable is called", async () => {
    const run = (i: object) =>
      company.owner.run(
        `mutation ($companyId: Int!, $i: UpdateSettingsInput!) {
          updateSettings(companyId: $companyId, input: $i) { slogan } }`,
        { companyId: company.id, i },
      );

    const results = [
      await run({ linkedServers: [null] }),
      await run({ bankSettings: { acme_settings: [null] } }),
    ];

    const errors = results.map((result) => result.errors?.[0]?.extensions["errors"]);
    expect(errors).toEqual([
      [{ field: "linkedServers[0]", rule: "type", message: "must not be null" }],
      [{ field: "bankSettings.acme_settings[0]", rule: "type", message: "must not be null" }],
    ]);
  });

  it("refuses a key of bank settings that is too long by one rule, and writes nothing", async () => {
    const before = await stored();
    const long = { [`${"a".repeat(60)}_settings`]: [1] };

    const { status, body } = await patch(long);
    const graphql = await company.owner.run(UPDATE, { companyId: company.id, input: { bankSettings: long } });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["bank_settings:max_length"]]);
    expect(wrongFields(graphql.errors?.[0]?.extensions["errors"])).toEqual(["bankSettings:max_length"]);
    expect(await stored()).toEqual(before);
  });

  it("trims qr_logo like other texts, and refuses control characters in it", async () => {
    const { body } = await patch({ qr_logo: " logo-e\u0301.png  " });
    const wrong = await patch({ qr_logo: "logo\u0007.png" });
    const graphql = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: { qrLogo: "two\nlines" },
    });

    expect(body.qr_logo).toBe("logo-\u00e9.png");
    expect([wrong.status, wrongFields(wrong.body.errors)]).toEqual([422, ["qr_logo:control_characters"]]);
    expect(wrongFields(graphql.errors?.[0]?.extensions["errors"])).toEqual(["qrLogo:control_characters"]);
    expect((await company.owner.rest("GET", path)).body.qr_logo).toBe("logo-\u00e9.png");
  });

  it("takes fee rules, with amounts in either form", async () => {
    const rule = {
      is_enabled: true,
      name: "VAT",
      label: "Tax",
      layer: 255,
      human_price_min_e2: 0.29,
      price_max_e2: 100,
      hour_beg: "22:00",
      hour_end: "02:00",
      conditions: [{ any: "thing" }],
      payment_methods: ["cash"],
      payment_currencies: ["USD"],
    };

    const { body } = await patch({ taxes: [rule, { name: "Second" }], service_app_modifiers: [rule] });
    const wrong = await patch({
      taxes: [
        { name: "x".repeat(33), layer: 256, hour_beg: "24:00", price_min_e2: 5, price_max_e2: 4 },
        { label: "No name" },
      ],
    });

    expect(body.taxes).toMatchObject([{ ...rule, price_min_e2: 29 }, { name: "Second" }]);
    expect(body.service_app_modifiers).toMatchObject([{ name: "VAT", human_price_max_e2: 1 }]);
    expect(wrongFields(wrong.body.errors)).toEqual([
      "taxes[0].hour_beg:clock",
      "taxes[0].layer:max",
      "taxes[0].name:max_length",
      "taxes[0].price_max_e2:min",
      "taxes[1].name:required",
    ]);
  });

  it.each([
    [{ uid: "x".repeat(65) }, "uid:max_length"],
    [{ slogan: "x".repeat(81) }, "slogan:max_length"],
    [{ mail_footer: "x".repeat(256) }, "mail_footer:max_length"],
    [{ mail_from: "nobody" }, "mail_from:email"],
    [{ pay_in_store: null }, "pay_in_store:type"],
    [
      { invoice_format: { head: "", body: "", item: "", date_format: "", paper: "" } },
      "invoice_format.orientation:required",
    ],
    [{ nearby_branches_distance: 999 }, "nearby_branches_distance:min"],
    [{ nearby_providers_distance: 999 }, "nearby_providers_distance:min"],
    [{ provider_collecting_distance: 4 }, "provider_collecting_distance:min"],
    [{ provider_arriving_distance: 4 }, "provider_arriving_distance:min"],
    [{ tip_threshold: -1 }, "tip_threshold:min"],
    [{ min_nearby_branches_count: 0 }, "min_nearby_branches_count:min"],
    [{ min_nearby_branches_count: 6, max_nearby_branches_count: 5 }, "max_nearby_branches_count:min"],
    [{ min_nearby_branches_count: 2 ** 31, max_nearby_branches_count: 5 }, "min_nearby_branches_count:max"],
    [{ min_nearby_branches_count: 5.5, max_nearby_branches_count: 5 }, "min_nearby_branches_count:type"],
    [{ subcategories_count: 0 }, "subcategories_count:min"],
    [{ branch_invoice_tax_name: "" }, "branch_invoice_tax_name:min_length"],
    [{ branch_invoice_tax_prc: 1.01 }, "branch_invoice_tax_prc:max"],
    [{ branch_closing_soon_message_delay: 4 }, "branch_closing_soon_message_delay:min"],
    [{ branch_closing_soon_message_delay: 61 }, "branch_closing_soon_message_delay:max"],
    [{ assignable_orders_mask: -1 }, "assignable_orders_mask:min"],
    [{ sms_expiration_in_minutes: 1 }, "sms_expiration_in_minutes:min"],
    [{ sms_cooldown_in_seconds: 14 }, "sms_cooldown_in_seconds:min"],
    [{ sms_default_provider: "somebody" }, "sms_default_provider:enum"],
    [{ first_purchase_bonus_e2: -1 }, "first_purchase_bonus_e2:min"],
    [{ currency_iso: "us1" }, "currency_iso:pattern"],
    [{ sockette_keys: "key" }, "sockette_keys:type"],
    [{ acme_settings: "key" }, "acme_settings:type"],
    [{ linked_servers: {} }, "linked_servers:type"],
    [{ search_languages: [] }, "search_languages:min_items"],
    [{ search_languages: ["es", "en", "es"] }, "search_languages[2]:unique"],
    [{ search_languages: ["es", "it"] }, "search_languages[1]:enum"],
    [{ search_languages: ["es", null] }, "search_languages[1]:type"],
  ])("refuses %j and changes nothing", async (wrong, field) => {
    const before = await stored();

    const { status, body } = await patch({ enable_coupons: true, ...wrong });

    expect([status, wrongFields(body.errors)]).toEqual([422, [field]]);
    expect(await stored()).toEqual(before);
  });

  it.each([
    [[], "searchLanguages:min_items"],
    [["es", "es"], "searchLanguages[1]:unique"],
  ])("refuses the languages %j over GraphQL alike", async (searchLanguages, field) => {
    const before = await stored();

    const { errors } = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: { slogan: "New", searchLanguages },
    });

    expect(wrongFields(errors?.[0]?.extensions["errors"])).toEqual([field]);
    expect(await stored()).toEqual(before);
  });

  it("judges counts against those that are stored, and reports them with all else", async () => {
    await patch({ min_nearby_branches_count: 3, max_nearby_branches_count: 10 });
    const before = await stored();

    const below = await patch({ max_nearby_branches_count: 2, slogan: "x".repeat(81) });
    const above = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: { minNearbyBranchesCount: 11 },
    });

    expect(wrongFields(below.body.errors)).toEqual(["max_nearby_branches_count:min", "slogan:max_length"]);
    expect(wrongFields(above.errors?.[0]?.extensions["errors"])).toEqual(["minNearbyBranchesCount:max"]);
    expect(await stored()).toEqual(before);
    expect((await patch({ min_nearby_branches_count: 20, max_nearby_branches_count: 20 })).status).toBe(200);
  });

  it("knows a bank by its key: over REST beside the others, in GraphQL in one object", async () => {
    const result = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: { bankSettings: { acme_settings: [{ key: 1 }] }, taxes: [{ name: "VAT", humanPriceMinE2: 1 }] },
    });
    const wrong = await company.owner.run(UPDATE, {
      companyId: company.id,
      input: { bankSettings: { "Acme-settings": [] } },
    });
    const { body } = await patch({ bank_settings: [1] });

    expect(dataOf(result)["updateSettings"]).toMatchObject({
      bankSettings: { acme_settings: ["********"] },
      taxes: [{ name: "VAT", priceMinE2: 100 }],
    });
    expect(errorCodes(wrong)).toEqual(["VALIDATION_FAILED"]);
    expect(body).toMatchObject({
      acme_settings: ["********"],
      bank_settings: ["********"],
      default_promoted_banner: null,
    });
  });

  it("loses nothing of 200 changes at once", async () => {
    const banks = Array.from({ length: 60 }, (_, index) => ({ [`bank${index}_settings`]: [index] }));
    const plain = Object.entries(EVERY).map(([name, value]) => ({ [name]: value }));
    const changes = [...banks, ...plain];
    changes.push(...Array.from({ length: 200 - changes.length }, (_, i) => ({ [`more${i}_settings`]: [i] })));

    // More wait than one company may have waiting: for those nothing was done, and they come again (contract §6.2).
    const send = async (change: object): Promise<number> => {
      const { status } = await patch(change);
      if (status !== 503) return status;
      await sleep(500);
      return send(change);
    };
    const statuses = await Promise.all(changes.map(send));

    expect(new Set(statuses)).toEqual(new Set([200]));
    const { body } = await company.owner.rest("GET", path);
    expect(body).toMatchObject(EVERY);
    expect(Object.keys(body).filter((key) => /^(?:bank|more)\d+_settings$/u.test(key))).toHaveLength(
      changes.length - plain.length,
    );
  });

  it("needs can_edit_settings in the own company, and changes nothing without", async () => {
    const reader = await adminWith(gateway, company.id, "access_settings", "can_edit_company");
    const other = await createCompany(gateway);
    const { client } = await signedInClient(gateway, company.id);
    const before = await stored();

    const statuses = [];
    for (const caller of [reader, other.owner, client, gateway.anonymous])
      statuses.push((await caller.rest("PATCH", path, { body: { slogan: "Mine" } })).status);

    expect(statuses).toEqual([403, 403, 403, 401]);
    expect(await stored()).toEqual(before);
  });

  it("shows everybody the terms of service", async () => {
    const before = await gateway.anonymous.rest("GET", `/companies/${company.id}/terms-of-service`);
    await patch({ terms_of_service: "Be kind." });
    const after = await gateway.anonymous.rest("GET", `/companies/${company.id}/terms-of-service`);

    expect([before.status, before.body]).toEqual([200, { terms_of_service: null }]);
    expect(after.body).toEqual({ terms_of_service: "Be kind." });
    expect(after.headers["cache-control"]).toBe("public, max-age=60");
    expect((await gateway.anonymous.rest("GET", "/companies/999999999/terms-of-service")).status).toBe(404);
  });
});
