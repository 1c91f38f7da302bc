import { createCompany, createGood, type TestCompany } from "../support/factories.js";
import { type Gateway, type GraphqlResult, startGateway, wrongFields } from "../support/gateway.js";
import { GOOD_BODY, GOOD_INPUT, UNIT_CONFIG } from "./examples.js";

const CREATE = `mutation ($companyId: Int!, $input: CreateGoodInput!) { createGood(companyId: $companyId, input: $input) { id } }`;
const UPDATE = `mutation ($companyId: Int!, $id: Int!, $input: UpdateGoodInput!) { updateGood(companyId: $companyId, id: $id, input: $input) { id } }`;

const x = (length: number): string => "x".repeat(length);
const unit = (change: object): object => ({ unit_config: { ...UNIT_CONFIG, ...change } });

/** Values just inside the bounds. */
const ALLOWED: object[] = [
  { name: x(80) },
  { name: "é".repeat(80) },
  { short_details: x(64) },
  { details: `tab\tand\nline ${x(5000)}` },
  { price_e2: 0 },
  { price_e2: Number.MAX_SAFE_INTEGER },
  { type: 0 },
  { type: 2_147_483_647 },
  { eta: x(32) },
  { eta: null },
  { unit: x(16) },
  { weight: x(16) },
  { weight: null },
  { label: x(32) },
  { eta_config_id: null },
  { max_quantity: -1 },
  { keywords: [] },
  { barcodes: [x(32)] },
  { is_type_service: null },
  ...["per_order", "per_day", "per_week", "per_month", "per_hours:1", "per_hours:720"].map((limit_type) => ({
    limit_type,
  })),
  unit({ unit_name: "x" }),
  unit({ unit_name: x(16) }),
  unit({ fraction: 1 }),
  unit({ fraction: 1000 }),
  unit({ min_quantity: 1, step_quantity: 1, max_quantity: 1 }),
  unit({ display_mode: "fraction" }),
  unit({ weight_per_unit: null }),
];

/** Values just outside the bounds, each with its wrong field. */
const REFUSED: [object, string][] = [
  [{ name: "" }, "name:min_length"],
  [{ name: "   " }, "name:min_length"],
  [{ name: x(81) }, "name:max_length"],
  [{ name: "a\u0007b" }, "name:control_characters"],
  [{ name: null }, "name:type"],
  [{ name: 5 }, "name:type"],
  [{ short_details: x(65) }, "short_details:max_length"],
  [{ short_details: " " }, "short_details:min_length"],
  [{ details: "" }, "details:min_length"],
  [{ keywords: ["tea", ""] }, "keywords[1]:min_length"],
  [{ short_details: "two\nlines" }, "short_details:control_characters"],
  [{ details: "a\u0000b" }, "details:control_characters"],
  [{ price_e2: -1 }, "price_e2:min"],
  [{ price_e2: 1.5 }, "price_e2:type"],
  [{ price_e2: Number.MAX_SAFE_INTEGER + 1 }, "price_e2:max"],
  [{ type: -1 }, "type:min"],
  [{ type: 2_147_483_648 }, "type:max"],
  [{ type: 1.5 }, "type:type"],
  [{ eta: x(33) }, "eta:max_length"],
  [{ sku: x(17) }, "sku:max_length"],
  [{ notes_enabled: "yes" }, "notes_enabled:type"],
  [{ unit: x(17) }, "unit:max_length"],
  [{ weight: x(17) }, "weight:max_length"],
  [{ label: x(33) }, "label:max_length"],
  [{ eta_config_id: "a" }, "eta_config_id:type"],
  [{ max_quantity: 1.5 }, "max_quantity:type"],
  [{ keywords: ["hot", 1] }, "keywords[1]:type"],
  [{ barcodes: ["1", x(33)] }, "barcodes[1]:max_length"],
  [{ is_combo: "true" }, "is_combo:type"],
  ...["per_hours", "per_hours:0", "per_hours:-1", "per_hours:1.5", "per_year", ""].map(
    (limit_type): [object, string] => [{ limit_type }, "limit_type:pattern"],
  ),
  [{ unit_config: [] }, "unit_config:type"],
  [unit({ enabled: 1 }), "unit_config.enabled:type"],
  [unit({ unit_name: "" }), "unit_config.unit_name:min_length"],
  [unit({ unit_name: x(17) }), "unit_config.unit_name:max_length"],
  [unit({ fraction: 0 }), "unit_config.fraction:min"],
  [unit({ fraction: 1001 }), "unit_config.fraction:max"],
  [unit({ min_quantity: 0 }), "unit_config.min_quantity:min"],
  [unit({ step_quantity: 0 }), "unit_config.step_quantity:min"],
  [unit({ min_quantity: 10, max_quantity: 9 }), "unit_config.max_quantity:min"],
  [unit({ min_quantity: "10" }), "unit_config.min_quantity:type"],
  [unit({ display_mode: "roman" }), "unit_config.display_mode:enum"],
  [unit({ weight_per_unit: "1" }), "unit_config.weight_per_unit:type"],
  ...[
    "enabled",
    "unit_name",
    "fraction",
    "min_quantity",
    "step_quantity",
    "max_quantity",
    "display_mode",
  ].map((key): [object, string] => [unit({ [key]: undefined }), `unit_config.${key}:required`]),
];

/** Only a change may set these fields. */
const REFUSED_CHANGES: [object, string][] = [
  [{ provider_fee_e2: 1.5 }, "provider_fee_e2:type"],
  [{ provider_fee_e2: -1 }, "provider_fee_e2:min"],
  [{ provider_fee_prc: -0.0001 }, "provider_fee_prc:min"],
  [{ provider_fee_prc: 1.0001 }, "provider_fee_prc:max"],
  [{ provider_fee_prc: 0.00005 }, "provider_fee_prc:decimals"],
];

describe("bounds of a good", () => {
  let gateway: Gateway;
  let acme: TestCompany;
  let good: { id: number };

  beforeAll(async () => {
    gateway = await startGateway();
    acme = await createCompany(gateway);
    good = await createGood(gateway, acme.id);
  });

  afterAll(() => gateway.close());

  it.each(ALLOWED)("take %j", async (change) => {
    const body = { ...GOOD_BODY, ...change };

    const created = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, { body });
    const changed = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: change,
    });
    const sent = await acme.owner.run(CREATE, {
      companyId: acme.id,
      input: { ...GOOD_INPUT, ...inGraphql(change) },
    });

    expect([created.status, changed.status, sent.errors]).toEqual([201, 200, undefined]);
  });

  it("take a sku of 16 characters, which one good of a shop has", async () => {
    const created = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { ...GOOD_BODY, sku: x(16) },
    });
    const sku = `${x(15)}y`;
    const changed = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: { sku },
    });
    const sent = await acme.owner.run(CREATE, {
      companyId: acme.id,
      input: { ...GOOD_INPUT, sku: `${x(15)}z` },
    });

    expect([created.status, changed.status, sent.errors]).toEqual([201, 200, undefined]);
  });

  it.each(REFUSED)("refuse %j with %s, and write nothing", async (change, wrong) => {
    const before = await rows();

    const created = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { ...GOOD_BODY, ...change },
    });
    const changed = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: change,
    });
    const sent = await acme.owner.run(CREATE, {
      companyId: acme.id,
      input: { ...GOOD_INPUT, ...inGraphql(change) },
    });

    expect([created.status, wrongFields(created.body.errors)]).toEqual([422, [wrong]]);
    expect([changed.status, wrongFields(changed.body.errors)]).toEqual([422, [wrong]]);
    expect(refusal(sent)).toEqual(["VALIDATION_FAILED", [namedInGraphql(wrong)]]);
    expect(await rows()).toEqual(before);
  });

  it.each(REFUSED_CHANGES)("refuse the change %j with %s", async (change, wrong) => {
    const before = await rows();

    const changed = await acme.owner.rest("PATCH", `/companies/${acme.id}/goods/${good.id}`, {
      body: change,
    });
    const sent = await acme.owner.run(UPDATE, { companyId: acme.id, id: good.id, input: inGraphql(change) });

    expect([changed.status, wrongFields(changed.body.errors)]).toEqual([422, [wrong]]);
    expect(refusal(sent)).toEqual(["VALIDATION_FAILED", [namedInGraphql(wrong)]]);
    expect(await rows()).toEqual(before);
  });

  it("name every missing and every wrong field at once", async () => {
    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { price_e2: -1, type: null, barcodes: [x(33), "1", x(40)] },
    });

    expect(wrongFields(body.errors)).toEqual([
      "barcodes[0]:max_length",
      "barcodes[2]:max_length",
      "details:required",
      "name:required",
      "price_e2:min",
      "short_details:required",
      "type:type",
    ]);
  });

  it("are those of the trimmed and composed text", async () => {
    const { body } = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body: { ...GOOD_BODY, name: `  ${"e\u0301".repeat(80)}  `, keywords: [" hot "] },
    });

    expect([body.name, body.keywords]).toEqual(["é".repeat(80), ["hot"]]);
  });

  it("leave unknown keys alone, and refuse them when asked to be strict", async () => {
    const body = { ...GOOD_BODY, rating_e2: 500, colour: "red" };

    const lenient = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, { body });
    const strict = await acme.owner.rest("POST", `/companies/${acme.id}/goods`, {
      body,
      headers: { prefer: "handling=strict" },
    });

    expect([lenient.status, lenient.body.rating_e2]).toEqual([201, 0]);
    expect([strict.status, wrongFields(strict.body.errors)]).toEqual([
      422,
      ["colour:unknown", "rating_e2:unknown"],
    ]);
  });

  function rows(): Promise<unknown[]> {
    return gateway.db.good.findMany({ where: { companyId: acme.id }, orderBy: [{ id: "asc" }] });
  }
});

function refusal({ errors }: GraphqlResult): [unknown, string[]] {
  const extensions = errors?.[0]?.extensions;
  return [extensions?.["code"], wrongFields(extensions?.["errors"])];
}

/** Gives keys their GraphQL names: `{ unit_config: { unit_name } }` → `{ unitConfig: { unitName } }`. */
function inGraphql<T>(value: T): T {
  if (Array.isArray(value)) return value.map(inGraphql) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [camelCase(key), inGraphql(item as unknown)]),
  ) as T;
}

function namedInGraphql(wrong: string): string {
  const [field = "", rule] = wrong.split(":");
  return `${camelCase(field)}:${rule}`;
}

function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase());
}
