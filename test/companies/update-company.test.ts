import { adminWith, createCompany, signedInClient, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const UPDATE = `mutation ($companyId: Int!, $input: UpdateCompanyInput!) {
  updateCompany(companyId: $companyId, input: $input) { id name options stringsJson { strings version } }
}`;

describe("updateCompany", () => {
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

  const stored = () => gateway.db.company.findFirst({ where: { id: company.id } });
  const storedSettings = () => gateway.db.companySettings.findFirst({ where: { companyId: company.id } });
  const patch = (body: object) => company.owner.rest("PATCH", path, { body });

  it("changes what is sent and leaves the rest", async () => {
    const before = await stored();

    const { status, body } = await patch({
      name: "New name",
      email: "new@example.com",
      folder_name: "new",
      plan: 4,
      default_iso_lang: "es",
      country_iso: "VE",
      time_zone_offset: "-04:30",
      options: 0x300,
      enable_pickups: false,
      enabled_pods: 5,
      enable_pod_code: null,
      custom_json: { subscription: ["gold"], more: { kept: true } },
    });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: "New name",
      email: "new@example.com",
      plan: 4,
      default_iso_lang: "es",
      country_iso: "VE",
      time_zone_offset: "-04:30",
      options: 0x5000200,
      enable_pickups: false,
      disable_deliveries: true,
      enabled_pods: 5,
      domain: before?.domain,
      custom_json: { subscription: ["gold"], more: { kept: true } },
    });
    const cleared = await patch({ custom_json: null, custom_domain: null });
    expect([cleared.body.custom_json, cleared.body.name]).toEqual([null, "New name"]);
  });

  it("does the same through GraphQL, where the offset goes for moments at once", async () => {
    const result = await gateway.platform.run(UPDATE, {
      companyId: company.id,
      input: { enablePickups: true, timeZoneOffset: "-04:00", expiresAt: "2098-05-01 00:00:00" },
    });

    expect(dataOf(result)["updateCompany"]).toMatchObject({ id: company.id, options: 0x100 });
    expect((await stored())?.expiresAt.toISOString()).toBe("2098-05-01T04:00:00.000Z");
  });

  it("counts changes of texts and looks, and no version that is sent", async () => {
    const first = await patch({
      strings_json: { strings: [{ hello: "Hi" }], version: 40 },
      styles_json: { styles: { color_primary: "#111", company_logo: "logo.png" }, version: 40 },
    });
    const same = await patch({
      strings_json: { strings: [{ hello: "Hi" }] },
      styles_json: { styles: { color_primary: "#111" } },
    });
    const other = await patch({ styles_json: { styles: { company_logo: null, color_accent: "#222" } } });

    expect(first.body.strings_json).toEqual({ strings: [{ hello: "Hi" }], version: 2 });
    expect(first.body.styles_json.version).toBe(2);
    expect([same.body.strings_json.version, same.body.styles_json.version]).toEqual([2, 2]);
    expect(other.body.styles_json).toEqual({
      styles: { color_primary: "#111", color_accent: "#222", company_logo: null, company_logo_inv: null },
      version: 3,
    });
    expect(other.body.strings_json.version).toBe(2);
  });

  it("stays as it is when looks and end are sent back as they are shown", async () => {
    await gateway.db.company.update({
      where: { id: company.id },
      data: {
        stylesJson: { styles: { colorPrimary: "#111", companyLogo: null }, version: 4 },
        expiresAt: new Date("2098-05-01T10:00:00.125Z"),
      },
    });
    const before = await stored();
    const { styles_json, expires_at } = (await patch({})).body;
    const send = (body: object) => gateway.platform.rest("PATCH", path, { body });

    const again = await send({ styles_json, expires_at: `${expires_at}Z` });

    expect([again.status, again.body.styles_json]).toEqual([200, styles_json]);
    expect(await stored()).toEqual(before);
    await send({ expires_at: "2098-05-01T10:00:00.25Z" });
    expect((await stored())?.expiresAt.getMilliseconds()).toBe(250);
  });

  it("loses no version of changes at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => patch({ strings_json: { strings: [index] } })),
    );

    expect(answers.map(({ body }) => body.strings_json.version as number).sort((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 2),
    );
  });

  it.each([{ expires_at: "2090-01-01" }, { extension_days: 3 }, { enabled: false, expires_at: null }])(
    "refuses %j from anybody but the platform, before wrong fields, and changes nothing",
    async (body) => {
      const before = await stored();

      const answer = await patch({ ...body, name: "x".repeat(65) });
      const result = await company.owner.run(UPDATE, {
        companyId: company.id,
        input: { enabled: true, name: "Other" },
      });

      expect([answer.status, answer.body.code]).toEqual([403, "FORBIDDEN"]);
      expect(wrongFields(answer.body.errors)).toEqual(
        Object.keys(body)
          .map((key) => `${key}:forbidden`)
          .sort(),
      );
      expect(errorCodes(result)).toEqual(["FORBIDDEN"]);
      expect(await stored()).toEqual(before);
    },
  );

  it("lists everything that is wrong at once, and changes nothing", async () => {
    const before = await stored();

    const { status, body } = await gateway.platform.rest("PATCH", path, {
      body: {
        name: null,
        domain: "no domain",
        custom_domain: "nowhere",
        email: "nobody",
        options: -1,
        time_zone_offset: "4",
        enabled_pods: 16,
        custom_json: { subscription: "gold" },
        strings_json: { strings: "x" },
        styles_json: { styles: { color_primary: 1 } },
        extension_days: -1,
        expires_at: "soon",
        enabled: null,
      },
    });

    expect(status).toBe(422);
    expect(wrongFields(body.errors)).toEqual([
      "custom_domain:url",
      "custom_json.subscription:type",
      "domain:domain",
      "email:email",
      "enabled:type",
      "enabled_pods:max",
      "expires_at:datetime",
      "extension_days:min",
      "name:type",
      "options:min",
      "strings_json.strings:type",
      "styles_json.styles.color_primary:type",
      "time_zone_offset:offset",
    ]);
    expect(await stored()).toEqual(before);
  });

  // JSON.stringify would write null in their place.
  const sendText = async (method: "PATCH" | "POST", url: string, payload: string) =>
    (
      await gateway.app.inject({
        method,
        url,
        headers: {
          authorization: `Bearer ${company.owner.token ?? ""}`,
          "content-type": "application/json",
        },
        payload,
      })
    ).json<{ errors: [] }>();
  const graphqlText = async (payload: string) => {
    const { errors } = await sendText("POST", "/graphql", payload);
    return wrongFields((errors as { extensions: { errors: [] } }[])[0]?.extensions.errors);
  };
  const update = (json: string, variables = "") =>
    `mutation ${variables} { updateCompany(companyId: ${company.id}, input: { name: "New", customJson: ${json} }) { id } }`;

  it("refuses numbers beyond double precision in free JSON, on both faces", async () => {
    const before = [await stored(), await storedSettings()];
    const rest = await sendText(
      "PATCH",
      `/api${path}`,
      '{"name":"New","custom_json":{"n":1e400,"m":[-1e400]}}',
    );
    const list = await sendText("PATCH", `/api${path}/settings`, '{"linked_servers":[1,1e400]}');
    const variable = await graphqlText(
      `{"query":${JSON.stringify(update("$v", "($v: JSON)"))},"variables":{"v":{"n":1e400}}}`,
    );
    const literal = await graphqlText(JSON.stringify({ query: update("{ n: [1, 1e400] }") }));

    expect(wrongFields(rest.errors)).toEqual(["custom_json.m[0]:min", "custom_json.n:max"]);
    expect(wrongFields(list.errors)).toEqual(["linked_servers[1]:max"]);
    expect(new Set(rest.errors.map(({ message }: { message: string }) => message))).toEqual(
      new Set(["must be a number that double precision keeps as it is; send another one as a text"]),
    );
    expect([variable, literal]).toEqual([["customJson.n:max"], ["customJson.n[1]:max"]]);
    expect([await stored(), await storedSettings()]).toEqual(before);
  });

  it("refuses integers in free JSON that double precision would change, on both faces", async () => {
    const before = [await stored(), await storedSettings()];
    const rest = await sendText(
      "PATCH",
      `/api${path}`,
      '{"name":"New","custom_json":{"n":9007199254740993,"m":[-123456789012345678901234,9007199254740993.0]}}',
    );
    const list = await sendText("PATCH", `/api${path}/settings`, '{"linked_servers":[1,9007199254740993]}');
    const variable = await graphqlText(
      `{"query":${JSON.stringify(update("$v", "($v: JSON)"))},"variables":{"v":{"n":9007199254740993}}}`,
    );
    const literal = await graphqlText(JSON.stringify({ query: update("{ n: [1, -9007199254740993] }") }));

    expect(wrongFields(rest.errors)).toEqual([
      "custom_json.m[0]:min",
      "custom_json.m[1]:max",
      "custom_json.n:max",
    ]);
    expect(wrongFields(list.errors)).toEqual(["linked_servers[1]:max"]);
    expect([variable, literal]).toEqual([["customJson.n:max"], ["customJson.n[1]:min"]]);
    expect([await stored(), await storedSettings()]).toEqual(before);
    const kept =
      '{"n":[9007199254740992,1152921504606846976,100000000000000000000000,1e23,1e300,0e999999999]}';
    await sendText("PATCH", `/api${path}`, `{"custom_json":${kept}}`);
    expect((await stored())?.customJson).toEqual(JSON.parse(kept));
    await sendText("PATCH", `/api${path}`, `{"custom_json":{"n":"9007199254740993"}}`);
    expect((await stored())?.customJson).toEqual({ n: "9007199254740993" });
  });

  it("refuses numbers that are too small for double precision, on both faces", async () => {
    const before = [await stored(), await storedSettings()];
    const tiny = `0.${"0".repeat(400)}1`;

    const rest = await sendText(
      "PATCH",
      `/api${path}`,
      `{"name":"New","custom_json":{"n":1e-400,"m":[-1E-400,${tiny}],"zero":[0e-400,0.0,-0,"1e-400",1e-300]}}`,
    );
    const variable = await graphqlText(
      `{"query":${JSON.stringify(update("$v", "($v: JSON)"))},"variables":{"v":{"n":1e-400}}}`,
    );
    const literal = await graphqlText(JSON.stringify({ query: update(`{ n: [0e-400, 1e-400, -${tiny}] }`) }));
    const typed = await sendText("PATCH", `/api${path}`, '{"name":1e-400,"enabled_pods":1e-400}');

    expect(wrongFields(rest.errors)).toEqual([
      "custom_json.m[0]:min",
      "custom_json.m[1]:min",
      "custom_json.n:min",
    ]);
    expect([variable, literal]).toEqual([
      ["customJson.n:min"],
      ["customJson.n[1]:min", "customJson.n[2]:min"],
    ]);
    expect(wrongFields(typed.errors)).toEqual(["enabled_pods:min", "name:type"]);
    expect([await stored(), await storedSettings()]).toEqual(before);
  });

  it("needs can_edit_company in the own company", async () => {
    const reader = await adminWith(gateway, company.id, "access_company", "can_edit_settings");
    const other = await createCompany(gateway);
    const { client } = await signedInClient(gateway, company.id);
    const before = await stored();
    const body = { name: `Stolen ${unique()}` };

    const statuses = [];
    for (const caller of [reader, other.owner, client, gateway.anonymous])
      statuses.push((await caller.rest("PATCH", path, { body })).status);

    expect(statuses).toEqual([403, 403, 403, 401]);
    expect(await stored()).toEqual(before);
  });
});
