import { Examples } from "../../src/api/rest/openapi/examples.js";
import { plainSchema, withoutNull } from "../../src/api/rest/openapi/plain-schema.js";
import { restText } from "../../src/api/rest/openapi/wording.js";

describe("plainSchema", () => {
  it("renames what the service names, in every place that names properties", () => {
    const plain = plainSchema({
      properties: { priceE2: { $ref: "#/$defs/Amount" } },
      required: ["priceE2"],
      dependentRequired: { priceE2: ["minPurchaseE2"] },
      allOf: [{ if: { required: ["priceE2"] }, then: { properties: { addressLine1: false } } }, {}],
      additionalProperties: false,
    });

    expect(plain).toEqual({
      properties: { price_e2: { $ref: "#/components/schemas/Amount" } },
      required: ["price_e2"],
      dependentRequired: { price_e2: ["min_purchase_e2"] },
      allOf: [
        {
          if: { additionalProperties: true, required: ["price_e2"], properties: { price_e2: {} } },
          then: { additionalProperties: true, properties: { address_line_1: false } },
        },
      ],
    });
  });

  it("leaves the contents of free JSON as they are", () => {
    const json = {
      properties: { isVisible: { type: "boolean" } },
      required: ["isVisible"],
      additionalProperties: false,
    };

    expect(plainSchema({ json: true, ...json })).toEqual(json);
  });

  it("drops our own keywords and says formats in standard terms", () => {
    expect(plainSchema({ type: "string", text: "line", maxLength: 8 })).toEqual({
      type: "string",
      maxLength: 8,
    });
    expect(plainSchema({ type: "integer", existingId: "Good", minimum: 1 })).toEqual({
      type: "integer",
      minimum: 1,
    });
    expect(plainSchema({ type: "number", decimals: 4 })).toEqual({ type: "number" });
    expect(plainSchema({ format: "clock" })["pattern"]).toBe("^(?:[01]\\d|2[0-3]):[0-5]\\d$");
    expect(plainSchema({ format: "url" })).toMatchObject({ format: "uri" });
    expect(plainSchema({ pattern: "^0", format: "clock" })).toMatchObject({ allOf: [{ pattern: "^0" }] });
  });

  it("never refuses more for want of a comparison with other data", () => {
    const compared = { minimum: { $data: "1/min" } };

    expect(plainSchema({ type: "integer", ...compared })).toEqual({ type: "integer" });
    expect(plainSchema({ if: { properties: { max: compared } }, then: { required: ["unit"] } })).toEqual({});
    expect(plainSchema({ not: { properties: { max: compared } } })).toEqual({});
  });

  it("takes null away", () => {
    expect(withoutNull({ type: ["integer", "null"], minimum: 1 })).toEqual({ type: "integer", minimum: 1 });
    expect(withoutNull({ anyOf: [{ type: "null" }, { $ref: "#/x" }], description: "A." })).toEqual({
      $ref: "#/x",
      description: "A.",
    });
    expect(withoutNull({ enum: ["a", null] })).toEqual({ enum: ["a"] });
  });
});

describe("Examples", () => {
  const examples = new Examples(
    () => ({}),
    () => true,
  );
  const text = { type: "string" };
  const integer = { type: "integer" };

  it("keep to bounds, also those set by fields beside", () => {
    const properties = {
      min: { ...integer, minimum: 7 },
      max: { ...integer, exclusiveMinimum: { $data: "1/min" }, maximum: 8 },
    };

    expect(examples.of({ type: "object", properties })).toEqual({ min: 7, max: 8 });
    expect(examples.of({ ...text, minLength: 5, maxLength: 6, pattern: "^[A-Z0-9]+$" }, "promoCode")).toBe(
      "SAVE20",
    );
    expect(examples.of({ ...text, maxLength: 4 }, "name")).toBe("Samp");
  });

  it("settle conditions between fields", () => {
    const example = examples.of({
      type: "object",
      properties: { type: { enum: ["shipping"] }, image: text, url: text, note: text, password: text },
      if: { properties: { type: { const: "shipping" } }, required: ["type"] },
      then: { required: ["type", "postalCode"], properties: { note: false, postalCode: text } },
      oneOf: [{ required: ["url"] }, { required: ["image"] }],
      not: { required: ["type", "password"] },
    });

    expect(Object.keys(example as object).sort()).toEqual(["postalCode", "type", "url"]);
  });

  it("show of flags what their mask holds", () => {
    const flag = (bits: number, shift?: number) => ({
      type: "boolean",
      "x-mask": { of: "options", bits, shift },
    });
    const properties = { options: integer, is_on: flag(0x100), is_off: flag(0x200), class: flag(0xff00, 8) };

    expect(examples.of({ type: "object", properties })).toEqual({
      options: 0x100,
      is_on: true,
      is_off: false,
      class: 1,
    });
  });

  it("believe what a schema says", () => {
    expect(examples.of({ ...text, examples: ["said"] }, "name")).toBe("said");
  });

  it("end where inputs nest without end", () => {
    const entry = { type: "object", properties: { content: { $ref: "#/$defs/Entry" } } };
    const nested = new Examples(
      () => entry,
      () => true,
    );

    expect(JSON.stringify(nested.of(entry)).length).toBeLessThan(200);
  });
});

it("writes names of the schema as REST has them", () => {
  expect(restText("At least `min`; adds to `priceE2` and `addressLine1`, not `CreateGoodInput`.")).toBe(
    "At least `min`; adds to `price_e2` and `address_line_1`, not `CreateGoodInput`.",
  );
});
