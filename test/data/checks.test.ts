import pg from "pg";
import { createTestDatabase } from "../support/database.js";
import { violationOf } from "../support/violations.js";

type Row = Record<string, unknown>;

/** A row of each table that fulfils its checks; foreign keys are left out where they may be null. */
const VALID: Record<string, Row> = {
  companies: {
    name: "Acme",
    email: "info@acme.test",
    domain: "acme.test",
    expires_at: "2030-01-01",
    folder_name: "acme",
    strings_json: "{}",
    styles_json: "{}",
    default_iso_lang: "en",
    country_iso: "US",
  },
  admins: { name: "Ann", email: "ann@acme.test", phone: "555123456" },
  admin_types: { name: "Support", default_key: "support" },
  branches: { name: "Centre" },
  cities: { name: "Springfield" },
  categories: { name: "Drinks" },
  goods: { name: "Water", short_details: "Still", details: "", price_e2: 100, type: 0 },
  orders: { currency_iso: "USD" },
  properties: { name: "Size" },
};

/** Tables whose rows need a parent: the parent's table and the column that names it. */
const CHILDREN: Record<string, { parent: string; key: string; row: Row }> = {
  admin_type_roles: { parent: "admin_types", key: "admin_type_id", row: { role: "can_edit_goods" } },
  property_options: { parent: "properties", key: "property_id", row: { name: "Large" } },
  property_texts: { parent: "properties", key: "property_id", row: { regex: "^a$" } },
  property_ranges: {
    parent: "properties",
    key: "property_id",
    row: { min: 1, max: 9, decimates: 0, step: 1, default_value: 5, base_price_e2: 0, step_price_e2: 0 },
  },
};

describe("checks in the database", () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  let client: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
  });

  beforeEach(() => client.query("BEGIN"));
  afterEach(() => client.query("ROLLBACK"));

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it.each([...Object.keys(VALID), ...Object.keys(CHILDREN)])("accept a plain row of %s", async (table) => {
    await expect(insert(table)).resolves.toBeDefined();
  });

  it.each<[string, Row]>([
    ["companies_name_check", { name: "x".repeat(65) }],
    ["companies_domain_check", { domain: "x".repeat(33) }],
    ["companies_options_check", { options: -1 }],
    ["companies_default_iso_lang_check", { default_iso_lang: "eng" }],
    ["companies_country_iso_check", { country_iso: "USA" }],
    ["companies_time_zone_offset_check", { time_zone_offset: "+24:00" }],
    ["companies_custom_domain_pair_check", { custom_domain: "https://shop.test" }],
    [
      "companies_custom_domain_host_check",
      { custom_domain: "https://Shop.test", custom_domain_host: "Shop.test" },
    ],
    ["admins_name_check", { name: "x".repeat(65) }],
    ["admins_settings_check", { settings: "[]" }],
    ["admin_types_default_key_check", { default_key: "x".repeat(33) }],
    ["admin_types_content_check", { content: "{}" }],
    ["admin_type_roles_role_check", { role: "can_" }],
    ["branches_time_zone_offset_check", { time_zone_offset: "01:00" }],
    ["branches_longitude_e6_check", { longitude_e6: 180_000_001 }],
    ["cities_latitude_e6_check", { latitude_e6: -90_000_001 }],
    ["categories_in_order_check", { in_order: -1 }],
    ["orders_status_check", { status: "lost" }],
    ["orders_total_e2_check", { total_e2: -1 }],
    ["orders_total_e2_check", { total_e2: 2 ** 53 }],
    ["orders_sum_check", { subtotal_e2: 2 ** 53 - 1, delivery_e2: 1 }],
    ["orders_sum_check", { delivery_e2: 2 ** 53 }],
    ["goods_name_check", { name: "x".repeat(81) }],
    ["goods_short_details_check", { short_details: "x".repeat(65) }],
    ["goods_price_e2_check", { price_e2: -1 }],
    ["goods_provider_fee_prc_check", { provider_fee_prc: 1.0001 }],
    ["goods_limit_type_check", { limit_type: "per_hours:0" }],
    ["goods_sku_check", { sku: "x".repeat(17) }],
    ["goods_lists_check", { keywords: null }],
    ["properties_name_check", { name: "x".repeat(65) }],
    ["property_options_name_check", { name: "x".repeat(65) }],
    ["property_options_price_e2_check", { price_e2: -1 }],
    ["property_texts_regex_check", { regex: "x".repeat(256) }],
    ["property_ranges_max_check", { min: 5, max: 5 }],
    ["property_ranges_default_value_check", { default_value: 10 }],
    ["property_ranges_decimates_check", { decimates: 4 }],
    ["property_ranges_step_check", { step: 0 }],
  ])("refuse by %s", async (constraint, values) => {
    const table = [...Object.keys(VALID), ...Object.keys(CHILDREN)]
      .filter((name) => constraint.startsWith(`${name}_`))
      .reduce((longest, name) => (name.length > longest.length ? name : longest));

    expect(await violationOf(insert(table, values))).toEqual({ code: "23514", constraint });
  });

  it("count characters, not bytes", async () => {
    await expect(insert("goods", { name: "é".repeat(80) })).resolves.toBeDefined();
  });

  it("know a domain in any case, until its company is deleted", async () => {
    await insert("companies", { deleted_at: "2026-01-01" });
    await insert("companies");

    expect(await violationOf(insert("companies", { domain: "ACME.test" }))).toEqual({
      code: "23505",
      constraint: "companies_domain_key",
    });
  });

  it("know an admin's e-mail in any case, within one company", async () => {
    const [acme, globex] = [await insert("companies"), await insert("companies", { domain: "globex.test" })];
    await insert("admins", { company_id: globex });
    await insert("admins", { company_id: acme });

    expect(await violationOf(insert("admins", { company_id: acme, email: "ANN@acme.test" }))).toEqual({
      code: "23505",
      constraint: "admins_company_id_email_key",
    });
  });

  it("allow a client one main admin", async () => {
    const company = await insert("companies");
    const [ann, bob] = [
      await insert("admins", { company_id: company }),
      await insert("admins", { company_id: company, email: "bob@acme.test" }),
    ];
    const customer = await insertRow("clients", { company_id: company, name: "Cleo" });
    await insertRow("client_admins", {
      company_id: company,
      client_id: customer,
      admin_id: ann,
      is_main: true,
    });

    expect(
      await violationOf(
        insertRow("client_admins", {
          company_id: company,
          client_id: customer,
          admin_id: bob,
          is_main: true,
        }),
      ),
    ).toEqual({ code: "23505", constraint: "client_admins_company_id_client_id_main_key" });
  });

  /** Inserts a valid row with other values, together with the company and the parent that it needs. */
  async function insert(table: string, values: Row = {}): Promise<unknown> {
    if (table === "companies") return insertRow(table, { ...VALID.companies, ...values });
    const company_id =
      values.company_id ?? (await insert("companies", { domain: `for-${table}`.replaceAll("_", "-") }));
    const child = CHILDREN[table];
    if (!child) return insertRow(table, { company_id, ...VALID[table], ...values });
    const parent = await insert(child.parent, { company_id });
    return insertRow(table, { company_id, [child.key]: parent, ...child.row, ...values });
  }

  async function insertRow(table: string, row: Row): Promise<unknown> {
    const names = Object.keys(row);
    const { rows } = await client.query<Row>(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, i) => `$${i + 1}`).join(", ")}) RETURNING *`,
      Object.values(row),
    );
    return rows[0]!.id ?? rows[0]!.company_id;
  }
});
