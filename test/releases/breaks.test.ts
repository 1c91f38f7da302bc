import { readFileSync } from "node:fs";
import { judgeBreaks, type Break } from "./breaks.js";
import { graphqlBreaks } from "./graphql-breaks.js";
import { openapiBreaks } from "./openapi-breaks.js";

const SCHEMA = new URL("../../schema/", import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, SCHEMA), "utf8");

describe("breaks of the GraphQL reference", () => {
  const before = `
    type Query { coupon(id: Int!, code: String): Coupon }
    type Coupon { id: Int!, name: String!, type: Type! }
    enum Type { promo batch }`;

  it("are what clients can do no longer", async () => {
    const after = `
      type Query { coupon(id: Int!, companyId: Int!): Coupon }
      type Coupon { id: Int!, name: String, type: Type! }
      enum Type { promo }`;

    expect((await graphqlBreaks(before, after)).map(({ at }) => at).sort()).toEqual([
      "GraphQL Coupon.name",
      "GraphQL Query.coupon.code",
      "GraphQL Query.coupon.companyId",
      "GraphQL Type.batch",
    ]);
  });

  it("are not what is new", async () => {
    const after = `
      type Query { coupon(id: Int!, code: String, at: String): Coupon  coupons: [Coupon!] }
      type Coupon { id: Int!, name: String!, type: Type!, codes: [String!] }
      enum Type { promo batch gift_card }`;

    expect(await graphqlBreaks(before, after)).toEqual([]);
  });

  it("are none for an input type that documents may call by its earlier name", async () => {
    const schemaOf = (name: string) => `
      type Query { coupon(input: ${name}!): Int }
      """Documents may call it \`CouponInput\`, since 2026-12-01 until 2027-06-01."""
      input ${name} { code: String }`;
    const plain = schemaOf("CreateCouponInput").replace("Documents may call it", "Not any more");

    expect(await graphqlBreaks(schemaOf("CouponInput"), schemaOf("CreateCouponInput"))).toEqual([]);
    expect((await graphqlBreaks(schemaOf("CouponInput"), plain)).map(({ at }) => at)).toEqual([
      "GraphQL CouponInput",
      "GraphQL Query.coupon.input",
    ]);
  });
});

type Parts = Record<string, any>;

describe("breaks of the REST reference", () => {
  const released = read("released/openapi.json");
  const coupon = "/companies/{companyId}/coupons/{couponId}";
  const input = "CouponInput";

  it.each<[string, (document: Parts) => void, string[]]>([
    [
      "an operation that is gone",
      ({ paths }) => delete paths[coupon].delete,
      [`REST DELETE ${coupon}: the operation is gone`],
    ],
    [
      "a parameter that is gone",
      ({ paths }) => {
        const { parameters } = paths[coupon].get;
        parameters.splice(
          parameters.findIndex(({ name }: Parts) => name === "fields"),
          1,
        );
      },
      [`REST GET ${coupon}: the query parameter fields is gone`],
    ],
    [
      "a parameter that is required",
      ({ paths }) =>
        paths[coupon].get.parameters.push({
          name: "at",
          in: "query",
          required: true,
          schema: { type: "string" },
        }),
      [`REST GET ${coupon}: the query parameter at is required`],
    ],
    [
      "a name that cannot be loaded any more",
      ({ paths }) => {
        const load = paths[coupon].get.parameters.find(({ name }: Parts) => name === "load");
        load.schema.items.pattern = load.schema.items.pattern.replace("company_event|", "");
      },
      [`REST GET ${coupon} query parameter load.items: company_event is gone from the pattern`],
    ],
    [
      "a caller who is refused",
      ({ paths }) => (paths[coupon].get["x-callers"] = ["platform"]),
      [`REST GET ${coupon}: callers of the kind admin are refused`],
    ],
    [
      "another permission",
      ({ paths }) => (paths[coupon].get["x-permission"] = "can_edit_coupons"),
      [`REST GET ${coupon}: it needs the permission can_edit_coupons`],
    ],
    [
      "an answer of another status",
      ({ paths }) => {
        paths[coupon].patch.responses[202] = paths[coupon].patch.responses[200];
        delete paths[coupon].patch.responses[200];
      },
      [`REST PATCH ${coupon}: the answer 200 is gone`],
    ],
    [
      "a header that is gone",
      ({ paths }) => delete paths[coupon].get.responses[200].headers.ETag,
      [`REST GET ${coupon}: the header ETag is gone`],
    ],
    [
      "a key of an answer that is gone",
      ({ components }) => delete components.schemas.CouponView.properties.name,
      ["REST CouponView.name: the key is gone"],
    ],
    [
      "a key of an answer that may be null",
      ({ components }) => (components.schemas.CouponView.properties.id.type = ["integer", "null"]),
      ["REST CouponView.id: null may be answered"],
    ],
    [
      "a key of an input that is gone",
      ({ components }) => delete components.schemas[input].properties.price_prc,
      [`REST ${input}.price_prc: the key is gone`],
    ],
    [
      "a key of an input that is required",
      ({ components }) => components.schemas[input].required.push("price_prc"),
      [`REST ${input}.price_prc: the key is required`],
    ],
    [
      "a tighter bound of an input",
      ({ components }) => (components.schemas[input].properties.name.maxLength = 3),
      [`REST ${input}.name: maxLength is 3`],
    ],
    [
      "a value that is no longer taken",
      ({ components }) => components.schemas[input].properties.type.enum.shift(),
      [
        `REST ${input}.type: ${JSON.parse(released).components.schemas[input].properties.type.enum[0]} is no longer taken`,
      ],
    ],
  ])("are found: %s", (_, change, expected) => {
    expect(breaksAfter(change)).toEqual(expected);
  });

  it("are not what is new", () => {
    const breaks = breaksAfter(({ paths, components }) => {
      paths["/new"] = paths[coupon];
      paths[coupon].get.parameters.push({ name: "at", in: "query", schema: { type: "string" } });
      paths[coupon].get["x-callers"].push("client");
      components.schemas.CouponView.properties.more = { type: "string" };
      components.schemas[input].properties.more = { type: "string" };
      components.schemas[input].properties.name.maxLength += 1;
      components.schemas[input].properties.type.enum.push("more");
    });

    expect(breaks).toEqual([]);
  });

  function breaksAfter(change: (document: Parts) => void): string[] {
    const document = JSON.parse(released) as Parts;
    change(document);
    return openapiBreaks(JSON.parse(released) as Parts, document).map(({ at, what }) => `${at}: ${what}`);
  }
});

describe("a changelog", () => {
  const found: Break = { at: "REST CouponView.name", what: "the key is gone" };
  const log = (notes: string) =>
    `# Changes\n\n## Unreleased\n\n${notes}\n## 1.0.0\n\n### Breaks\n\n- \`REST Old\`: x\n`;

  it.each([
    ["- `REST CouponView.name`: it says nothing.", []],
    ["- `REST CouponView`: it is gone.", []],
    ["- `REST CouponView.name`:", ["REST CouponView.name"]],
    ["- `REST CouponView.nam`: it says nothing.", ["REST CouponView.name"]],
    ["- REST CouponView.name: it says nothing.", ["REST CouponView.name"]],
  ])("notes a break by %j", (note, unnoted) => {
    expect(judgeBreaks([found], log(`### Breaks\n\n${note}\n`)).unnoted.map(({ at }) => at)).toEqual(unnoted);
  });

  it("notes no break under another heading or another release", () => {
    const note = "- `REST CouponView.name`: it says nothing.\n";

    expect(judgeBreaks([found], log(`### New\n\n${note}`)).unnoted).toEqual([found]);
    expect(judgeBreaks([found], `${log("")}${note}`).unnoted).toEqual([found]);
    expect(judgeBreaks([{ ...found, at: "REST Old" }], log("")).unnoted).toHaveLength(1);
    expect(() => judgeBreaks([found], "# Changes\n")).toThrow("no heading ## Unreleased");
  });

  it("notes no break that is none", () => {
    expect(judgeBreaks([found], log("### Breaks\n\n- `REST Other`: gone.\n")).idle).toEqual(["REST Other"]);
  });

  it("has the version of both references", () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };

    expect(read("CHANGELOG.md")).toMatch(new RegExp(`^## ${version.replaceAll(".", "\\.")}$`, "mu"));
    expect((JSON.parse(read("openapi.json")) as Parts).info.version).toBe(version);
    expect(read("schema.graphql")).toContain(`"""Version ${version} of the public contract."""`);
  });
});
