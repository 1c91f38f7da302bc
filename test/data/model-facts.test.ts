import { modelFacts } from "../../src/tools/model-facts.mjs";

const MODEL = `
model CouponCode {
  companyId Int    @map("company_id")
  couponId  Int    @map("coupon_id")
  seedHash  Bytes? @map("seed_hash")
  code      String

  @@id([companyId, couponId])
  @@map("coupon_codes")
}
`;

it("reads the table, the key and the mark of a model", () => {
  expect(factsOf("/// A code.\n/// @audited hides=seedHash,code updates=code inBatches")).toEqual({
    CouponCode: {
      table: "coupon_codes",
      key: ["company_id", "coupon_id"],
      audit: { hides: ["seed_hash", "code"], updates: ["code"], inBatches: true },
    },
  });
  expect(factsOf("/// @unaudited")).toMatchObject({ CouponCode: { audit: null } });
});

it.each([
  ["/// A code.", "CouponCode needs one of the marks @audited and @unaudited."],
  ["/// @audited\n/// @unaudited", "CouponCode needs one of the marks @audited and @unaudited."],
  ["/// @audited hides=hash", "CouponCode has no field hash, which @audited names."],
  ["/// @audited hides", "CouponCode: @audited cannot say hides."],
  ["/// @unaudited hides=code", "CouponCode: @unaudited cannot say hides=code."],
])("refuses %j", (comment, message) => {
  expect(() => factsOf(comment)).toThrow(new Error(message));
});

function factsOf(comment: string): unknown {
  const text = modelFacts([comment + MODEL]);
  return JSON.parse(/ = (\{[^]*\});\n$/u.exec(text)?.[1] ?? "") as unknown;
}
