import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, wrongFields, type Gateway } from "../support/gateway.js";
import { createForm, EVERY_COMPONENT, formsPath, PAYMENT, POD } from "./forms.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateFormInput!) {
  createForm(companyId: $companyId, input: $input) { id type branchId data currency { iso taxPercent } }
}`;
const PUT = `mutation ($companyId: Int!, $branchId: Int!, $formType: String!, $input: FormInput!) {
  putForm(companyId: $companyId, branchId: $branchId, formType: $formType, input: $input) { id name data }
}`;

describe("forms", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let branchId: number;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
    ({ id: branchId } = await createBranch(gateway, company.id));
    path = formsPath(company.id, branchId);
  });
  afterAll(() => gateway.close());

  const rows = () => gateway.db.form.findMany({ where: { companyId: company.id }, orderBy: { id: "asc" } });
  const put = (formType: string | number, body: object, client = company.owner) =>
    client.rest("PUT", `${path}/${formType}`, { body });

  it("creates the first payment form of a branch, and replaces it as a whole afterwards", async () => {
    const form = {
      name: "Transfer",
      internal_name: "bank_pm",
      icon: 4,
      currency: { iso: "EUR", tax_percent: 0.0325, tax_flat_e2: 50 },
      form: EVERY_COMPONENT,
    };

    const created = await put("payment", form);
    const replaced = await put("payment", { name: "Other" });

    expect(created.status).toBe(200);
    expect(created.body).toEqual({
      id: expect.any(Number) as number,
      type: PAYMENT,
      name: "Transfer",
      internal_name: "bank_pm",
      disabled: false,
      icon: 4,
      currency: {
        id: created.body.id as number,
        iso: "EUR",
        tax_flat_e2: 50,
        tax_percent: 0.0325,
        enabled: true,
        available: true,
        symbol: "€",
        conversion_factor: null,
        related_iso: null,
        decimals_count: 2,
        format: "%s%v",
        decimal_point: ".",
        use_thousands_separator: true,
        thousands_separator: ",",
        is_local: false,
        is_international: true,
        created_at: created.body.created_at as string,
        updated_at: created.body.updated_at as string,
        version: 1,
        company_id: company.id,
        is_custom: false,
        branch_id: branchId,
        auto_sync: false,
        auto_sync_provider: null,
        use_conversion: false,
        related_iso_expected: null,
        related_iso_error: null,
      },
      branch_id: branchId,
      company_id: company.id,
      label_url: null,
      label_small_url: null,
      data: EVERY_COMPONENT,
      created_at: expect.any(String) as string,
      updated_at: expect.any(String) as string,
      version: 1,
    });
    expect([replaced.status, replaced.body.id]).toEqual([200, created.body.id]);
    expect(replaced.body).toMatchObject({
      name: "Other",
      internal_name: null,
      icon: 0,
      data: [],
      currency: {
        iso: "USD",
        tax_flat_e2: 0,
        tax_percent: 0,
        symbol: "$",
        is_local: true,
        conversion_factor: 1,
      },
    });
    expect(await rows()).toHaveLength(1);
  });

  it("leaves a form without a currency as it is when it is sent back as it is shown", async () => {
    await put("payment", { name: "Cash", form: EVERY_COMPONENT });
    const { body: shown } = await company.owner.rest("GET", `${path}/payment`);
    const { name, internal_name, icon, data: form, currency } = shown;
    const { iso, tax_percent: taxPercent, tax_flat_e2: taxFlatE2 } = currency;

    const same = await put("payment", { name, internal_name, icon, form, currency });
    const twin = await company.owner.run(
      `mutation ($companyId: Int!, $id: Int!, $input: UpdateFormInput!) {
        updateForm(companyId: $companyId, id: $id, input: $input) { version currency { iso } }
      }`,
      { companyId: company.id, id: shown.id, input: { currency: { iso, taxPercent, taxFlatE2 } } },
    );

    expect(same.body).toEqual(shown);
    expect(dataOf(twin)["updateForm"]).toEqual({ version: 1, currency: { iso: "USD" } });
    expect(await rows()).toMatchObject([{ currencyIso: null }]);
    const taxed = await put("payment", { name, form, currency: { iso, tax_percent: 0, tax_flat_e2: 1 } });
    expect([taxed.body.version, taxed.body.currency.tax_flat_e2]).toEqual([2, 1]);
    expect(await rows()).toMatchObject([{ currencyIso: "USD" }]);
  });

  it("knows payment, pod and ids apart, and creates none by an id", async () => {
    const pod = await put("pod", { name: "Delivery" });
    const payment = await put("payment", { name: "Cash" });
    const byId = await put(pod.body.id as number, { name: "Door" });
    const missing = await put(2_000_000_000, { name: "None" });
    const odd = await put("invoice", { name: "None" });

    expect([pod.body.type, payment.body.type, byId.body.id]).toEqual([POD, PAYMENT, pod.body.id]);
    expect([missing, odd].map(({ status, body }) => [status, body.code])).toEqual([
      [404, "NOT_FOUND"],
      [404, "NOT_FOUND"],
    ]);
    expect((await rows()).map(({ name }) => name)).toEqual(["Door", "Cash"]);
  });

  it("looks for the form that the path names before the body", async () => {
    const { id } = await createForm(gateway, company.id, (await createBranch(gateway, company.id)).id);

    const answers = [
      await put(2_000_000_000, { icon: -1 }),
      await put("foo", { icon: -1 }),
      await put(id, { icon: -1 }),
      await put("pod", { icon: -1 }),
    ];
    const twin = await company.owner.run(PUT, {
      companyId: company.id,
      branchId,
      formType: "foo",
      input: { icon: -1 },
    });

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 422]);
    expect(errorCodes(twin)).toEqual(["NOT_FOUND"]);
  });

  it("makes one payment form of many that put it at once", async () => {
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => put("payment", { name: `P${n}` })));

    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  it("adds a payment form, and shows it where its Location says", async () => {
    await put("payment", { name: "First" });

    const { status, body, headers } = await company.owner.rest("POST", `${path}/payment`, {
      body: { name: "Second" },
    });

    expect([status, headers.location]).toEqual([201, `/api${path}/${body.id}`]);
    expect((await company.owner.rest("GET", `${path}/${body.id}`)).body).toEqual(body);
    expect((await company.owner.rest("GET", `${path}/payment`)).body.name).toBe("First");
  });

  it("answers the same over GraphQL", async () => {
    const input = {
      type: POD,
      branchId,
      form: EVERY_COMPONENT,
      currency: { iso: "XTOK", taxPercent: 1, taxFlatE2: 0 },
    };

    const created = dataOf(await company.owner.run(CREATE, { companyId: company.id, input }))["createForm"];

    expect(created).toMatchObject({
      type: POD,
      branchId,
      data: EVERY_COMPONENT,
      currency: { iso: "XTOK", taxPercent: 1 },
    });
    expect((await company.owner.rest("GET", `${path}/pod`)).body).toMatchObject({
      data: EVERY_COMPONENT,
      currency: { is_custom: true, symbol: "XTOK" },
    });
  });

  it.each([
    ["an unknown component", [{ slider: { question: "?" } }], ["form[0].slider:unknown"]],
    [
      "an unknown key of a component",
      [{ text: {} }, { boolean: { question: "?" } }, { input: { question: "?", pattren: "x" } }],
      ["form[2].input.pattren:unknown"],
    ],
    [
      "a component in camelCase",
      [{ textButton: { content: "x" } }, { file: { question: "?", allowedTypes: [".pdf"] } }],
      ["form[0].textButton:unknown", "form[1].file.allowedTypes:unknown"],
    ],
    ["a capital key", [{ input: { question: "?", Hint: "x" } }], ["form[0].input.Hint:unknown"]],
    ["two keys in one component", [{ text: {}, boolean: { question: "?" } }], ["form[0]:max_items"]],
    ["no key at all", [{}], ["form[0]:min_items"]],
    ["something else", ["text", null], ["form[0]:type", "form[1]:type"]],
    ["a missing question", [{ boolean: {} }], ["form[0].boolean.question:required"]],
    ["no choices", [{ option: { question: "?", choices: [] } }], ["form[0].option.choices:min_items"]],
    [
      "wrong words",
      [{ input: { question: "?", type: "color" } }, { file: { question: "?", type: "pdf" } }],
      ["form[0].input.type:enum", "form[1].file.type:enum"],
    ],
    [
      "a switch that is text",
      [{ input: { question: "?", required: "yes" } }],
      ["form[0].input.required:type"],
    ],
    ["lookahead", [{ input: { question: "?", regex: "/^(?=a)a$/" } }], ["form[0].input.regex:pattern"]],
    [
      "lookahead behind emoji",
      [{ input: { question: "?", regex: `/${"😀".repeat(200)}(?=a)/` } }],
      ["form[0].input.regex:pattern"],
    ],
    ["an open bracket", [{ input: { question: "?", regex: "/(a/" } }], ["form[0].input.regex:pattern"]],
    [
      "a pattern that unfolds",
      [{ input: { question: "?", regex: "/(a{99}){99}/" } }],
      ["form[0].input.regex:pattern"],
    ],
    [
      "patterns that are too much together",
      Array.from({ length: 8 }, () => ({ input: { question: "?", regex: "/a{900}/" } })),
      ["form[5].input.regex:pattern"],
    ],
  ])("refuses %s with its path, and changes nothing", async (_, form, wrong) => {
    const { id, updatedAt } = await createForm(gateway, company.id, branchId);

    const { status, body } = await put("payment", { form });
    const twin = await company.owner.run(PUT, {
      companyId: company.id,
      branchId,
      formType: "payment",
      input: { form },
    });

    expect([status, wrongFields(body.errors)]).toEqual([422, wrong]);
    expect(errorCodes(twin)).toEqual(["VALIDATION_FAILED"]);
    expect(wrongFields(twin.errors?.[0]?.extensions["errors"])).toEqual(wrong);
    expect(await rows()).toMatchObject([{ id, updatedAt, data: [] }]);
  });

  it.each([
    ["text", "question", 64],
    ["text", "content", 512],
    ["input", "question", 64],
    ["input", "hint", 32],
    ["input", "regex", 255],
    ["boolean", "question", 64],
    ["option", "question", 64],
    ["text_button", "question", 64],
    ["text_button", "content", 255],
    ["text_button", "button_text", 48],
    ["text_button", "button_content", 1024],
    ["option", "choices", 48],
    ["file", "allowed_types", 128],
  ])("takes %s.%s up to %i characters", async (kind, key, max) => {
    const needed = { text: {}, text_button: {}, option: { question: "?", choices: ["a"] } }[kind] ?? {
      question: "?",
    };
    const isList = key === "choices" || key === "allowed_types";
    const form = (length: number) => {
      const text = "x".repeat(length);
      return [{ [kind]: { ...needed, [key]: isList ? [text] : text } }];
    };

    const [fits, tooLong] = [
      await put("payment", { form: form(max) }),
      await put("pod", { form: form(max + 1) }),
    ];

    expect([fits.status, fits.body.data]).toEqual([200, form(max)]);
    expect(tooLong.status).toBe(422);
    expect(wrongFields(tooLong.body.errors)).toEqual([
      `form[0].${kind}.${key}${isList ? "[0]" : ""}:max_length`,
    ]);
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    [{ name: "n".repeat(33) }, "name", "max_length"],
    [{ internal_name: "Bank_pm" }, "internal_name", "pattern"],
    [{ internal_name: "bank" }, "internal_name", "pattern"],
    [{ icon: -1 }, "icon", "min"],
    [{ icon: 1.5 }, "icon", "type"],
    [{ currency: { tax_percent: 0, tax_flat_e2: 0 } }, "currency.iso", "required"],
    [{ currency: { iso: "EU", tax_percent: 0, tax_flat_e2: 0 } }, "currency.iso", "min_length"],
    [{ currency: { iso: "EUROEUROS", tax_percent: 0, tax_flat_e2: 0 } }, "currency.iso", "max_length"],
    [{ currency: { iso: "EUR", tax_percent: 1.0001, tax_flat_e2: 0 } }, "currency.tax_percent", "max"],
    [{ currency: { iso: "EUR", tax_percent: 0.00001, tax_flat_e2: 0 } }, "currency.tax_percent", "decimals"],
    [{ currency: { iso: "EUR", tax_percent: 0, tax_flat_e2: -1 } }, "currency.tax_flat_e2", "min"],
    [{ branch_id: "1" }, "branch_id", "type"],
  ])("refuses %j", async (body, field, rule) => {
    const answer = await put("payment", body);

    expect(answer.status).toBe(422);
    expect(wrongFields(answer.body.errors)).toEqual([`${field}:${rule}`]);
    expect(await rows()).toEqual([]);
  });

  it("takes the branch of the path alone", async () => {
    const { id: other } = await createBranch(gateway, company.id);

    const same = await put("payment", { branch_id: branchId });
    const wrong = await put("pod", { branch_id: other });

    expect(same.status).toBe(200);
    expect([wrong.status, wrongFields(wrong.body.errors)]).toEqual([422, ["branch_id:mismatch"]]);
    expect(await rows()).toHaveLength(1);
  });

  it("keeps patterns to the letter, and trims other texts", async () => {
    const form = [{ input: { question: " Code ", regex: "/ a$/ " } }];

    const { body } = await put("payment", { form });

    expect(body.data).toEqual([{ input: { question: "Code", regex: "/ a$/ " } }]);
  });

  it("is for those who may edit forms, in their company", async () => {
    const reader = await adminWith(gateway, company.id, "access_forms");
    const { client } = await signedInClient(gateway, company.id);
    const stranger = await createCompany(gateway);

    const answers = [
      await put("payment", { name: "No" }, gateway.anonymous),
      await put("payment", { name: "No" }, reader),
      await put("payment", { name: "No" }, client),
      await put("payment", { name: "No" }, stranger.owner),
      await stranger.owner.rest("PUT", `${formsPath(stranger.id, branchId)}/payment`, { body: {} }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 403, 404]);
    expect(await rows()).toEqual([]);
  });

  it("is done on condition alone when If-Match asks for it", async () => {
    await createForm(gateway, company.id, branchId, { name: "Old" });
    const { headers } = await company.owner.rest("GET", `${path}/payment`);
    const etag = headers.etag as string;
    const matching = (name: string) =>
      company.owner.rest("PUT", `${path}/payment`, { body: { name }, headers: { "if-match": etag } });

    const [first, second] = [await matching("New"), await matching("Newer")];

    expect([first.status, second.status]).toEqual([200, 412]);
    expect(await rows()).toMatchObject([{ name: "New" }]);
  });

  it("adds one form for one Idempotency-Key", async () => {
    const add = () =>
      company.owner.rest("POST", `${path}/payment`, {
        body: { name: "Once" },
        headers: { "idempotency-key": "k1" },
      });

    const [first, again] = [await add(), await add()];

    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(await rows()).toHaveLength(1);
  });
});
