import { getNamedType, isEnumType, isObjectType } from "graphql";
import pg from "pg";
import { allPermissions } from "../../src/core/access/permissions.js";
import {
  delegateName,
  ownerField,
  TENANT_MODELS,
  type ModelName,
} from "../../src/core/scope/tenant-models.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { isOfShops } from "../../src/engine/tenancy/bound-rows.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import {
  createBranch,
  createBranchGroup,
  createCompany,
  createGood,
  type TestCompany,
} from "../support/factories.js";
import { nodesOf } from "../support/database.js";
import { fillCompany } from "../support/fill-company.js";
import { dataOf, errorCodes, type Client, type Gateway, startGateway } from "../support/gateway.js";
import {
  documentOf,
  fieldOf,
  requiredArguments,
  selectionOf,
  type Arguments,
} from "../support/operations.js";
import { sharedRestDocuments, sharedSchema } from "../support/schema.js";
import { isAsked, itOfAll } from "../support/slice.js";
import { boundAdmin } from "./two-shops.js";

/** Stands in the texts of all rows of shops that the admin does not reach. */
const MARK = "BEYOND";
const TEXTS = [
  "name",
  "display_name",
  "short_details",
  "details",
  "address",
  "notes",
  "description",
  "internal_name",
  "hint",
];

const finished = sharedSchema();
const operations = [...finished.operations.values()].filter((one) => isAsked(one) && one.hasCompany);
const named = operations.map((operation) => [operation.name, operation] as const);

let gateway: Gateway;
let company: TestCompany;
let bound: Client;
/** What the owner is shown of marked rows, so that it is known which answers could show them. */
let shownToOwner = 0;
let rowsBefore: ReadonlySet<string> | undefined;
/** Reads past every check of tenancy. */
let reader: pg.Client;

beforeAll(async () => {
  gateway = await startGateway();
  reader = new pg.Client({ connectionString: gateway.ownerUrl });
  await reader.connect();
  // Workers of a distributed database have no plan for all companies.
  if (nodesOf(gateway.url).length === 1) await reader.query("SET plan_cache_mode = force_generic_plan");
  company = await createCompany(gateway, { settings: { isMarketplace: true } });
  await fillCompany(gateway.db, company.id, 2);
  await markRowsOfShops();
  const { id } = await createBranchGroup(gateway, company.id);
  await createBranch(gateway, company.id, { branchGroupId: id });
  await createGood(gateway, company.id, { branchGroupId: id });
  bound = await boundAdmin(gateway, company.id, { branchGroupIds: [id] }, ...allPermissions());
});
afterAll(async () => {
  await reader.end();
  await gateway.close();
});

/** Marks the rows of shops, column by column: checks refuse some. */
async function markRowsOfShops(): Promise<void> {
  for (const model of TENANT_MODELS.filter(isOfShops)) {
    const { table, relations, fields } = MODEL_FACTS[model];
    const ofShop = relations
      .filter((relation) => isOfShops(relation.model))
      .map(({ columns: [column] }) => `${column} IS NOT NULL`);
    const where = ofShop.length === 0 ? "true" : ofShop.join(" OR ");
    const id = fields.includes("id") ? "id" : "0";
    for (const column of TEXTS)
      await reader
        .query(`UPDATE ${table} SET ${column} = '${MARK} ' || ${id} WHERE company_id = $1 AND (${where})`, [
          company.id,
        ])
        .catch(() => undefined);
  }
}

async function argumentsOf(operation: Operation): Promise<Arguments> {
  const ids = await Promise.all(
    operation.idArguments.map(async ({ argument, model }) => [argument, await filledId(model)] as const),
  );
  const required = requiredArguments(fieldOf(finished, operation), { filled: true });
  return { ...required, companyId: company.id, ...Object.fromEntries(ids) };
}

/** The first row that was filled in, of a shop where the model's rows may be. */
async function filledId(model: ModelName): Promise<number> {
  const delegate = gateway.db[delegateName(model) as "good"];
  const places = MODEL_FACTS[model].relations.filter(
    (relation) => MODEL_FACTS[relation.model].binds !== null && !relation.isRequired,
  );
  const owner = ownerField(model) === null ? {} : { clientId: await filledId("Client") };
  const where = {
    companyId: company.id,
    ...owner,
    ...Object.fromEntries(places.map(({ fields: [name] }) => [name as string, { not: null }])),
  };
  return (await delegate.findFirstOrThrow({ where, select: { id: true }, orderBy: { id: "asc" } })).id;
}

async function ask(operation: Operation, by: Client) {
  const args = await argumentsOf(operation);
  const type = getNamedType(fieldOf(finished, operation).type);
  const depth = type.name.endsWith("Connection") ? 2 : 1;
  const selection = isObjectType(type) ? selectionOf(type, depth) : undefined;
  return by.run(documentOf(finished, operation, args, selection), args);
}

/** The models of resources and of what belongs to shops, but for rows that are private to clients. */
const KEPT = TENANT_MODELS.filter(
  (model) => ownerField(model) === null && (MODEL_FACTS[model].audit !== null || isOfShops(model)),
);

/** Reads all of the company's rows of those models, each as a text. To plan it takes longer than to run it, so it is prepared once. */
const ROWS_OF_COMPANY = {
  name: "rows-of-company",
  text: KEPT.map((model) => MODEL_FACTS[model].table)
    .map(
      (table) =>
        `SELECT '${table} ' || to_jsonb(t)::text AS row FROM ${table} t WHERE t.company_id = $1::int`,
    )
    .join(" UNION ALL "),
};

async function rowsOfCompany(): Promise<Set<string>> {
  const { rows } = await reader.query<{ row: string }>({ ...ROWS_OF_COMPANY, values: [company.id] });
  return new Set(rows.map(({ row }) => row));
}

const reads = named.filter(([, { kind }]) => kind === "query");
const changes = named.filter(([, { kind }]) => kind === "mutation");

it.each(reads)("%s shows nothing of another shop", async (_name, operation) => {
  const [shown, owners] = [await ask(operation, bound), await ask(operation, company.owner)];

  expect(JSON.stringify(shown)).not.toContain(MARK);
  expect(errorCodes(shown).filter((code) => code === "INTERNAL_SERVER_ERROR")).toEqual([]);
  if (operation.idArguments.some(({ model }) => isOfShops(model)))
    expect(["NOT_FOUND", "FORBIDDEN", "VALIDATION_FAILED"]).toContain(errorCodes(shown)[0]);
  if (JSON.stringify(owners).includes(MARK)) shownToOwner += 1;
  const list = shown.data?.[operation.name] as { totalCount?: number; nodes?: unknown[] } | null | undefined;
  if (typeof list?.totalCount === "number") expect(list.totalCount).toBe(list.nodes?.length);
});

const counts = named.filter(([, { kind, name }]) => kind === "query" && name.endsWith("Counts"));

/** The list of the rows that an operation counts by their values: both have the same filter. */
function listOf(counting: Operation): Operation {
  const filterOf = (operation: Operation): string =>
    String(fieldOf(finished, operation).args.find(({ name }) => name === "filter")?.type);
  const list = operations.find(
    (one) =>
      String(fieldOf(finished, one).type).includes("Connection") && filterOf(one) === filterOf(counting),
  );
  if (list === undefined) throw new Error(`${counting.name} counts rows of no list`);
  return list;
}

it.each(counts)("%s counts nothing of another shop", async (name, operation) => {
  const list = listOf(operation).name;
  const type = getNamedType(fieldOf(finished, operation).args.find(({ name: of }) => of === "by")?.type);
  const values = isEnumType(type) ? type.getValues().map(({ name: value }) => value) : [];
  const fields = values.map((by) => `${by}: ${name}(companyId: $c, by: ${by}) { value count }`).join("\n");
  const result = await bound.run(`query ($c: Int!) { ${list}(companyId: $c) { totalCount } ${fields} }`, {
    c: company.id,
  });

  const { [list]: whole, ...sums } = dataOf(result);
  expect(values.length).toBeGreaterThan(0);
  for (const rows of Object.values(sums) as { count: number }[][])
    expect(rows.reduce((sum, { count }) => sum + count, 0)).toBe(whole.totalCount);
});

const tables = sharedRestDocuments()
  .routes.filter(({ table, rest: { path } }) => table !== null && !/\{(?!companyId)/u.test(path))
  .map(({ rest: { path } }) => path);

it.each(tables)("%s as a file shows nothing of another shop", async (path) => {
  const url = `${path.replace("{companyId}", String(company.id))}?format=csv`;
  const { body } = await bound.rest("GET", url);

  expect(typeof body === "string" ? body : JSON.stringify(body)).not.toContain(MARK);
});

it.each(changes)("%s changes nothing of another shop", async (_name, operation) => {
  const before = (rowsBefore ??= await rowsOfCompany());
  const result = await ask(operation, bound);
  const after = (rowsBefore = await rowsOfCompany());

  expect(JSON.stringify(result)).not.toContain(MARK);
  expect(errorCodes(result).filter((code) => code === "INTERNAL_SERVER_ERROR")).toEqual([]);
  expect([...before].filter((row) => !after.has(row))).toEqual([]);
});

itOfAll("asked for what the owner is shown", () => {
  expect(shownToOwner).toBeGreaterThan(30);
});
