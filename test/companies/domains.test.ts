import { companyRow } from "../support/company-row.js";
import { createCompany, unique, type TestCompany } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway, wrongFields } from "../support/gateway.js";

const BY_DOMAIN = `query ($domain: String!, $updatedAt: DateTime) {
  companyByDomain(domain: $domain, updatedAt: $updatedAt) { id currencyIso defaultIsoLang timeZoneOffset updatedAt }
  resolveDomain(domain: $domain) { id }
}`;

describe("domains", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  const rename = (id: number, body: object) => gateway.platform.rest("PATCH", `/companies/${id}`, { body });
  const namesOf = (id: number) =>
    gateway.db.company.findFirst({
      where: { id },
      select: { domain: true, customDomain: true, customDomainHost: true, updatedAt: true },
    });

  it("lead to the company in any case and script, on both faces", async () => {
    const [label, host] = [unique(), unique()];
    const { body } = await rename(company.id, {
      domain: `Bücher-${label}.example`,
      custom_domain: `https://Shop.${host}.example:8443/start`,
    });
    expect(body.domain).toBe(new URL(`http://bücher-${label}.example`).hostname);

    for (const name of [
      `bücher-${label}.example`,
      `BÜCHER-${label.toUpperCase()}.EXAMPLE`,
      body.domain,
      `shop.${host}.example`,
      `SHOP.${host}.example.`,
    ]) {
      for (const path of ["/companies/domain", "/domains"]) {
        const answer = await gateway.anonymous.rest("GET", `${path}/${encodeURIComponent(name)}`);
        expect([name, answer.status, answer.body.id]).toEqual([name, 200, company.id]);
        expect(answer.headers["cache-control"]).toBe("public, max-age=15");
      }
      const found = dataOf(await gateway.anonymous.run(BY_DOMAIN, { domain: name }));
      expect(found).toMatchObject({ companyByDomain: { id: company.id }, resolveDomain: { id: company.id } });
    }
  });

  it("show everybody currency, language and offset, and nothing that is for readers", async () => {
    const { domain } = (await namesOf(company.id)) as { domain: string };

    const { body } = await gateway.anonymous.rest("GET", `/companies/domain/${domain}`);
    const email = await gateway.anonymous.rest("GET", `/companies/domain/${domain}?fields=email`);
    const some = await gateway.anonymous.rest("GET", `/domains/${domain}?fields=id,currency_iso`);

    expect(body).toMatchObject({ currency_iso: "USD", default_iso_lang: "en", time_zone_offset: "+00:00" });
    for (const key of ["email", "plan", "enabled", "expires_at", "custom_json", "created_at"])
      expect(body).not.toHaveProperty(key);
    expect(email.status).toBe(400);
    expect(some.body).toEqual({ id: company.id, currency_iso: "USD" });
  });

  it("answer 304 to whoever has the company as it is", async () => {
    const { domain } = (await namesOf(company.id)) as { domain: string };
    const path = `/companies/domain/${domain}`;
    const { body, headers } = await gateway.anonymous.rest("GET", path);
    const since = `${path}?updated_at=${encodeURIComponent(body.updated_at)}`;

    const unchanged = await gateway.anonymous.rest("GET", since);
    const tagged = await gateway.anonymous.rest("GET", path, {
      headers: { "if-none-match": String(headers["etag"]) },
    });
    const byGraphql = await gateway.anonymous.run(BY_DOMAIN, { domain, updatedAt: body.updated_at });
    await company.owner.rest("PATCH", `/companies/${company.id}/settings`, { body: { slogan: "New" } });
    const changed = await gateway.anonymous.rest("GET", since);
    const wrong = await gateway.anonymous.rest("GET", `${path}?updated_at=yesterday`);

    expect([unchanged.status, unchanged.body, tagged.status]).toEqual([304, null, 304]);
    expect(dataOf(byGraphql)["companyByDomain"]).toBeNull();
    expect([changed.status, changed.body.settings.slogan]).toEqual([200, "New"]);
    expect([wrong.status, wrongFields(wrong.body.errors)]).toEqual([422, ["updated_at:datetime"]]);
  });

  it("lead nowhere when nobody has them", async () => {
    const rest = await gateway.anonymous.rest("GET", `/domains/nobody-${unique()}.example`);
    const graphql = await gateway.anonymous.run(BY_DOMAIN, { domain: `nobody-${unique()}` });

    expect([rest.status, rest.body.code]).toEqual([404, "NOT_FOUND"]);
    expect(errorCodes(graphql)).toEqual(["NOT_FOUND", "NOT_FOUND"]);
  });

  it("that another company has are refused in either field, and nothing changes", async () => {
    const other = await createCompany(gateway);
    const name = unique();
    await rename(other.id, { domain: `${name}.example`, custom_domain: `https://www.${name}.example` });
    const before = await namesOf(company.id);

    const answers = [
      await rename(company.id, { domain: `${name.toUpperCase()}.Example` }),
      await rename(company.id, { domain: `www.${name}.example` }),
      await rename(company.id, { custom_domain: `http://${name}.example/x` }),
      await rename(company.id, {
        domain: `www.${name}.example`,
        custom_domain: `https://${name}.example`,
        name: "",
      }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 422]);
    expect(answers.map(({ body }) => wrongFields(body.errors))).toEqual([
      ["domain:unique"],
      ["domain:unique"],
      ["custom_domain:unique"],
      ["custom_domain:unique", "domain:unique", "name:min_length"],
    ]);
    expect(await namesOf(company.id)).toEqual(before);
    // Its own names are free for it, the one field's for the other, too.
    const own = await rename(other.id, {
      domain: `${name}.example`,
      custom_domain: `https://${name}.example`,
    });
    expect(own.status).toBe(200);
  });

  it("are counted in the form in which they are kept", async () => {
    const { status, body } = await rename(company.id, { domain: `${"ü".repeat(30)}.de` });

    expect([status, wrongFields(body.errors)]).toEqual([422, ["domain:max_length"]]);
  });

  it("are given to one of 200 who ask at once", async () => {
    const name = `race-${unique()}`;
    const ids = await Promise.all(
      Array.from({ length: 185 }, async (_, index) => {
        const row = companyRow(`${name}-${index}`);
        return (await gateway.db.company.create({ data: row, select: { id: true } })).id;
      }),
    );

    const renamed = ids.map((id, index) =>
      rename(id, index % 2 === 0 ? { domain: name } : { custom_domain: `https://${name.toUpperCase()}/` }),
    );
    const created = ids.slice(0, 15).map((_, index) =>
      gateway.platform.rest("POST", "/companies", {
        body: {
          company: {
            name,
            email: "new@example.com",
            folder_name: "new",
            ...(index % 2 === 0
              ? { domain: name }
              : { domain: `${name}-new-${index}`, custom_domain: `https://${name}` }),
          },
          user: { name: "Owner", email: "owner@example.com", phone: "+15551234567" },
        },
      }),
    );
    const answers = await Promise.all([...renamed, ...created]);

    const refused = answers.filter(({ status }) => status === 422);
    expect(refused).toHaveLength(199);
    expect(new Set(refused.map(({ body }) => body.errors[0].rule))).toEqual(new Set(["unique"]));
    const owners = await gateway.db.company.count({
      where: { OR: [{ domain: name }, { customDomainHost: name }] },
    });
    expect(owners).toBe(1);
  });
});
