import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createForm, formsPath } from "./forms.js";

const TAX = `query ($companyId: Int!, $branchId: Int!, $orderE2: SafeInt!, $tipE2: SafeInt!, $currencyToUse: String) {
  formTax(
    companyId: $companyId, branchId: $branchId, formType: "payment",
    orderE2: $orderE2, tipE2: $tipE2, currencyToUse: $currencyToUse
  ) { taxFlatE2 taxPercent taxE2 totalE2 currencyIso }
}`;

describe("get-tax", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let branchId: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
    ({ id: branchId } = await createBranch(gateway, company.id));
  });
  afterAll(() => gateway.close());

  const create = (overrides: object) => createForm(gateway, company.id, branchId, overrides);
  const ask = (query: string, client = company.owner, formType: string | number = "payment") =>
    client.rest("GET", `${formsPath(company.id, branchId)}/${formType}/get-tax?${query}`);

  it.each([
    ["flat and percent, of order and tip", 50, 0.03, 2000, 150, 115, 2265],
    ["half a hundredth rounded up", 0, 0.0001, 5000, 0, 1, 5001],
    ["less than half rounded down", 0, 0.0001, 4999, 0, 0, 4999],
    ["nothing of nothing", 25, 0.5, 0, 0, 25, 25],
    ["exactly, where binary fractions would not be", 0, 0.0145, 10000, 0, 145, 10145],
    ["the whole amount again", 0, 1, 4503599627370495, 0, 4503599627370495, 9007199254740990],
  ])("is %s", async (_, taxFlatE2, taxPercent, orderE2, tipE2, taxE2, totalE2) => {
    await create({ currencyIso: "EUR", taxFlatE2, taxPercent });

    const { status, body } = await ask(`order_e2=${orderE2}&tip_e2=${tipE2}`);
    const twin = await company.owner.run(TAX, { companyId: company.id, branchId, orderE2, tipE2 });

    expect([status, body]).toEqual([
      200,
      {
        tax_flat_e2: taxFlatE2,
        tax_percent: taxPercent,
        tax_e2: taxE2,
        total_e2: totalE2,
        currency_iso: "EUR",
      },
    ]);
    expect(dataOf(twin)["formTax"]).toEqual({ taxFlatE2, taxPercent, taxE2, totalE2, currencyIso: "EUR" });
  });

  it("takes the first form in the currency, and refuses one that no form has", async () => {
    await create({ currencyIso: "EUR", taxFlatE2: 10 });
    await create({ currencyIso: "USD", taxFlatE2: 20 });

    const answers = [
      await ask("order_e2=100&tip_e2=0"),
      await ask("order_e2=100&tip_e2=0&currency_to_use=usd"),
      await ask("order_e2=100&tip_e2=0&currency_to_use=GBP"),
    ];

    expect(
      answers.map(({ status, body }) => [status, body.currency_iso ?? wrongFields(body.errors)]),
    ).toEqual([
      [200, "EUR"],
      [200, "USD"],
      [422, ["currency_to_use:mismatch"]],
    ]);
  });

  it("is nothing for a form without a currency, in any", async () => {
    await create({});

    const [own, other] = [
      await ask("order_e2=100&tip_e2=1"),
      await ask("order_e2=100&tip_e2=1&currency_to_use=GBP"),
    ];

    expect(own.body).toMatchObject({ tax_e2: 0, total_e2: 101, currency_iso: "USD" });
    expect(other.body).toMatchObject({ tax_e2: 0, total_e2: 101, currency_iso: "GBP" });
  });

  it("takes the form of the branch that the order is for", async () => {
    const { id: otherBranch } = await createBranch(gateway, company.id);
    await createForm(gateway, company.id, otherBranch, { currencyIso: "USD", taxFlatE2: 77 });
    const foreign = await createCompany(gateway);
    const { id: foreignBranch } = await createBranch(gateway, foreign.id);

    const answers = [
      await ask(`order_e2=1&tip_e2=0&branch_id=${otherBranch}`),
      await ask("order_e2=1&tip_e2=0"),
      await ask(`order_e2=1&tip_e2=0&branch_id=${foreignBranch}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 404, 422]);
    expect(answers[0]?.body.tax_e2).toBe(77);
    expect(wrongFields(answers[2]?.body.errors)).toEqual(["branch_id:exists"]);
  });

  it.each([
    ["", ["order_e2:required", "tip_e2:required"]],
    ["order_e2=-1&tip_e2=-1", ["order_e2:min", "tip_e2:min"]],
    ["order_e2=1.5&tip_e2=x", ["order_e2:type", "tip_e2:type"]],
    ["order_e2=9007199254740991&tip_e2=1", ["order_e2:max"]],
    ["order_e2=1&tip_e2=1&currency_to_use=US", ["currency_to_use:min_length"]],
    ["order_e2=1&tip_e2=1&branch_id=x", ["branch_id:type"]],
  ])("refuses %j", async (query, wrong) => {
    await create({});

    const { status, body } = await ask(query);

    expect([status, wrongFields(body.errors)]).toEqual([422, wrong]);
  });

  it("looks for what the path names before the query", async () => {
    const { id } = await create({ disabled: true });
    const foreign = await createCompany(gateway);
    const { id: foreignBranch } = await createBranch(gateway, foreign.id);
    const { client } = await signedInClient(gateway, company.id);
    const at = (branch: number, query: string) =>
      company.owner.rest("GET", `${formsPath(company.id, branch)}/payment/get-tax?${query}`);
    const good = `order_e2=1&tip_e2=0&branch_id=${branchId}`;

    const answers = [
      await ask("", company.owner, 2_000_000_000),
      await ask("order_e2=-1", company.owner, "foo"),
      await ask("", client, id),
      await ask(`order_e2=-1&branch_id=${branchId}`, company.owner, 2_000_000_000),
      await at(foreignBranch, good),
      await at(2_000_000_000, good),
      await at(branchId, good),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 200]);
  });

  it("is for readers of forms, and for clients where the form is enabled", async () => {
    const { id } = await create({ disabled: true });
    const query = "order_e2=1&tip_e2=0";
    const { client } = await signedInClient(gateway, company.id);
    const reader = await adminWith(gateway, company.id, "access_forms");
    const other = await adminWith(gateway, company.id, "access_goods");
    const stranger = await signedInClient(gateway, (await createCompany(gateway)).id);
    const statuses = async () => {
      const callers = [gateway.anonymous, other, stranger.client, reader, client];
      const answers = await Promise.all(callers.map((caller) => ask(query, caller, id)));
      return answers.map(({ status }) => status);
    };

    expect(await statuses()).toEqual([401, 403, 403, 200, 404]);
    await company.owner.rest("PATCH", `${formsPath(company.id, branchId)}/${id}/enable`);
    expect(await statuses()).toEqual([401, 403, 403, 200, 200]);
  });
});
