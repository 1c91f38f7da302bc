import type { GraphQLObjectType } from "graphql";
import { sharedSchema } from "../support/schema.js";
import type { Access } from "../../src/core/access/access.js";
import { describeAccess } from "../../src/engine/schema/describe-access.js";

it("ends the description of each operation with who may run it", () => {
  const { schema, operations } = sharedSchema();
  const fields = { ...schema.getQueryType()?.getFields(), ...schema.getMutationType()?.getFields() };

  const subscriptions = Object.values(schema.getSubscriptionType()?.getFields() ?? {});

  for (const { name, description } of subscriptions)
    expect(description?.endsWith(` ${describeAccess(operations.get(name)?.access as Access)}`)).toBe(true);
  expect(Object.keys(fields).toSorted()).toEqual([...operations.keys()].toSorted());
  for (const [name, { access }] of operations)
    expect([name, fields[name]?.description?.endsWith(`. ${describeAccess(access)}`)]).toEqual([name, true]);
});

it.each([
  ["Open to anyone.", { kind: "open", ignoresToken: true }],
  ["For anyone with a token, but for no key.", { kind: "signedIn", ignoresKey: false, forPeople: true }],
  [
    "Needs the permission `can_edit_admins`; for no key.",
    { kind: "permission", permission: "can_edit_admins", forPeople: true },
  ],
  [
    "Needs the permission `access_admins`; the admin itself needs none.",
    { kind: "permission", permission: "access_admins", orAdmin: "adminId" },
  ],
] as const)("says: %s", (words, access) => {
  expect(describeAccess(access)).toBe(words);
});

it("says where a subscription begins, which is another place than that of its query", () => {
  const { schema } = sharedSchema();
  const described = (type: GraphQLObjectType | null | undefined): string =>
    type?.getFields()["changes"]?.args.find(({ name }) => name === "after")?.description ?? "";

  expect(described(schema.getQueryType())).toMatch(/oldest change that is kept when absent/u);
  expect(described(schema.getSubscriptionType())).toMatch(/now when absent/u);
});
