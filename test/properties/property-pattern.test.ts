import { expectRefused } from "../support/bounds.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";

const CREATE = `mutation($companyId: Int!, $input: PropertyInput!) {
  createProperty(companyId: $companyId, input: $input) { propertyText { regex } }
}`;

describe("the pattern of a property", () => {
  let gateway: Gateway;
  let company: TestCompany;

  beforeAll(async () => {
    gateway = await startGateway();
    company = await createCompany(gateway);
  });
  afterAll(() => gateway.close());

  it.each([
    "^(?=.*\\d).+$",
    "(?<!a)b",
    "(a)\\1",
    "(?<word>a)\\k<word>",
    "^.{1,5000}$",
    "\\u00e1",
    "\\p{L}+",
    " leading and trailing ",
    "x".repeat(255),
  ])("is any regular expression of JavaScript: %s", async (regex) => {
    const input = { name: "Text", propertyText: { regex } };
    const result = await company.owner.run(CREATE, { companyId: company.id, input });
    const { status, body } = await company.owner.rest("POST", `/companies/${company.id}/properties`, {
      body: { name: "Text", property_text: { regex } },
    });

    expect(dataOf(result)["createProperty"]).toEqual({ propertyText: { regex } });
    expect([status, body.property_text]).toEqual([201, { regex, hint: null }]);
  });

  it.each(["(?i)a", "([", "a**", "a{2,1}", "(?P<word>a)", "\\"])("is not %s", async (regex) => {
    const before = await gateway.db.property.count({ where: { companyId: company.id } });
    const faces = {
      graphql: CREATE,
      variables: { companyId: company.id },
      method: "POST" as const,
      path: `/companies/${company.id}/properties`,
    };

    await expectRefused(company.owner, faces, { name: "Text", propertyText: { regex } }, [
      "propertyText.regex:regex",
    ]);

    expect(await gateway.db.property.count({ where: { companyId: company.id } })).toBe(before);
  });
});
