import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLInputObjectType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  GraphQLString,
} from "graphql";
import { bodyOfParts } from "../../src/api/rest/multipart-values.js";
import { KEYS_BESIDE } from "../../src/core/inputs/input-fields.js";
import { Json } from "../../src/core/scalars/json.js";
import { Upload, UploadedFile } from "../../src/core/files/upload.js";

const Format = new GraphQLInputObjectType({
  name: "Format",
  fields: { head: { type: GraphQLString }, isWide: { type: GraphQLBoolean } },
});
const Settings = new GraphQLInputObjectType({
  name: "Settings",
  fields: {
    uid: { type: GraphQLString },
    tipThreshold: { type: GraphQLInt },
    taxPrc: { type: GraphQLFloat },
    payInStore: { type: GraphQLBoolean },
    invoiceFormat: { type: Format },
    smsProviders: { type: new GraphQLList(new GraphQLNonNull(GraphQLString)) },
    limits: { type: new GraphQLList(GraphQLInt) },
    taxes: { type: new GraphQLList(Format) },
    customJson: { type: Json },
    banner: { type: Upload },
    bankSettings: { type: Json, extensions: { [KEYS_BESIDE]: "^[a-z]+_settings$" } },
  },
});

const bodyOf = (...fields: [string, string][]): object => bodyOfParts({ fields, files: new Map() }, Settings);

it("makes texts the values that the input's types ask for", () => {
  expect(
    bodyOf(
      ["uid", "12"],
      ["tip_threshold", "12"],
      ["tax_prc", "0.5"],
      ["pay_in_store", "true"],
      ["limits", ""],
    ),
  ).toEqual({ uid: "12", tip_threshold: 12, tax_prc: 0.5, pay_in_store: true, limits: null });
});

it("leaves what does not fit as it is, to be refused like that of a JSON body", () => {
  expect(bodyOf(["tip_threshold", "many"], ["pay_in_store", "maybe"], ["taxes", "x"])).toEqual({
    tip_threshold: "many",
    pay_in_store: "maybe",
    taxes: "x",
  });
});

it("clears a number, a switch, a list or an object by an empty text, which is a text of its own", () => {
  expect(
    bodyOf(["uid", ""], ["tip_threshold", ""], ["pay_in_store", ""], ["taxes", ""], ["invoice_format", ""]),
  ).toEqual({ uid: "", tip_threshold: null, pay_in_store: null, taxes: null, invoice_format: null });
});

it("takes lists and objects by key[] and key[sub], and as JSON texts", () => {
  expect(
    bodyOf(
      ["sms_providers[]", "a"],
      ["sms_providers[]", "b"],
      ["limits[]", "1"],
      ["limits[]", "2"],
      ["invoice_format[head]", "H"],
      ["invoice_format[is_wide]", "false"],
      ["taxes[0][head]", "one"],
      ["taxes[1][is_wide]", "true"],
      ["custom_json", '{"a":[1,"2"]}'],
    ),
  ).toEqual({
    sms_providers: ["a", "b"],
    limits: [1, 2],
    invoice_format: { head: "H", is_wide: false },
    taxes: [{ head: "one" }, { is_wide: true }],
    custom_json: { a: [1, "2"] },
  });
  expect(
    bodyOf(["limits", "[1,2]"], ["invoice_format", '{"is_wide":true}'], ["custom_json", "plain"]),
  ).toEqual({
    limits: [1, 2],
    invoice_format: { is_wide: true },
    custom_json: "plain",
  });
});

it("keeps a list whole up to the most entries, and shows that it has more", () => {
  const entries = Array.from({ length: 1_001 }, (_, n): [string, string] => ["limits[]", String(n)]);

  expect(bodyOf(...entries.slice(0, 1_000))).toMatchObject({ limits: { length: 1_000 } });
  expect(bodyOf(...entries)).toMatchObject({ limits: { length: 1_001 } });
});

it("puts files beside the other keys", () => {
  const file = new UploadedFile("/tmp/x", 3, "hash");
  const body = bodyOfParts({ fields: [["uid", "x"]], files: new Map([["banner", file]]) }, Settings);

  expect(body).toEqual({ uid: "x", banner: file });
});

it.each([
  "uid",
  "banner[]",
  "[uid]",
  "limits[0]",
  "invoice_format[head]",
  "taxes[][head]",
  "acme_settings[]",
])("refuses a file in a place that takes none: %s", (name) => {
  const files = new Map([[name, new UploadedFile("/tmp/x", 3, "hash")]]);
  const told = { field: name, rule: "type", message: "takes no file" };

  expect(refusalOf(() => bodyOfParts({ fields: [["uid", "x"]], files }, Settings))).toMatchObject({
    code: "BAD_REQUEST",
    errors: [told],
  });
});

it("lets no key reach the prototype of the body", () => {
  const body = bodyOf(["__proto__[polluted]", "1"], ["constructor[prototype][polluted]", "1"], ["uid", "x"]);

  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  expect((body as { polluted?: unknown }).polluted).toBeUndefined();
});

it("reads the lists under keys that stand beside the others", () => {
  expect(bodyOf(["acme_settings", '[{"merchant": "42"}]'], ["other_settings[][merchant]", "42"])).toEqual({
    acme_settings: [{ merchant: "42" }],
    other_settings: [{ merchant: "42" }],
  });
});

function refusalOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}
