import { createCompany, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const CREATE = `mutation ($input: CreateCompanyInput!) {
  createCompany(input: $input) { id name domain passwordSetupToken enablePickups enabledPods options }
}`;
const SET_PASSWORD = `mutation ($input: SetPasswordInput!) { setPassword(input: $input) { name email } }`;

describe("createCompany", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it("creates a company whose first admin owns it and sets a password by the token", async () => {
    const body = newCompany();

    const { status, body: company } = await gateway.platform.rest("POST", "/companies", { body });

    expect(status).toBe(201);
    expect(company).toMatchObject({
      ...withoutFolder(body.company),
      version: 1,
      options: 0,
      plan: 0,
      enabled: true,
      extension_days: 0,
      custom_domain: null,
      custom_json: null,
      strings_json: { strings: [], version: 1 },
      styles_json: {
        styles: { color_primary: null, color_accent: null, company_logo: null, company_logo_inv: null },
        version: 1,
      },
      default_iso_lang: "en",
      country_iso: "US",
      time_zone_offset: "+00:00",
      deleted_at: null,
      settings: { uid: null, enable_coupons: false, is_marketplace: false },
    });
    const token = company.password_setup_token as string;
    const set = await gateway.anonymous.run(SET_PASSWORD, {
      input: { token, password: "the owner's password" },
    });
    expect(dataOf(set)["setPassword"]).toEqual({ name: body.user.name, email: body.user.email });
    const login = await gateway.anonymous.rest("POST", "/auth/login", {
      body: { email: body.user.email, password: "the owner's password" },
    });
    const settings = await gateway
      .withToken(login.body.access_token)
      .rest("GET", `/companies/${company.id}/settings`);
    expect(settings.status).toBe(200);
    const unchanged = `/companies/domain/${company.domain}?updated_at=${encodeURIComponent(company.updated_at as string)}`;
    expect((await gateway.anonymous.rest("GET", unchanged)).status).toBe(304);
    const admins = await gateway.db.admin.findMany({ where: { companyId: company.id } });
    expect(admins).toMatchObject([
      { isOwner: true, isFullAdmin: true, displayName: body.user.name, phone: "+15551234567" },
    ]);
  });

  it("answers no token when a password is given", async () => {
    const body = newCompany({}, { password: "the owner's password" });

    const { body: company } = await gateway.platform.rest("POST", "/companies", { body });

    expect(company.password_setup_token).toBeNull();
    const { status } = await gateway.anonymous.rest("POST", "/auth/login", {
      body: { email: body.user.email, password: "the owner's password", domain: body.company.domain },
    });
    expect(status).toBe(200);
  });

  it("takes flags over the mask beside them", async () => {
    const body = newCompany({
      options: 0x100,
      enable_pickups: false,
      disable_deliveries: true,
      enabled_pods: 6,
      enable_pod_code: true,
      enable_bot_for_shoppers: true,
      enable_bot_for_services: null,
    });

    const { body: company } = await gateway.platform.rest("POST", "/companies", { body });

    expect(company).toMatchObject({
      options: 0x40000000 + 0x7000000 + 0x200,
      enable_pickups: false,
      disable_deliveries: true,
      enabled_pods: 7,
      enable_pod_code: true,
      enable_pod_pictures: true,
      enable_pod_forms: true,
      enable_pod_signature: false,
      enable_bot_for_shoppers: true,
      enable_bot_for_services: false,
    });
  });

  it("refuses a domain in use, in any case, whether as domain or as custom domain", async () => {
    const taken = newCompany({ custom_domain: `https://${unique()}.Shop.example:8443/home` });
    expect((await gateway.platform.rest("POST", "/companies", { body: taken })).status).toBe(201);
    const host = new URL(taken.company["custom_domain"] as string).hostname;

    const before = await gateway.db.company.count();

    const answers = await Promise.all([
      create({ domain: taken.company.domain.toUpperCase() }),
      create({ custom_domain: `http://${host.toUpperCase()}` }),
      create({ domain: host }),
      create({ domain: taken.company.domain, custom_domain: `http://${host}` }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.map(({ body }) => wrongFields(body.errors))).toEqual([
      ["company.domain:unique"],
      ["company.custom_domain:unique"],
      ["company.domain:unique"],
      ["company.custom_domain:unique", "company.domain:unique"],
    ]);
    expect(await gateway.db.company.count()).toBe(before);
  });

  it("reports a name that is taken along with everything else that is wrong", async () => {
    const { domain } = (await create({})).body;
    const { company, user } = newCompany({ domain, name: "n".repeat(65), custom_domain: "no\0url" });

    const { status, body } = await gateway.platform.rest("POST", "/companies", {
      body: { company, user: { ...user, email: "nobody" } },
    });
    const withNull = await gateway.platform.rest("POST", "/companies", {
      body: newCompany({ domain: "a\0b" }),
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual(
      expect.arrayContaining(["company.domain:unique", "company.name:max_length", "user.email:email"]),
    );
    expect(withNull.status).toBe(422);
  });

  it("reports names that two other companies have at once", async () => {
    const shop = newCompany({ custom_domain: `https://${unique()}.shop.example` });
    expect((await gateway.platform.rest("POST", "/companies", { body: shop })).status).toBe(201);
    const { domain } = (await create({})).body;
    const before = await gateway.db.company.count();
    const { company, user } = newCompany({ domain, custom_domain: shop.company["custom_domain"] });
    const { folder_name: folderName, custom_domain: customDomain, ...rest } = company;

    const { status, body } = await gateway.platform.rest("POST", "/companies", { body: { company, user } });
    const result = await gateway.platform.run(CREATE, {
      input: { company: { ...rest, folderName, customDomain }, user },
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual(["company.custom_domain:unique", "company.domain:unique"]);
    expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([
      "company.customDomain:unique",
      "company.domain:unique",
    ]);
    expect(await gateway.db.company.count()).toBe(before);
  });

  it.each(["admin@shop", "<b>", "42", "x".repeat(64)])("takes an admin by the name %s", async (name) => {
    const { status, body } = await gateway.platform.rest("POST", "/companies", {
      body: newCompany({}, { name }),
    });

    expect(status).toBe(201);
    const owner = await gateway.db.admin.findFirst({ where: { companyId: body.id } });
    expect(owner).toMatchObject({ name, displayName: name });
  });

  it("gives a domain to one of several companies that are created at once", async () => {
    const domain = `d-${unique()}`;

    const answers = await Promise.all([
      create({ domain }),
      create({ domain: domain.toUpperCase() }),
      create({ custom_domain: `https://${domain}` }),
    ]);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
    const owners = await gateway.db.company.count({
      where: { domain: { equals: domain, mode: "insensitive" } },
    });
    const hosts = await gateway.db.company.count({ where: { customDomainHost: domain } });
    expect(owners + hosts).toBe(1);
  });

  it("gives the domain of a deleted company to another", async () => {
    const gone = await createCompany(gateway);
    const { domain } = await gateway.db.company.update({
      where: { id: gone.id },
      data: { deletedAt: new Date() },
    });

    const { status } = await create({ domain });

    expect(status).toBe(201);
  });

  it("wants a phone of nine characters, as of any admin", async () => {
    const body = newCompany({}, { phone: "12345678" });

    const { status, body: problem } = await gateway.platform.rest("POST", "/companies", { body });

    expect([status, wrongFields(problem.errors)]).toEqual([422, ["user.phone:min_length"]]);
    expect(await gateway.db.company.count({ where: { domain: body.company.domain } })).toBe(0);
  });

  it("lists everything wrong with the input at once", async () => {
    const { status, body } = await gateway.platform.rest("POST", "/companies", {
      body: {
        company: {
          name: "x".repeat(65),
          domain: "no domain",
          custom_domain: "not a url",
          email: "no e-mail",
          options: -1,
          default_iso_lang: "eng",
          country_iso: "USA",
          time_zone_offset: "4:00",
          enabled_pods: 16,
          enable_pickups: "yes",
        },
        user: { name: "x".repeat(65), email: "x@y", password: "short" },
      },
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual([
      "company.country_iso:max_length",
      "company.custom_domain:url",
      "company.default_iso_lang:max_length",
      "company.domain:domain",
      "company.email:email",
      "company.enable_pickups:type",
      "company.enabled_pods:max",
      "company.folder_name:required",
      "company.name:max_length",
      "company.options:min",
      "company.time_zone_offset:offset",
      "user.email:email",
      "user.name:max_length",
      "user.password:min_length",
      "user.phone:required",
    ]);
  });

  it("is for the platform alone", async () => {
    const before = await gateway.db.company.count();

    const owner = await acme.owner.rest("POST", "/companies", { body: newCompany() });
    const nobody = await gateway.anonymous.rest("POST", "/companies", { body: newCompany() });
    const result = await acme.owner.run(CREATE, { input: newCompany() });

    expect([owner.status, nobody.status]).toEqual([403, 401]);
    expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
    expect(await gateway.db.company.count()).toBe(before);
  });

  it("does the same through GraphQL", async () => {
    const { company, user } = newCompany();
    const { folder_name: folderName, ...rest } = company;

    const result = await gateway.platform.run(CREATE, {
      input: { company: { ...rest, folderName, enablePickups: true }, user },
    });

    expect(dataOf(result)["createCompany"]).toMatchObject({
      domain: company.domain,
      enablePickups: true,
      enabledPods: 0,
      options: 0x100,
      passwordSetupToken: expect.stringMatching(/^\d+\.[\w-]{43}$/),
    });
  });

  function create(company: Record<string, unknown>) {
    return gateway.platform.rest("POST", "/companies", { body: newCompany(company) });
  }
});

function newCompany(company: Record<string, unknown> = {}, user: Record<string, unknown> = {}) {
  const name = `c-${unique()}`;
  return {
    company: {
      name,
      domain: `${name}.example`,
      email: `info@${name}.example.com`,
      folder_name: name,
      ...company,
    } as Record<string, unknown> & { domain: string; folder_name: string },
    user: { name: "Olivia O'Neil", email: `owner@${name}.example.com`, phone: "+15551234567", ...user },
  };
}

function withoutFolder({ folder_name: _, ...company }: Record<string, unknown>) {
  return company;
}
