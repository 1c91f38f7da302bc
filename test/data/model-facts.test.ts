import { modelFacts } from "../../src/tools/model-facts.mjs";

const CLIENT = `/// @unaudited
/// @principal client
model Client {
  companyId Int @map("company_id")
  id        Int

  @@id([companyId, id])
  @@map("clients")
}

`;
const MODEL = `
model CouponCode {
  companyId Int    @map("company_id")
  couponId  Int    @map("coupon_id")
  seedHash  Bytes? @map("seed_hash")
  clientId  Int    @map("client_id")
  code      String
  config    Json?

  client Client @relation(fields: [companyId, clientId], references: [companyId, id])

  @@id([companyId, couponId])
  @@map("coupon_codes")
}
`;

it("reads the table, the key and the marks of a model", () => {
  expect(
    factsOf(
      "/// A code.\n/// @audited hides=seedHash,code updates=code omits=clientId shows=seedHash:seed,config: follows=config.limit inBatches",
    ),
  ).toEqual({
    table: "coupon_codes",
    key: ["company_id", "coupon_id"],
    fields: ["companyId", "couponId", "seedHash", "clientId", "code", "config"],
    columns: [
      ["company_id", "Int"],
      ["coupon_id", "Int"],
      ["seed_hash", "Bytes"],
      ["client_id", "Int"],
      ["code", "String"],
      ["config", "Json"],
    ],
    related: { client: "Client" },
    json: ["config"],
    isTenant: true,
    isSoftDeleted: false,
    isCounted: false,
    indexed: ["couponId"],
    links: ["clientId"],
    owner: null,
    made: [],
    wholes: [],
    binds: null,
    placedBy: null,
    reach: null,
    principal: null,
    isGrant: false,
    bytes: ["seed_hash"],
    relations: [
      {
        model: "Client",
        table: "clients",
        fields: ["clientId"],
        columns: ["client_id"],
        references: ["id"],
        isRequired: true,
      },
    ],
    about: null,
    personal: [],
    goesWithPerson: false,
    audit: {
      hides: ["seed_hash", "code"],
      updates: ["code"],
      omits: ["client_id"],
      shows: { seed_hash: "seed", config: "" },
      follows: ["config.limit"],
      inBatches: true,
    },
  });
  expect(
    factsOf(
      "/// @unaudited\n/// @counted\n/// @private clientId\n/// @placedBy clientId\n/// @principal admin\n/// @grants",
    ),
  ).toMatchObject({
    placedBy: "clientId",
    isCounted: true,
    owner: { field: "clientId", column: "client_id", table: "clients" },
    principal: "admin",
    isGrant: true,
    audit: null,
  });
});

it("reads which fields the trail skips: changes of all others count", () => {
  expect(factsOf("/// A code.\n/// @audited skips=seedHash,config")).toMatchObject({
    audit: { hides: [], updates: ["company_id", "coupon_id", "client_id", "code"], inBatches: false },
  });
});

it("reads from the columns whether rows belong to a company and whether deleted ones are kept", () => {
  const isGlobal = MODEL.replace(/^ {2}(?:companyId|client) .*\n/gmu, "").replace(
    "[companyId, couponId]",
    "[couponId]",
  );
  const isKept = MODEL.replace("seedHash ", "deletedAt");

  expect(factsOf("/// @unaudited", isGlobal)).toMatchObject({ isTenant: false, isSoftDeleted: false });
  expect(factsOf("/// @unaudited", isKept)).toMatchObject({ isTenant: true, isSoftDeleted: true });
  expect(() => factsOf("/// @unaudited\n/// @counted", isGlobal)).toThrow(
    new Error("CouponCode has the mark @counted, but no companyId."),
  );
});

it.each([
  ["/// A code.", "CouponCode needs one of the marks @audited and @unaudited."],
  ["/// @audited\n/// @unaudited", "CouponCode needs one of the marks @audited and @unaudited."],
  ["/// @audited hides=hash", "CouponCode has no field hash, which @audited names."],
  ["/// @audited skips=hash", "CouponCode has no field hash, which @audited names."],
  ["/// @audited hides", "CouponCode: @audited cannot say hides."],
  ["/// @unaudited hides=code", "CouponCode: @unaudited cannot say hides=code."],
  ["/// @audited\n/// @audited", "CouponCode has the mark @audited twice."],
  ["/// @unaudited\n/// @count", "CouponCode: there is no mark @count."],
  ["/// @unaudited\n/// @counted soft", "CouponCode: @counted cannot say soft."],
  ["/// @unaudited\n/// @private", "CouponCode: @private names one field."],
  ["/// @unaudited\n/// @binds shops", "CouponCode: @binds is one of branchGroupIds and branchIds."],
  [
    "/// @unaudited\n/// @placedBy couponId",
    "CouponCode: @placedBy names one field, by which every row has a relation within the company.",
  ],
  [
    "/// @unaudited\n/// @reach own kind",
    "CouponCode: @reach is one of all, none, seen kind=id and own kind=id.",
  ],
  [
    "/// @unaudited\n/// @reach some",
    "CouponCode: @reach is one of all, none, seen kind=id and own kind=id.",
  ],
  ["/// @unaudited\n/// @private client_id", "CouponCode has no field client_id, which @private names."],
  [
    "/// @unaudited\n/// @private couponId",
    "CouponCode: couponId, which @private names, is no relation within the company.",
  ],
  ["/// @unaudited\n/// @personal clientId", "CouponCode: clientId, which is @personal, cannot be emptied."],
  ["/// @unaudited\n/// @personal code,hash", "CouponCode has no field hash, which @personal names."],
  [
    "/// @unaudited\n/// @personal code kept",
    "CouponCode: @personal names fields, such as name,email, and may say removed.",
  ],
  ["/// @unaudited\n/// @about code", "CouponCode: @about says one pair of fields, kind=id."],
  ["/// @unaudited\n/// @principal platform", "CouponCode: @principal is one of admin and client."],
  ["/// @unaudited\n/// @principal client", "Client and CouponCode both have the mark @principal client."],
])("refuses %j", (comment, message) => {
  expect(() => factsOf(comment)).toThrow(new Error(message));
});

it("refuses a mark within a model, and rows that are private to what is no caller", () => {
  const inside = MODEL.replace("  clientId", "  /// @private\n  clientId");
  const notCallers = CLIENT.replace("/// @principal client\n", "");

  expect(() => factsOf("/// @unaudited", inside)).toThrow(
    new Error("CouponCode: @private stands within the model, not above it."),
  );
  expect(() => factsOf("/// @unaudited\n/// @private clientId", MODEL, notCallers)).toThrow(
    new Error("CouponCode: @private names Client, which is no @principal."),
  );
});

it("reads of which rows a row is a part, and what they call it", () => {
  const whole = CLIENT.replace(/^\}/mu, "  version Int\n}");

  expect(factsOf("/// @unaudited\n/// @partOf client=codes", MODEL, whole)).toMatchObject({
    wholes: [
      { model: "Client", table: "clients", name: "clientId", column: "client_id", field: "codes", by: null },
    ],
  });
  expect(factsOf("/// @unaudited\n/// @partOf client=codes by seedHash", MODEL, whole)).toMatchObject({
    wholes: [{ model: "Client", field: "codes", by: "seed_hash" }],
  });
  expect(() => factsOf("/// @unaudited\n/// @partOf client=codes by", MODEL, whole)).toThrow(
    "CouponCode: @partOf names one field behind by.",
  );
  expect(() => factsOf("/// @unaudited\n/// @partOf client=codes")).toThrow(
    "CouponCode: @partOf names Client, which has no version.",
  );
  expect(() => factsOf("/// @unaudited\n/// @partOf coupon=codes")).toThrow(
    "CouponCode: coupon=codes, which @partOf says, is no relation with a name for its parts.",
  );
});

it("reads what is personal, whether the row goes with the person, and whom it is about", () => {
  expect(factsOf("/// @unaudited\n/// @personal code,config\n/// @about code=clientId")).toMatchObject({
    personal: [
      { column: "code", empty: "''" },
      { column: "config", empty: "NULL" },
    ],
    goesWithPerson: false,
    about: { kind: "code", id: "client_id" },
  });
  expect(factsOf("/// @unaudited\n/// @personal clientId removed")).toMatchObject({
    personal: [{ column: "client_id", empty: null }],
    goesWithPerson: true,
  });
  expect(factsOf("/// @unaudited\n/// @private clientId")).toMatchObject({ goesWithPerson: true });
});

function factsOf(comment: string, model = MODEL, client = CLIENT): unknown {
  const text = modelFacts([client + comment + model]);
  const facts = JSON.parse(/ = (\{[^]*\});\n$/u.exec(text)?.[1] ?? "") as Record<string, unknown>;
  return facts["CouponCode"];
}
