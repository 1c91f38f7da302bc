import {
  adminWith,
  createBranch,
  createCompany,
  signedInClient,
  type TestCompany,
} from "../support/factories.js";
import { dataOf, errorCodes, startGateway, type Gateway } from "../support/gateway.js";
import { createForm, EVERY_COMPONENT } from "./forms.js";

const VALIDATE = `query ($companyId: Int!, $formId: Int!, $input: FormSubmissionInput!) {
  validateFormSubmission(companyId: $companyId, formId: $formId, input: $input) {
    isValid errors { index component question rule message }
  }
}`;
const input = (fields: object) => [{ input: { question: "?", ...fields } }];
const option = (fields: object) => [{ option: { question: "?", choices: ["A", "B"], ...fields } }];
const file = (fields: object) => [{ file: { question: "?", ...fields } }];
const boolean = (required: boolean) => [{ boolean: { question: "?", required } }];

describe("validateFormSubmission", () => {
  let gateway: Gateway;
  let company: TestCompany;
  let branchId: number;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  beforeEach(async () => {
    company = await createCompany(gateway);
    ({ id: branchId } = await createBranch(gateway, company.id));
  });
  afterAll(() => gateway.close());

  const formOf = (data: object[], more: object = {}) =>
    createForm(gateway, company.id, branchId, { data, ...more });
  const submit = (formId: number, answers: unknown, client = company.owner) =>
    client.run(VALIDATE, { companyId: company.id, formId, input: { answers } });
  const rulesOf = async (data: object[], ...values: unknown[]) => {
    const { id } = await formOf(data);
    const answers = values.map((value, index) => ({ index, value }));
    const { isValid, errors } = dataOf(await submit(id, answers))["validateFormSubmission"] as {
      isValid: boolean;
      errors: { index: number; rule: string }[];
    };
    expect(isValid).toBe(errors.length === 0);
    return errors.map(({ index, rule }) => `${index} ${rule}`);
  };

  it("has nothing to say of what fits", async () => {
    const { id } = await formOf(EVERY_COMPONENT);

    const result = await submit(id, [
      { index: 1, value: "12345678" },
      { index: 2, value: "Bank B" },
      { index: 3, value: true },
      { index: 5, value: { name: "receipt.PDF", type: "application/pdf", size: 1000 } },
    ]);

    expect(dataOf(result)["validateFormSubmission"]).toEqual({ isValid: true, errors: [] });
  });

  it.each([null, "", undefined])("takes %j for no answer, whatever the component is", async (value) => {
    const { id } = await formOf(EVERY_COMPONENT);
    const given = [
      { index: 1, value: "12345678" },
      { index: 2, value: "Bank B" },
      { index: 3, value: true },
      { index: 5, value: { name: "receipt.PDF", type: "application/pdf", size: 1000 } },
    ];
    const none = [0, 4, 99].map((index) => ({ index, value }));

    const result = await submit(id, [...given, ...none]);

    expect(dataOf(result)["validateFormSubmission"]).toEqual({ isValid: true, errors: [] });
  });

  it("says of each component what is wrong", async () => {
    const { id } = await formOf(EVERY_COMPONENT);

    const result = await submit(id, [
      { index: 0, value: "x" },
      { index: 1, value: "1234" },
      { index: 2, value: "Bank C" },
      { index: 9, value: "x" },
    ]);

    expect(dataOf(result)["validateFormSubmission"]).toEqual({
      isValid: false,
      errors: [
        { index: 0, component: "text", question: "Transfer", rule: "unknown", message: "takes no answer" },
        {
          index: 1,
          component: "input",
          question: "Reference",
          rule: "pattern",
          message: "does not have the right form",
        },
        {
          index: 2,
          component: "option",
          question: "Bank",
          rule: "choice",
          message: "must be one of the choices",
        },
        { index: 3, component: "boolean", question: "Paid", rule: "required", message: "has to be checked" },
        { index: 5, component: "file", question: "Receipt", rule: "required", message: "is required" },
        {
          index: 9,
          component: null,
          question: null,
          rule: "unknown",
          message: "is no component of the form",
        },
      ],
    });
  });

  it.each([
    ["a box that has to be checked", boolean(true), false, ["0 required"]],
    ["a box that may stay", boolean(false), false, []],
    ["a box that is text", boolean(false), "true", ["0 type"]],
    ["no choice", option({ required: true }), "", ["0 required"]],
    ["no choice that is needed", option({}), null, []],
    ["a choice in other case", option({}), "a", ["0 choice"]],
    ["a choice with blanks around it", option({ required: true }), " A ", []],
    ["a choice that is a number", option({}), 1, ["0 type"]],
    ["a blank text", input({ required: true }), "  ", ["0 required"]],
    ["a number for text", input({}), 5, ["0 type"]],
    ["two lines", input({}), "a\nb", ["0 control_characters"]],
    ["two lines of an area", input({ type: "text_area" }), "a\nb", []],
    ["a bell", input({}), "a\u0007b", ["0 control_characters"]],
    ["a zero", input({ type: "bank" }), "\u0000", ["0 control_characters"]],
    ["a bell in an area", input({ type: "text_area" }), "a\n\u0007b", ["0 control_characters"]],
    ["half a character", input({}), "a\ud83d", ["0 control_characters"]],
    ["a choice with a bell", option({}), "A\u0007", ["0 choice"]],
    ["a number with a zero", input({ type: "numeric" }), "1\u0000", ["0 numeric"]],
    ["a file with a bell", file({}), { name: "a\u0007", type: "", size: 1 }, ["0 control_characters"]],
    ["a box that is a bell", boolean(false), "\u0007", ["0 type"]],
    ["a date", input({ type: "date" }), "2024-02-29", []],
    ["a day that no year has", input({ type: "date" }), "2023-02-29", ["0 date"]],
    ["a number", input({ type: "numeric" }), 12.5, []],
    ["a number as text", input({ type: "numeric" }), "-12.50", []],
    ["no number", input({ type: "numeric" }), "1e5", ["0 numeric"]],
    ["a pattern that is anywhere", input({ regex: "#[0-9]+#" }), "ab12", []],
    [
      "a pattern and a type",
      input({ type: "numeric", regex: "/^\\d{4}$/" }),
      "abc",
      ["0 numeric", "0 pattern"],
    ],
    ["a long text", input({}), "x".repeat(1025), ["0 max_length"]],
    ["the longest text", input({}), "x".repeat(1024), []],
    ["a long text of emoji", input({}), "😀".repeat(1025), ["0 max_length"]],
    ["the longest text of emoji", input({}), "😀".repeat(1024), []],
    [
      "a file of a type",
      file({ allowed_types: ["image/png"] }),
      { name: "a", type: "IMAGE/PNG", size: 1 },
      [],
    ],
    [
      "a file of another",
      file({ allowed_types: ["image/png", "pdf"] }),
      { name: "a.jpg", type: "image/jpeg", size: 1 },
      ["0 file_type"],
    ],
    ["a file by its ending", file({ allowed_types: ["pdf"] }), { name: "a.Pdf", type: "", size: 1 }, []],
    [
      "a file that is no image",
      file({ type: "image" }),
      { name: "a.pdf", type: "application/pdf", size: 1 },
      ["0 file_type"],
    ],
    [
      "an empty file",
      file({ required: true }),
      { name: "a.pdf", type: "application/pdf", size: 0 },
      ["0 required"],
    ],
    ["a file that is text", file({}), "a.pdf", ["0 type"]],
    ["a size that is none", file({}), { name: "a", type: "b/c", size: -1 }, ["0 type"]],
    ["an object without keys", file({ required: true }), {}, ["0 type"]],
    ["an object of other keys", file({ required: true }), { foo: 1 }, ["0 type"]],
    ["a list", file({}), [{ name: "a", type: "", size: 5 }], ["0 type"]],
    ["a file without a name", file({}), { name: " ", type: "", size: 5 }, ["0 type"]],
    ["a file without a size", file({}), { name: "a", type: "b/c" }, ["0 type"]],
    ["a file without a media type", file({}), { name: "a", type: null, size: 5 }, ["0 type"]],
    [
      "a file with more keys",
      file({ required: true }),
      { name: "a", type: "", size: 5, lastModified: 1 },
      [],
    ],
  ])("judges %s", async (_, data, value, expected) => {
    expect(await rulesOf(data, value)).toEqual(expected);
  });

  it("says of the other answers, too, what is wrong beside one with control characters", async () => {
    const form = [input({})[0] as object, input({ required: true })[0] as object];

    expect(await rulesOf(form, "a\u0007b", "")).toEqual(["0 control_characters", "1 required"]);
  });

  it("is not stalled by hostile patterns, however long the answers are", async () => {
    const hostile = ["/^(a+)+$/", "/^(a|aa)+$/", "/(a?){200}b$/", "/(.*)*c$/"];
    const form = Array.from({ length: 12 }, (_, n) => input({ regex: hostile[n % 4] })[0] as object);
    const long = `${"a".repeat(1_023)}!`;

    const refused = await rulesOf(form, ...form.map(() => long));
    const endless = await rulesOf(form.slice(0, 1), "a".repeat(100_000));

    expect(refused).toEqual(form.map((_, n) => `${n} pattern`));
    expect(endless).toEqual(["0 max_length"]);
  });

  it("refuses answers that are no answers", async () => {
    const { id } = await formOf(EVERY_COMPONENT);

    const results = [
      await submit(id, [
        { index: 1, value: "a" },
        { index: 1, value: "b" },
      ]),
      await submit(id, [{ index: -1, value: "a" }]),
      await submit(2_000_000_000, []),
    ];

    expect(results.map(errorCodes)).toEqual([["VALIDATION_FAILED"], ["VALIDATION_FAILED"], ["NOT_FOUND"]]);
  });

  it("is for readers of forms, and for clients where the form is enabled", async () => {
    const [on, off] = [await formOf([]), await formOf([], { disabled: true })];
    const { client } = await signedInClient(gateway, company.id);
    const reader = await adminWith(gateway, company.id, "access_forms");
    const other = await adminWith(gateway, company.id, "access_goods");

    expect(errorCodes(await submit(on.id, [], gateway.anonymous))).toEqual(["UNAUTHENTICATED"]);
    expect(errorCodes(await submit(on.id, [], other))).toEqual(["FORBIDDEN"]);
    expect(errorCodes(await submit(off.id, [], client))).toEqual(["NOT_FOUND"]);
    for (const [form, caller] of [
      [on, client],
      [off, reader],
    ] as const)
      expect(dataOf(await submit(form.id, [], caller))["validateFormSubmission"]).toMatchObject({
        isValid: true,
      });
  });
});
