import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
} from "graphql";
import { isDeepStrictEqual } from "node:util";
import { AUDITED_MODELS, targetTypeOf } from "../../src/core/operations/audited-models.js";
import { delegateName, hasField, ownerField, type ModelName } from "../../src/core/scope/tenant-models.js";
import { loadDemoData } from "../../src/demo/load.js";
import { createDatabase } from "../../src/engine/connections/client.js";
import { MODEL_FACTS } from "../../src/generated/models.js";
import { dataOf, startGateway, type Gateway } from "../support/gateway.js";
import { sharedSchema } from "../support/schema.js";

const COMPANY = 1;
/** Loading the demo data may take this long on a busy machine, and so may the fields of one model. */
const PATIENCE_MS = 300_000;
/** Rows of a model that are tried until one takes a value. */
const MOST_ROWS = 4;

/** Fields of which no update of the row alone is undone, by why. */
const NOT_UNDONE: Readonly<Record<string, string>> = {
  "Admin.name": "The display name, which nobody can set, was another one than the name.",
  "AdminType.roles": "Rows of their own.",
  "Campaign.couponIds": "Rows of their own.",
  "ClientSegment.clientIds": "Rows of their own.",
  "ClientSegment.externalIds": "Rows of their own.",
  "CompanyEvent.timezone": "It says how moments beside it are read.",
  "CompanySettings.bankSettings": "Secrets.",
  "CompanySettings.defaultPromotedBanner": "A file.",
  "CompanySettings.messengerAToken": "A secret.",
  "CompanySettings.messengerBMessagingToken": "A secret.",
  "CompanySettings.partnerAccountJson": "A secret.",
  "CompanySettings.socketteKeys": "A secret.",
  "Coupon.promoCode": "It cannot be changed.",
  "Coupon.targetType": "Its shops and branches are rows of their own.",
  "Coupon.type": "It cannot be changed.",
  "CompanyEvent.type": "There is no other.",
  "FleetAssociation.serviceId": "It changes with its charge.",
  "Order.items": "Rows of their own.",
  "PromotedBanner.action": "There is no other.",
  "Property.propertyOptions": "Rows of their own.",
  "Property.propertyRange": "A row of its own.",
  "Property.propertyText": "A row of its own.",
};
/** Values that suit fields of this name, where no plain value does. */
const SUITABLE: Readonly<Record<string, readonly unknown[]>> = {
  limitType: ["per_day", "per_week"],
  url: ["https://example.com/other"],
  query: ["query ($companyId: Int!, $id: Int!) { good(companyId: $companyId, id: $id) { name } }"],
  roles: [["access_goods"]],
  networks: [["10.0.0.0/8"]],
  types: [["Good"]],
  filter: [{ cityId: { eq: 1 }, name: { contains: "a" } }],
  stylesJson: [{ styles: { colorPrimary: "#010203" } }],
};
const TEXTS = ["word", "b@example.com", "https://example.com/x", "+15551234567", "12:30", "+02:00"];
const CODES = ["Europe/Berlin", "DE", "EUR", "en", "new.example"];

type Values = Readonly<Record<string, unknown>>;
interface Delegate {
  findMany(query: object): Promise<Values[]>;
  findFirst(query: object): Promise<Values>;
}
interface Update {
  readonly model: ModelName;
  readonly field: GraphQLField<unknown, unknown>;
  readonly input: GraphQLInputObjectType;
}

const { schema } = sharedSchema();
const updates: Update[] = AUDITED_MODELS.flatMap((model) => {
  const { key, wholes } = MODEL_FACTS[model];
  const part = wholes.find(({ column }) => key.every((name) => name === column));
  const name = part?.field.replace(/^./u, (first) => first.toUpperCase()) ?? model;
  const field = schema.getMutationType()?.getFields()[`update${name}`];
  if (field === undefined || ownerField(model) !== null) return [];
  const input = getNamedType(field.args.find((argument) => argument.name === "input")?.type);
  return isInputObjectType(input) ? [{ model, field, input }] : [];
});

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database", environment: { RATE_LIMIT: "0" } });
  const database = await createDatabase({ url: gateway.ownerUrl });
  await loadDemoData(database);
  await database.close();
  dataOf(
    await gateway.platform.run(
      `mutation ($c: Int!) {
        createCampaign(companyId: $c, input: { name: "Spring" }) { id }
        createClientSegment(companyId: $c, input: { name: "All", filter: { cityId: { eq: 1 }, name: { contains: "b" } } }) { id }
        createApiKey(companyId: $c, input: { name: "Till", roles: ["access_coupons"] }) { id }
        createWebhook(companyId: $c, input: { url: "https://example.com/hook" }) { id }
      }`,
      { c: COMPANY },
    ),
  );
}, PATIENCE_MS);
afterAll(() => gateway.close());

/** Values that a field may take: the first of them that differs and is taken is enough. */
function candidates(name: string, declared: GraphQLInputType, now: unknown): unknown[] {
  const type = getNullableType(declared);
  const absent = isNonNullType(declared) ? [] : [null];
  const suitable = SUITABLE[name] ?? [];
  if (isListType(type)) {
    const items = candidates("", type.ofType, null).filter((item) => item !== null);
    return [...suitable, ...items.map((item) => [item]), [], ...absent];
  }
  if (isEnumType(type)) return [...type.getValues().map((value) => value.name), ...absent];
  if (isInputObjectType(type)) return [...(suitable.length === 0 ? objects(type, now) : suitable), ...absent];
  return [...suitable, ...plainValues(getNamedType(type).name, now), ...absent];
}

function plainValues(kind: string, now: unknown): unknown[] {
  const number = Number(now ?? 0);
  if (kind === "Boolean") return [true, false];
  if (kind === "Int" || kind === "SafeInt") return [number + 1, 1, 2, 3, 4, 5, 6, number - 1, 60];
  if (kind === "Float" || kind === "Decimal") return [0.25, 1.5];
  if (kind === "DateTime") return ["2035-01-02T03:04:05Z", "2037-01-02T03:04:05Z"];
  if (kind === "JSON") return [...(isObject(now) ? [grown(now)] : []), { a: 1 }, {}];
  return [...(typeof now === "string" ? [`${now}x`, now.slice(0, -1)] : []), ...TEXTS, ...CODES];
}

/** Objects of an input: with what they have to have, and with one key more. */
function objects(type: GraphQLInputObjectType, now: unknown): Values[] {
  const fields = Object.values(type.getFields());
  const present = isObject(now) ? now : {};
  const valuesOf = ({ name, type: declared }: (typeof fields)[number]) =>
    candidates(name, declared, present[name]);
  const required = Object.fromEntries(
    fields
      .filter(({ type: declared }) => isNonNullType(declared))
      .map((field) => [field.name, valuesOf(field)[0]]),
  );
  return [
    required,
    ...fields.flatMap((field) =>
      valuesOf(field)
        .slice(0, 3)
        .map((value) => ({ ...required, [field.name]: value })),
    ),
  ];
}

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** An object of which the numbers are higher. */
function grown(object: Values): Values {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => [key, typeof value === "number" ? value + 1 : value]),
  );
}

/** What of a row comes back: all but what counts its changes, and when it was priced. Nothing, false and no keys mean the same. */
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(bare);
  if (!isObject(value)) return value;
  const entries = Object.entries(value)
    .filter(([key]) => !["version", "updatedAt", "sharesSecond", "pricedAt"].includes(key))
    .map(([key, part]) => [key, bare(part)] as const);
  return Object.fromEntries(
    entries.filter(
      ([, part]) => part != null && part !== false && !(isObject(part) && Object.keys(part).length === 0),
    ),
  );
}
const asJson = (row: Values): Values =>
  JSON.parse(
    JSON.stringify(row, (_, part: unknown) => (typeof part === "bigint" ? Number(part) : part)),
  ) as Values;

/** Undoes an entry; returns the new one, or what it is refused with. */
async function undo(entryId: bigint): Promise<bigint | string> {
  const { data, errors } = await gateway.platform.run(
    "mutation ($c: Int!, $id: SafeInt!) { undoChange(companyId: $c, entryId: $id) { id } }",
    { c: COMPANY, id: Number(entryId) },
  );
  const code = errors?.[0]?.extensions["code"] as string | undefined;
  return code ?? BigInt(data?.["undoChange"].id as number);
}

/** Updates a field of a row; returns the entry that this leaves of the row, `null` where there is none. */
async function change(
  { model, field, input }: Update,
  row: Values,
  [name, value]: readonly [string, unknown],
): Promise<bigint | null> {
  const required = Object.values(input.getFields()).filter(({ type }) => isNonNullType(type));
  const given = field.args.filter((argument) => !argument.name.startsWith("if"));
  const declared = given.map((argument) => `$${argument.name}: ${String(argument.type)}`).join(", ");
  const passed = given.map((argument) => `${argument.name}: $${argument.name}`).join(", ");
  const ofRow = {
    companyId: COMPANY,
    targetType: targetTypeOf(model),
    targetId: Number(row["id"] ?? COMPANY),
  };
  const latest = () => gateway.db.auditEntry.findFirst({ where: ofRow, orderBy: { id: "desc" } });
  const before = await latest();
  await gateway.platform.run(`mutation (${declared}) { ${field.name}(${passed}) { __typename } }`, {
    ...row,
    companyId: COMPANY,
    input: { ...Object.fromEntries(required.map((one) => [one.name, row[one.name]])), [name]: value },
  });
  const entry = await latest();
  return entry === null || entry.id === before?.id ? null : entry.id;
}

/** Updates a field of a row, undoes that, undoes the undoing, and undoes that. Returns what came of the first two. */
async function tryField(update: Update, row: Values, name: string): Promise<"back" | "not taken" | object> {
  const { model, input } = update;
  const tables = gateway.db as unknown as Record<string, Delegate>;
  const where = {
    ...("id" in row && { id: row["id"] }),
    ...(hasField(model, "companyId") && { companyId: COMPANY }),
  };
  const read = async () => asJson(await (tables[delegateName(model)] as Delegate).findFirst({ where }));
  const before = await read();
  const present = before[name] ?? (before["data"] as Values | undefined)?.[name];
  for (const value of candidates(name, input.getFields()[name]?.type as GraphQLInputType, present)) {
    const entry = await change(update, before, [name, value]);
    if (entry === null) continue;
    const after = await read();
    const undone = await undo(entry);
    const back = await read();
    const again = typeof undone === "string" ? undone : await undo(undone);
    const seen = { value, undone, again, rows: [bare(back), bare(await read())] };
    if (typeof again !== "string") await undo(again);
    const isBack = isDeepStrictEqual(seen.rows, [bare(before), bare(after)]);
    return isBack && typeof again !== "string" ? "back" : { ...seen, wanted: [bare(before), bare(after)] };
  }
  return "not taken";
}

it.each(updates.map((update) => [update.model, update] as const))(
  "an update of any field of %s is undone, and its undoing, too",
  async (model, update) => {
    const tables = gateway.db as unknown as Record<string, Delegate>;
    const ofCompany = hasField(model, "companyId") ? { companyId: COMPANY } : { id: COMPANY };
    const rows = await (tables[delegateName(model)] as Delegate).findMany({
      where: ofCompany,
      take: MOST_ROWS,
    });
    const outcomes: Record<string, unknown> = {};
    for (const name of Object.keys(update.input.getFields())) {
      if (`${model}.${name}` in NOT_UNDONE) continue;
      for (const row of rows) {
        const outcome = await tryField(update, row, name);
        if (outcome !== "back") outcomes[name] = outcome;
        else delete outcomes[name];
        if (outcome !== "not taken") break;
      }
    }

    expect(rows).not.toEqual([]);
    expect(outcomes).toEqual({});
  },
  PATIENCE_MS,
);

it("names only fields that there are", () => {
  const fields = updates.flatMap(({ model, input }) =>
    Object.keys(input.getFields()).map((name) => `${model}.${name}`),
  );

  expect(Object.keys(NOT_UNDONE).filter((name) => !fields.includes(name))).toEqual([]);
});
