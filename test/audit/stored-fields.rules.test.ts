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

it.each(["2026-11-30T10:00:00+25:00", "2026-13-30T10:00:00+01:00", "2026-11-30T10:00:00+02:00"])(
  "shows the name %s to the letter",
  (name) => {
    const changes = {
      name: [null, name],
      "config.note": [name, null],
      created_at: [null, "2026-11-30T10:00:00+02:00"],
    };

    expect(shownChanges(changes, "coupon", (key) => key)).toEqual([
      { field: "config.note", before: name, after: null },
      { field: "createdAt", before: null, after: "2026-11-30 08:00:00" },
      { field: "name", before: null, after: name },
    ]);
  },
);
