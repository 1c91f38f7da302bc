import { shownChanges, storedFields } from "../../src/slices/audit/audit-entry.rules.js";

it.each([
  ["price_e2", "good"],
  ["address_line_1", "branch"],
  ["config.limit", "coupon"],
  ["password_hash", "admin"],
  ["avatar_key", "admin"],
  ["token_hash", "password_setup_token"],
  ["data.messengerAToken", "company_settings"],
  ["secrets.acme_settings", "company_settings"],
])("finds %s by the name under which it is shown", (column, targetType) => {
  const [shown] = shownChanges({ [column]: [null, "a"] }, targetType, (key) => key);

  expect(storedFields(shown?.field as string)).toContain(column);
});

it("takes names as REST writes them", () => {
  expect(storedFields("price_e2")).toContain("price_e2");
  expect(storedFields("address_line_1")).toContain("address_line_1");
  expect(storedFields("messenger_a_token")).toContain("data.messengerAToken");
});
