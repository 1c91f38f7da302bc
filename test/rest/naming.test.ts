import { isInputObjectType, isObjectType } from "graphql";
import { toSnakeCase, toSnakeCasePath } from "../../src/api/rest/naming.js";
import { sharedSchema as createSchema } from "../support/schema.js";

it.each([
  ["priceE2", "price_e2"],
  ["addressLine1", "address_line_1"],
  ["latitudeE6", "latitude_e6"],
  ["messengerAToken", "messenger_a_token"],
  ["contactPhoneMessengerB", "contact_phone_messenger_b"],
  ["isTypeOptions", "is_type_options"],
  ["id", "id"],
])("%s is %s", (name, expected) => {
  expect(toSnakeCase(name)).toBe(expected);
});

it("spells paths field by field", () => {
  expect(toSnakeCasePath("config.feeRules[0].priceMinE2")).toBe("config.fee_rules[0].price_min_e2");
});

it("never gives two fields of a type the same name", () => {
  for (const type of Object.values(createSchema().schema.getTypeMap())) {
    if (!isObjectType(type) && !isInputObjectType(type)) continue;
    const names = Object.keys(type.getFields()).map(toSnakeCase);
    expect([type.name, new Set(names).size]).toEqual([type.name, names.length]);
  }
});
