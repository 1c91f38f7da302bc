import { allPermissions, areaOf, definePermissions } from "../../src/core/access/permissions.js";
import "../../src/slices/coupons/coupons.permissions.js";

it("knows the area of a permission, and that another stands for itself", () => {
  expect(allPermissions()).toEqual(
    expect.arrayContaining(["access_coupons", "can_edit_coupons", "can_redeem_coupons"]),
  );
  expect(areaOf("access_coupons")).toBe("coupons");
  expect(areaOf("can_edit_coupons")).toBe("coupons");
  expect(areaOf("can_redeem_coupons")).toBeNull();
});

it("refuses a permission that is defined already, and keeps the first", () => {
  const before = allPermissions();

  expect(() => definePermissions(["coupons"])).toThrow(
    new Error("the permission access_coupons is defined twice"),
  );
  expect(() => definePermissions([], ["can_edit_coupons"])).toThrow(
    new Error("the permission can_edit_coupons is defined twice"),
  );
  expect(allPermissions()).toEqual(before);
  expect(areaOf("can_edit_coupons")).toBe("coupons");
});
