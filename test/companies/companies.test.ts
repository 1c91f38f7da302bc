import { adminWith, createCompany, signedInClient, type TestCompany, unique } from "../support/factories.js";
import { dataOf, errorCodes, type Gateway, startGateway } from "../support/gateway.js";
import { keepRemembered } from "../support/remembered.js";

const COMPANIES = `query ($first: Int) {
  companies(first: $first) { nodes { id settings { slogan enableCoupons } canClientsPickProvidersForServices } totalCount }
}`;
const COMPANY = `query ($companyId: Int!) { company(companyId: $companyId) { id name currencyIso passwordSetupToken settings { slogan } } }`;

describe("companies", () => {
  let gateway: Gateway;
  let acme: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway, { settings: { slogan: "We make everything", enableCoupons: true } });
  });
  afterAll(() => gateway.close());

  it("lists companies newest first, with pages and totals", async () => {
    const names = [`list-${unique()}`, `list-${unique()}`, `list-${unique()}`];
    for (const name of names) {
      const { id } = await createCompany(gateway);
      await gateway.db.company.update({ where: { id }, data: { name } });
    }

    const page = await gateway.platform.rest("GET", "/companies?filter[name][starts_with]=list-&per_page=2");

    expect(page.status).toBe(200);
    expect(page.headers["x-total-count"]).toBe("3");
    expect(page.body.map(({ name }: { name: string }) => name)).toEqual([names[2], names[1]]);
    expect(Object.keys(page.body[0])).not.toContain("password_setup_token");
  });

  it("follows sort, fields and a cursor", async () => {
    const { body } = await gateway.platform.rest(
      "GET",
      "/companies?sort=name&fields=id,name&cursor=&per_page=200",
    );

    const names = body.map(({ name }: { name: string }) => name);
    expect(Object.keys(body[0])).toEqual(["id", "name"]);
    expect(names).toEqual(names.toSorted());
  });

  it("leaves deleted companies out unless they are asked for", async () => {
    const { id } = await createCompany(gateway);
    await gateway.db.company.update({ where: { id }, data: { deletedAt: new Date() } });

    const live = await gateway.platform.rest("GET", `/companies?filter[id]=${id}`);
    const all = await gateway.platform.rest("GET", `/companies?filter[id]=${id}&with_deleted=true`);

    expect(live.body).toEqual([]);
    expect(all.body).toMatchObject([{ id, deleted_at: expect.any(String) }]);
  });

  it("is for the platform alone", async () => {
    const { client } = await signedInClient(gateway, acme.id);

    const statuses = [];
    for (const caller of [acme.owner, client, gateway.anonymous]) {
      statuses.push((await caller.rest("GET", "/companies")).status);
    }

    expect(statuses).toEqual([403, 403, 401]);
  });

  it("sends the same number of statements for one company and for many", async () => {
    const counts = [];
    const forget = keepRemembered();
    for (const first of [1, 1, 5]) {
      gateway.statements.length = 0;
      dataOf(await gateway.platform.run(COMPANIES, { first }));
      counts.push(gateway.statements.length);
    }
    forget();

    expect(counts[2]).toBe(counts[1]);
  });

  it("shows everybody a company with its currency and the settings that everybody may know", async () => {
    const other = await createCompany(gateway, { settings: { currencyIso: "EUR" } });
    const { client } = await signedInClient(gateway, acme.id);

    for (const caller of [acme.owner, client, gateway.anonymous]) {
      const [own, foreign] = [
        dataOf(await caller.run(COMPANY, { companyId: acme.id })),
        dataOf(await caller.run(COMPANY, { companyId: other.id })),
      ];

      expect(own["company"]).toMatchObject({
        id: acme.id,
        currencyIso: "USD",
        passwordSetupToken: null,
        settings: { slogan: "We make everything" },
      });
      expect(foreign["company"].currencyIso).toBe("EUR");
    }
  });

  it.each(["email", "plan", "enabled", "expiresAt", "customJson", "createdAt"])(
    "shows the %s to those alone who may see or edit the company",
    async (field) => {
      const { client } = await signedInClient(gateway, acme.id);
      const other = await createCompany(gateway);
      const query = `{ company(companyId: ${acme.id}) { id ${field} } }`;

      for (const permission of ["access_company", "can_edit_company"] as const) {
        const admin = await adminWith(gateway, acme.id, permission);
        expect(dataOf(await admin.run(query))["company"]).toHaveProperty(field);
      }
      const admin = await adminWith(gateway, acme.id, "access_goods");
      for (const caller of [gateway.anonymous, client, other.owner, admin]) {
        const result = await caller.run(query);
        expect([errorCodes(result), result.data]).toEqual([
          ["FORBIDDEN"],
          { company: { id: acme.id, [field]: null } },
        ]);
      }
    },
  );

  it("knows no company that is not there", async () => {
    const unknown = await gateway.anonymous.run(COMPANY, { companyId: 999_999 });

    expect(errorCodes(unknown)).toEqual(["NOT_FOUND"]);
  });
});
