import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
} from "graphql";
import type { RestRoute } from "../../src/api/rest/rest-route.js";
import type { JsonSchema } from "../../src/core/inputs/json-schema.js";
import { snakeCaseOf } from "../../src/core/names.js";
import { delegateName, ownerField, type ModelName } from "../../src/core/scope/tenant-models.js";
import { dataOf, type Client } from "../support/gateway.js";
import { sharedOpenApi } from "../support/openapi.js";
import { sharedSchema } from "../support/schema.js";
import { isAsked, itOfAll } from "../support/slice.js";
import { createOriginal, type Original, type Twin, type Twins, type WrittenRow } from "./twins.js";

/** Loading the demo data and copying it may take this long on a busy machine. */
const SETUP_MS = 120_000;
const HOME = 1;
/** So many of the oldest rows of a model are sent back, and as many of the newest. */
const ROWS = 6;
/** An update of settings in a list, of which an answer shows none by its name. */
const SHOWN_OTHERWISE: ReadonlySet<string> = new Set(["updateAdminSettings"]);
/** Fields that mean more once they are sent: a form that shows the currency of its company has it for its own then. */
const LEFT_OUT: ReadonlySet<string> = new Set(["updateForm.currency"]);

const { schema } = sharedSchema();
const mutations = (schema.getMutationType() as GraphQLObjectType).getFields();
const queries = (schema.getQueryType() as GraphQLObjectType).getFields();

/** A mutation that changes one row by an input. */
interface Update {
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  readonly input: GraphQLInputObjectType;
  readonly shown: GraphQLObjectType;
}

const updates = Object.values(mutations).flatMap((field): Update[] => {
  const { name, args } = field;
  const input = getNamedType(args.find((argument) => argument.name === "input")?.type);
  const shown = getNamedType(field.type);
  const isOfRow = name.startsWith("update") && args.some((argument) => argument.name === "ifVersion");
  if (!isOfRow || !isInputObjectType(input) || !isObjectType(shown)) return [];
  return isAsked({ name }) && !SHOWN_OTHERWISE.has(name) ? [{ name, field, input, shown }] : [];
});
/** Routes that change a row which can be read: by a route, or by what a change of nothing answers. */
const routes = sharedOpenApi().source.routes.flatMap((route): [string, RestRoute, Update][] => {
  const update = updates.find(({ name }) => name === route.operation.name);
  if (update === undefined || route.rest.method !== "PATCH") return [];
  const needs = Object.values(update.input.getFields()).some(({ type }) => isNonNullType(type));
  return needs && route.changes === null ? [] : [[`${route.rest.method} ${route.rest.path}`, route, update]];
});

type Row = Readonly<Record<string, unknown>>;
interface Answer {
  readonly value: unknown;
  /** The code of a refusal and its wrong fields. */
  readonly refusal: readonly [code: unknown, errors: readonly { readonly rule: string }[]] | null;
}

/** A face as one caller uses it for one row. */
interface Face {
  read(): Promise<Answer>;
  write(input: unknown): Promise<Answer>;
  /** The name that the face gives to a field. */
  nameOf(field: string): string;
}

let original: Original;
let twins: Twins;

beforeAll(async () => {
  original = await createOriginal();
  twins = await original.copy({ RATE_LIMIT: "0" });
  for (const twin of [twins.rest, twins.graphql]) await addSparseRows(twin);
}, SETUP_MS);
afterAll(async () => {
  await twins.rest.close();
  await twins.graphql.close();
  await original.close();
});

/** Rows of which only what is required was sent, and values that are shown otherwise than they are stored. */
async function addSparseRows({ gateway }: Twin): Promise<void> {
  const admin = await gateway.as({ kind: "admin", id: 1, companyId: HOME });
  const create = async (
    type: string,
    input: object,
    by: Client = admin,
    args: Row = { companyId: HOME },
  ): Promise<number> => {
    const names = Object.keys(args);
    const declared = [`$input: Create${type}Input!`, ...names.map((name) => `$${name}: Int!`)].join(", ");
    const passed = ["input", ...names].map((name) => `${name}: $${name}`).join(", ");
    const document = `mutation (${declared}) { created: create${type}(${passed}) { id } }`;
    return (dataOf(await by.run(document, { input, ...args }))["created"] as { id: number }).id;
  };
  const name = "Sparse";
  const unit = { unitName: "kg", fraction: 10, minQuantity: 1, stepQuantity: 1, maxQuantity: 5 };
  const unitConfig = { enabled: true, displayMode: "decimal", ...unit };
  const goodId = await create("Good", {
    ...{ name, shortDetails: "s", details: "d", priceE2: 1, type: 0 },
    unitConfig,
  });
  for (const config of [
    { bundle: { buy: 2, get: 1, pricePrc: 1 }, goods: { include: { goodIds: [goodId] } } },
    { goods: {}, usersRegisteredUntil: "2030-01-01", usersRegisteredSince: "2029-01-01T00:00:00.5Z" },
    { feeRules: [{ name }], amountLimitE2: 9_007_199_254_740_991 },
  ])
    await create("Coupon", { type: "promo", totalCount: 1, priceE2: 9_007_199_254_740_987, config });
  const value = { isVisible: true };
  const content = [
    { key: "a", value },
    { key: "b", value, content: [{ key: "c", value }] },
  ];
  await create("AdminType", { name, defaultKey: "a", content });
  await create("ApiKey", { name, roles: ["access_goods"] });
  await create("CompanyEvent", {
    ...{ name, type: "coupon_gen", startsAt: "2098-01-01T00:00:00.5Z", endsAt: "2099-01-01" },
    config: {
      couponSeeds: [{ maxCount: 1, winRate: 1, availableSince: "2098-01-01T00:00:00.5Z" }],
      expiresAt: "2099-02-01T00:00:00.5Z",
    },
  });
  await create("ClientSegment", { name, clientIds: [1] });
  await create("Campaign", { name });
  await create("Webhook", { url: "https://example.com/hook", types: ["Good"] });
  const { id: cartId } = await gateway.db.cart.findFirstOrThrow({ where: { companyId: HOME } });
  await create("CartItem", { goodId, quantity: 1 }, admin, { companyId: HOME, cartId });
  const contact = { name, email: "sparse@example.com" };
  const company = { ...contact, domain: "sparse.example.com", folderName: "sparse" };
  await create("Company", { company, user: { ...contact, phone: "+15550000009" } }, gateway.platform, {});
}

/** What an answer shows of the fields of an input. */
function selectionOf(input: GraphQLInputObjectType, shown: GraphQLObjectType): string {
  const fields = Object.values(input.getFields()).flatMap(({ name, type }) => {
    const answered = shown.getFields()[name];
    if (answered === undefined) return [];
    const [inner, within] = [getNamedType(type), getNamedType(answered.type)];
    if (isInputObjectType(inner))
      return isObjectType(within) ? [`${name} ${selectionOf(inner, within)}`] : [];
    return isObjectType(within) ? [] : [name];
  });
  return `{ ${fields.join(" ")} }`;
}

/** What was answered, as an input: without what it takes no more, or in another form, and moments with their offset. */
function sentBack(value: unknown, declared: GraphQLInputType, nameOf: Face["nameOf"], path: string): unknown {
  const type = getNullableType(declared);
  if (value === null) return value;
  if (isListType(type)) return (value as unknown[]).map((item) => sentBack(item, type.ofType, nameOf, path));
  if (!isInputObjectType(type)) return type.name === "DateTime" ? `${value as string}Z` : value;
  const fields = Object.values(type.getFields()).flatMap(({ name, type: inner, extensions }) => {
    const item = (value as Row)[nameOf(name)];
    const { forbidden } = (extensions["jsonSchema"] ?? {}) as JsonSchema;
    const place = `${path}.${name}`;
    if (item === undefined || forbidden !== undefined || LEFT_OUT.has(place)) return [];
    if (!isInputObjectType(getNamedType(inner)) && getNamedType(inner).name !== "JSON" && holdsObjects(item))
      return [];
    return [[nameOf(name), sentBack(item, inner, nameOf, place)] as const];
  });
  return Object.fromEntries(fields);
}

const holdsObjects = (value: unknown): boolean =>
  [value].flat().some((item) => typeof item === "object" && item !== null);

/** The values of arguments that name the row, or what it belongs to. */
function keysOf(names: readonly string[], row: Row): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, row[name] ?? row["id"]]));
}

function graphqlFace({ field, input, shown }: Update, client: Client, row: Row): Face {
  const name = `${shown.name[0]?.toLowerCase() ?? ""}${shown.name.slice(1)}`;
  const selection = selectionOf(input, shown);
  const run = async (
    kind: string,
    called: GraphQLField<unknown, unknown>,
    given: object,
  ): Promise<Answer> => {
    const used = called.args.filter((argument) => argument.name in given || /^id$|Id$/u.test(argument.name));
    const declared = used.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(", ");
    const passed = used.map((argument) => `${argument.name}: $${argument.name}`).join(", ");
    const document = `${kind} (${declared}) { row: ${called.name}(${passed}) ${selection} }`;
    const keys = keysOf(
      used.map((argument) => argument.name),
      row,
    );
    const { data, errors = [] } = await client.run(document, { ...keys, ...given });
    const { code, errors: wrong = [] } = errors[0]?.extensions ?? {};
    return { value: data?.["row"] as unknown, refusal: errors.length === 0 ? null : [code, wrong as []] };
  };
  const query = (queries[name] ?? queries["settings"]) as GraphQLField<unknown, unknown>;
  return {
    nameOf: (key) => key,
    read: () => run("query", query, {}),
    write: (value) => run("mutation", field, { input: value }),
  };
}

function restFace(route: RestRoute, client: Client, row: Row): Face {
  const send = async ({ rest, pathParameters }: RestRoute, given: object): Promise<Answer> => {
    const keys = keysOf(pathParameters, row);
    const path = rest.path.replace(/\{(\w+)\}/gu, (_, name: string) => String(keys[name]));
    const { status, body } = await client.rest(rest.method, path, given);
    return { value: body, refusal: status < 400 ? null : [body.code, body.errors ?? []] };
  };
  return {
    nameOf: snakeCaseOf,
    read: () => (route.changes === null ? send(route, { body: {} }) : send(route.changes, {})),
    write: (body) => send(route, { body }),
  };
}

/** Whether the state of the row allows no change, or its moments have passed. */
function isOfState({ refusal }: Answer): boolean {
  if (refusal === null) return false;
  const [code, errors] = refusal;
  if (code === "INVALID_STATE" || code === "NOT_FOUND") return true;
  return errors.length > 0 && errors.every(({ rule }) => rule === "after");
}

/** The oldest and the newest rows of a model. */
async function rowsOf({ gateway }: Twin, model: ModelName): Promise<Row[]> {
  const { db } = gateway;
  const orderBy = { id: "asc" } as const;
  if (model === "Company" || model === "CompanySettings") {
    const rows = await db.company.findMany({ orderBy });
    return rows.map((row) => ({ ...row, companyId: row.id }));
  }
  const owner = ownerField(model);
  const clients = await db.client.findMany({ where: { companyId: HOME }, select: { id: true } });
  const owned = owner === null ? {} : { [owner]: { in: clients.map(({ id }) => id) } };
  // Each delegate finds rows alike.
  const delegate = db[delegateName(model) as "good"];
  const rows: Row[] = await delegate.findMany({ where: { companyId: HOME, ...owned }, orderBy });
  return rows.length <= 2 * ROWS ? rows : [...rows.slice(0, ROWS), ...rows.slice(-ROWS)];
}

function callerOf({ gateway }: Twin, model: ModelName, row: Row): Promise<Client> {
  if (model === "Company" || model === "CompanySettings") return Promise.resolve(gateway.platform);
  const owner = ownerField(model);
  return gateway.as(
    owner === null
      ? { kind: "admin", id: 1, companyId: HOME }
      : { kind: "client", id: row[owner] as number, companyId: HOME },
  );
}

/** Sends rows back as they are shown, and expects that nothing is written. */
async function expectStill(
  twin: Twin,
  { name, input, shown }: Update,
  faceFor: (client: Client, row: Row) => Face,
): Promise<void> {
  const model = shown.name as ModelName;
  let sent = 0;
  for (const row of await rowsOf(twin, model)) {
    const face = faceFor(await callerOf(twin, model, row), row);
    // What is due for the row, such as promos of a cart, is done by any change, also by one of nothing.
    await face.write({});
    const before = await face.read();
    if (isOfState(before)) continue;
    expect([row["id"], before.refusal]).toEqual([row["id"], null]);
    await twin.written();
    const after = await face.write(sentBack(before.value, input, face.nameOf, name));
    const written = (await twin.written()).flatMap(changesOf);
    expect([row["id"], written]).toEqual([row["id"], []]);
    if (isOfState(after)) continue;
    expect([row["id"], after]).toEqual([row["id"], before]);
    sent += 1;
  }
  expect(sent).toBeGreaterThan(0);
}

/** The columns of a written row that have other values than before, with both. */
function changesOf({ table, before, after }: WrittenRow): string[] {
  const textOf = (row: WrittenRow["before"], column: string): string => JSON.stringify(row?.[column] ?? null);
  return Object.keys({ ...before, ...after })
    .filter((column) => textOf(before, column) !== textOf(after, column))
    .map((column) => `${table}.${column}: ${textOf(before, column)} -> ${textOf(after, column)}`);
}

describe("what is sent back as it is shown changes nothing", () => {
  it.each(updates.map((update) => [update.name, update] as const))("by %s", async (_, update) => {
    await expectStill(twins.graphql, update, (client, row) => graphqlFace(update, client, row));
  });

  it.each(routes)("by %s", async (_, route, update) => {
    await expectStill(twins.rest, update, (client, row) => restFace(route, client, row));
  });

  itOfAll("on both faces", () => {
    expect([updates.length, routes.length].map((count) => count > 10)).toEqual([true, true]);
  });
});
