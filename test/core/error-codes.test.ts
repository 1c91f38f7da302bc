import { allErrors, defineErrors, errorKind } from "../../src/core/errors/codes.js";
import { COUPON_ERRORS } from "../../src/slices/coupons/coupon.errors.js";

it("knows the codes of a slice beside its own, those of one status side by side", () => {
  const codes = allErrors();
  const statuses = codes.map(([, { status }]) => status);

  expect(codes).toEqual(expect.arrayContaining(Object.entries(COUPON_ERRORS)));
  expect(errorKind("COUPON_LIMIT")).toEqual(COUPON_ERRORS.COUPON_LIMIT);
  expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual([...new Set(statuses)]);
});

it("refuses a code that is defined already, and keeps the first", () => {
  const before = allErrors();

  expect(() => defineErrors({ NOT_FOUND: { status: 410, title: "Gone" } })).toThrow(
    new Error("the error code NOT_FOUND is defined twice"),
  );
  expect(allErrors()).toEqual(before);
});
