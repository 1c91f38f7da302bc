import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isObjectType,
  type GraphQLInputObjectType,
} from "graphql";
import pg from "pg";
import { allPermissions } from "../../src/core/access/permissions.js";
import { TENANT_MODELS, type ModelName } from "../../src/core/scope/tenant-models.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { reachedIn } from "../../src/engine/tenancy/bound-statement.js";
import { isOfShops } from "../../src/engine/tenancy/bound-rows.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { createCompany, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { type Client, type Gateway, startGateway } from "../support/gateway.js";
import { journalShowsAll } from "../support/journal.js";
import {
  bodyIds,
  documentOf,
  fieldOf,
  requiredArguments,
  selectionOf,
  type Arguments,
} from "../support/operations.js";
import { sharedSchema } from "../support/schema.js";
import { isAsked } from "../support/slice.js";
import { boundAdmin } from "./two-shops.js";

/** Ids of rows of a model: of one that the admin reaches, and of one that it does not. */
interface Place {
  readonly own: number | undefined;
  readonly beyond: number | undefined;
}

const finished = sharedSchema();
const operations = [...finished.operations.values()].filter((one) => isAsked(one) && one.hasCompany);

let gateway: Gateway;
let company: TestCompany;
let bound: Client;
/** Reads and writes past every check of tenancy. */
let all: pg.Client;
/** The shop to which the admin is bound. */
let shopId: number;
let ids: ReadonlyMap<ModelName, Place>;

/** What tells the time, and what tells how much the company has of all. */
const OTHERS: ReadonlySet<string> = new Set(["dayTime", "companyUsage"]);
/** Some three thousand calls, on a machine that does other things besides. */
const TIMEOUT_MS = 180_000;
const NOBODY = 2_000_000_000;
const MARK = "beyond";

beforeAll(async () => {
  gateway = await startGateway({ environment: { RATE_LIMIT: "0" } });
  all = new pg.Client({ connectionString: gateway.ownerUrl });
  await all.connect();
  company = await createCompany(gateway, { settings: { isMarketplace: true } });
  await fillCompany(gateway.db, company.id, 3);
  const { id } = await gateway.db.branchGroup.findFirstOrThrow({
    where: { companyId: company.id },
    orderBy: { id: "asc" },
  });
  bound = await boundAdmin(gateway, company.id, { branchGroupIds: [id] }, ...allPermissions());
  shopId = id;
  const found = new Map<ModelName, Place>();
  for (const model of TENANT_MODELS) found.set(model, await rowsOf(model));
  ids = found;
  // What a transaction of another test holds back would be read later, and change answers.
  await journalShowsAll(gateway);
});
afterAll(async () => {
  await all.end();
  await gateway.close();
});

/** The condition that the admin reaches a row of the table `t`, with its values from `$1` on. */
function reached(model: ModelName): { text: string; values: unknown[] } {
  const values = { company: company.id, shops: [shopId], branches: [], read: [shopId], self: null };
  try {
    const { text, values: bindings } = reachedIn(model, '"t"', values);
    return { text: `coalesce(${text}, false)`, values: [...bindings] };
  } catch {
    return { text: "false", values: [] };
  }
}

async function rowsOf(model: ModelName): Promise<Place> {
  const { table, fields } = MODEL_FACTS[model];
  if (!fields.includes("id")) return { own: undefined, beyond: undefined };
  const { text, values } = reached(model);
  const first = async (condition: string): Promise<number | undefined> => {
    const query = `SELECT t.id::float8 AS id FROM ${table} t WHERE t.company_id = ${company.id} AND ${condition} ORDER BY t.id LIMIT 1`;
    return (await all.query<{ id: number }>(query, values)).rows[0]?.id;
  };
  return { own: await first(text), beyond: await first(`NOT ${text}`) };
}

/** Columns of rows beyond that change, each to something that orders and filters tell apart. */
const CHANGES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    [
      "name",
      "display_name",
      "short_details",
      "details",
      "address",
      "description",
      "sku",
      "label",
      "code",
    ].map((column) => [column, `'${MARK}' || KEY`]),
  ),
  keywords: `ARRAY['${MARK}']`,
  barcodes: `ARRAY['${MARK}' || KEY]`,
  price_e2: "price_e2 + 7",
  amount_e2: "amount_e2 + 7",
  stock: "stock + 7",
  in_order: "in_order + 7",
  enabled: "NOT enabled",
  disabled: "NOT disabled",
  latitude_e6: "latitude_e6 + 7",
  source: `'${MARK}'`,
  deleted_at: "CASE WHEN KEY::bigint % 2 = 0 THEN now() END",
};

/** Changes all rows beyond, column by column: checks refuse some. */
async function changeBeyond(): Promise<number> {
  let changed = 0;
  for (const model of TENANT_MODELS.filter(isOfShops)) {
    const { table, fields } = MODEL_FACTS[model];
    const { text, values } = reached(model);
    const key = fields.includes("id") ? "t.id::text" : "'0'";
    for (const [column, value] of Object.entries(CHANGES)) {
      const query = `UPDATE ${table} t SET ${column} = ${value.replaceAll("KEY", key)} WHERE t.company_id = ${company.id} AND NOT ${text}`;
      const result = await all.query(query, values).catch(() => null);
      changed += result?.rowCount ?? 0;
    }
  }
  return changed;
}

function wholeSelection(operation: Operation): string | undefined {
  const type = getNamedType(fieldOf(finished, operation).type);
  return isObjectType(type) ? selectionOf(type, type.name.endsWith("Connection") ? 2 : 1) : undefined;
}

/** Which rows a list has, and how many; all of any other answer. */
function rowsSelection(operation: Operation): string | undefined {
  const type = getNamedType(fieldOf(finished, operation).type);
  const node = isObjectType(type) ? getNamedType(type.getFields()["nodes"]?.type ?? null) : null;
  if (!isObjectType(type) || !isObjectType(node) || !("id" in node.getFields()))
    return wholeSelection(operation);
  const sums = ["totalCount", "relaxed"].filter((name) => name in type.getFields());
  return `{ nodes { id } ${sums.join(" ")} }`;
}

/** Texts that a caller types who would know what is beyond. */
const TEXTS = [MARK, `${MARK}1`, `good ${MARK}`, `good${MARK}`, `beyont good`, `${MARK} good zzzz`];

/** A condition that may tell rows beyond apart: by a word of theirs, an id or a value. */
function conditionOf(type: GraphQLInputObjectType, beyond: readonly number[]): unknown {
  const { eq, contains, has, any, in: among } = type.getFields();
  const [name, field] =
    Object.entries({ contains, has, any, in: among, eq }).find(([, one]) => one !== undefined) ?? [];
  const target = getNamedType(field?.type ?? null);
  const value = isEnumType(target)
    ? target.getValues().map((one) => one.name)
    : target?.name === "Boolean"
      ? [true]
      : ["Int", "SafeInt", "Float"].includes(target?.name ?? "")
        ? beyond
        : [target?.name === "DateTime" ? "2026-01-01" : MARK];
  return name === undefined ? {} : { [name]: String(field?.type).startsWith("[") ? value : value[0] };
}

const camelCase = (name: string): string =>
  name.toLowerCase().replaceAll(/_(\w)/gu, (_, letter: string) => letter.toUpperCase());

/** The columns of the rows that a filter is on: conditions on these, and orders by them, can tell nothing of other rows. */
function columnsOf(operation: Operation): ReadonlySet<string> {
  const filter = fieldOf(finished, operation).args.find(({ name }) => name === "filter");
  const model = TENANT_MODELS.find(
    (name) => filter !== undefined && String(filter.type) === `${name}FilterInput`,
  );
  return new Set(model === undefined ? [] : MODEL_FACTS[model].fields);
}

/** Arguments of calls that could tell something of rows beyond: orders, conditions of the filter, texts, values of enums. */
function variantsOf(operation: Operation): Arguments[] {
  const { args } = fieldOf(finished, operation);
  const columns = columnsOf(operation);
  const beyond = [...new Set([...ids.values()].flatMap((one) => one.beyond ?? []))];
  return [
    {},
    ...args.flatMap(({ name, type: declared }): Arguments[] => {
      const type = getNamedType(declared);
      const isList = String(declared).startsWith("[");
      const wrapped = (value: unknown): Arguments => ({ [name]: isList ? [value] : value });
      if (isEnumType(type)) return type.getValues().map((value) => wrapped(value.name));
      if (type.name === "String" && ["q", "code", "name", "url"].includes(name)) return TEXTS.map(wrapped);
      if (!isInputObjectType(type)) return [];
      const fields = type.getFields();
      const field = getNamedType(fields["field"]?.type ?? null);
      if (isEnumType(field))
        return field
          .getValues()
          .filter((value) => !columns.has(camelCase(value.name)))
          .map((value) => wrapped({ field: value.name, direction: "DESC" }));
      if (name !== "filter") return [];
      return Object.entries(fields).flatMap(([of, { type: condition }]) => {
        const target = getNamedType(condition);
        if (target === type || !isInputObjectType(target) || columns.has(of)) return [];
        return [wrapped({ [of]: conditionOf(target, beyond) })];
      });
    }),
  ];
}

/** The arguments that an operation needs, with rows that the admin reaches. */
function argumentsOf(operation: Operation): Arguments {
  const named = operation.idArguments.map(({ argument, model }) => {
    return [argument, ids.get(model)?.own ?? NOBODY] as const;
  });
  const required = requiredArguments(fieldOf(finished, operation), { filled: true });
  return { ...required, companyId: company.id, ...Object.fromEntries(named) };
}

/** The answer as a text, with each of its refusals once: how many fields are refused depends on the first of them. */
async function answerTo(
  operation: Operation,
  args: Arguments,
  selection: string | undefined,
): Promise<string> {
  const { data, errors } = await bound.run(documentOf(finished, operation, args, selection), args);
  const refusals = (errors ?? []).map(({ message, extensions: { code, errors: wrong } }) =>
    JSON.stringify({ message, code, wrong }),
  );
  return JSON.stringify({ data, refusals: [...new Set(refusals)] });
}

const reads = operations.filter(({ kind, name }) => kind === "query" && !OTHERS.has(name));

async function allAnswers(): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const operation of reads) {
    const [plain, ...others] = variantsOf(operation);
    const ask = async (variant: Arguments | undefined, selection: string | undefined): Promise<void> => {
      const args = { ...argumentsOf(operation), ...variant };
      answers.set(`${operation.name} ${JSON.stringify(variant)}`, await answerTo(operation, args, selection));
    };
    await ask(plain, wholeSelection(operation));
    // What is forbidden as a whole stays so with any arguments.
    if ([...answers.values()].at(-1)?.includes('{"data":null') === true) continue;
    const rows = rowsSelection(operation);
    for (const variant of others) await ask(variant, rows);
  }
  return answers;
}

it(
  "answers every read the same, whatever becomes of rows beyond",
  async () => {
    const before = await allAnswers();
    const changed = await changeBeyond();
    const after = await allAnswers();

    expect([...before].filter(([call, answer]) => after.get(call) !== answer)).toEqual([]);
    if (before.size > 300) expect(changed).toBeGreaterThan(100);
  },
  TIMEOUT_MS,
);

const changes = operations.filter(({ kind }) => kind === "mutation");

/** Arguments with an id in one place. */
type Naming = (id: number) => Arguments;

const pluralOf = (model: string): string =>
  model.replace(/(?:(?<!y)$)|y$/u, (end) => (end === "y" ? "ies" : "s")).replace(/(?<=ch)s$/u, "es");

/** The calls that name a row in one place, with its model: an argument of its own, a list of ids, a field of the input or of a row. */
function callsNaming(operation: Operation): readonly (readonly [model: string, call: Naming])[] {
  const own = argumentsOf(operation);
  const input = own["input"] as object | undefined;
  const { args } = fieldOf(finished, operation);
  const wholes = TENANT_MODELS.map(String).sort((one, other) => other.length - one.length);
  return [
    ...operation.idArguments.map(
      ({ argument, model }) => [model, (id: number) => ({ ...own, [argument]: id })] as const,
    ),
    ...bodyIds(finished, operation).map(
      ({ model, argument }) =>
        [model, (id: number) => ({ ...own, input: { ...input, ...(argument(id) as object) } })] as const,
    ),
    ...args.flatMap(({ name, type }): (readonly [string, Naming])[] => {
      if (name === "ids")
        return wholes
          .filter((model) => operation.name.endsWith(pluralOf(model)))
          .slice(0, 1)
          .map((model) => [model, (id) => ({ ...own, ids: [id] })]);
      const row = /^\[Upsert(?<model>\w+)Input!\]!$/u.exec(String(type))?.groups?.["model"];
      if (name !== "rows" || row === undefined) return [];
      return [[row, (id) => ({ ...own, by: "id", rows: [{ id }] })]];
    }),
  ];
}

it(
  "answers every change that names a row beyond as if that did not exist, and none with an error of its own",
  async () => {
    const told: unknown[] = [];
    const failed: unknown[] = [];
    let count = 0;
    for (const operation of changes)
      for (const [model, call] of callsNaming(operation)) {
        const { own, beyond } = ids.get(model as ModelName) ?? {};
        if (beyond === undefined) continue;
        const [there, nowhere] = [
          await answerTo(operation, call(beyond), undefined),
          await answerTo(operation, call(NOBODY), undefined),
        ];
        count += 1;
        if (there !== nowhere) told.push([operation.name, call(beyond), there, nowhere]);
        const within = own === undefined ? "" : await answerTo(operation, call(own), undefined);
        if ((there + within).includes("INTERNAL_SERVER_ERROR"))
          failed.push([operation.name, call(own ?? beyond)]);
      }
    expect(told).toEqual([]);
    expect(failed).toEqual([]);
    if (changes.length > 100) expect(count).toBeGreaterThan(150);
  },
  TIMEOUT_MS,
);
