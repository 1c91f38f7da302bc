import {
  getNamedType,
  getNullableType,
  GraphQLString,
  isInputObjectType,
  isListType,
  type GraphQLInputType,
} from "graphql";
import { fieldBeside } from "../../src/api/rest/bind-body.js";
import { FILE_EXAMPLE } from "../../src/api/rest/openapi/examples.js";
import type { RestRoute } from "../../src/api/rest/rest-route.js";
import { png } from "../files/pictures.js";
import type { FilePart } from "../files/uploads.js";
import { startWebServer, type WebServer } from "../files/web-server.js";
import type { Client } from "../support/gateway.js";
import { linkEnding } from "../support/client-link.js";
import { operationOf, operationsOf, sharedOpenApi } from "../support/openapi.js";
import { bodyIds } from "../support/operations.js";
import { isAsked, itOfAll } from "../support/slice.js";
import { Correspondence } from "./correspondence.js";
import { callGraphql, callRest, graphqlInput, type TwinCall } from "./twin-calls.js";
import { createOriginal, type Original, type Twin, type Twins } from "./twins.js";

/** Routes that answer what GraphQL has no form for. */
const NOT_COMPARED: Readonly<Record<string, string>> = {
  "GET /companies/{companyId}/jobs/{jobId}/events": "an endless stream of events",
};
/** Mutations whose examples find done what they ask for. */
const SILENT: ReadonlySet<string> = new Set([
  "checkCoupon",
  "checkCouponForBranch",
  "fixGoodImages",
  "setAdminOnline",
  "setFleetAssociationEnabled",
  "setSelectedClientAddress",
  "upgradeAdmin",
  "uploadFormLabel",
]);
/** No row has this id. */
const MISSING = 2_000_000_000;
/** Loading the demo data and copying it may take this long on a busy machine. */
const SETUP_MS = 120_000;
/** The company of the callers, and another one. */
const [HOME, FOREIGN] = [1, 2];
/** Values that are wrong for nearly every field, by what they are. */
const WRONG: Readonly<Record<string, unknown>> = {
  null: null,
  "a boolean": true,
  "a negative number": -1,
  "a huge number": 2 ** 60,
  "a control character": "\u0000",
  "a long text": "x".repeat(5_000),
  "an object": { wrong: 1 },
};
/** Each of so many fields can be named in two ways; 50 errors are listed at most. */
const MOST_FIELDS = 25;
/** The picture that the examples name. Where it is to be fetched, a server of the test has one in its place. */
const PICTURE = "https://example.com/files/picture.jpg";

const { source, document } = sharedOpenApi();
const described = operationsOf(document);
const nameOf = ({ rest }: RestRoute): string => `${rest.method} ${rest.path}`;
/** Reading and adding come before removing, a part before the whole it belongs to, and the company itself last. */
const ORDER = ["GET", "POST", "PATCH", "PUT", "DELETE"];
const isLast = (route: RestRoute): number =>
  ["DELETE /companies/{companyId}", "POST /companies/{companyId}/restore"].indexOf(nameOf(route));
const routes = source.routes
  .filter((route) => isAsked(route.operation) && !(nameOf(route) in NOT_COMPARED))
  .sort(
    (one, other) =>
      isLast(one) - isLast(other) ||
      ORDER.indexOf(one.rest.method) - ORDER.indexOf(other.rest.method) ||
      (one.rest.method === "DELETE" ? other.rest.path.length - one.rest.path.length : 0),
  );

type CallerName = "admin" | "client" | "platform" | "anyone" | "withoutRole";

let web: WebServer;
let picture: FilePart;
let original: Original;
let twins: Twins;
const correspondence = new Correspondence();
const callers = new Map<Twin, Record<CallerName, Client>>();

beforeAll(async () => {
  web = await startWebServer();
  picture = { bytes: await png({ width: 2400 }) };
  web.serve("/picture.png", picture.bytes);
  original = await createOriginal((db) =>
    // The demo has no pictures: this good has those that the examples remove.
    db.good.updateMany({
      where: { companyId: HOME, id: 3 },
      data: { pictures: [PICTURE], verticalPictures: [PICTURE] },
    }),
  );
  twins = await original.copy({ FETCH_ALLOW: web.host, RATE_LIMIT: "0" });
  for (const twin of [twins.rest, twins.graphql]) {
    const { gateway } = twin;
    callers.set(twin, {
      admin: await gateway.as({ kind: "admin", id: 1, companyId: HOME }),
      client: await gateway.as({ kind: "client", id: 1, companyId: HOME }),
      platform: gateway.platform,
      anyone: gateway.anonymous,
      withoutRole: await gateway.as({ kind: "admin", id: original.adminWithoutRole, companyId: HOME }),
    });
  }
}, SETUP_MS);
afterAll(async () => {
  await twins.rest.close();
  await twins.graphql.close();
  await original.close();
  await web.close();
});

/** Sends a call to both faces and expects the same answer. */
async function expectSameAnswer(
  route: RestRoute,
  name: string,
  by: CallerName,
  callOf: (twin: Twin) => TwinCall,
): Promise<number> {
  const clientOf = (twin: Twin): Client => (callers.get(twin) as Record<CallerName, Client>)[by];
  const [inRest, inGraphql] = await Promise.all([
    callRest(twins.rest.gateway, clientOf(twins.rest), route, callOf(twins.rest)),
    callGraphql(twins.graphql.gateway, clientOf(twins.graphql), route, callOf(twins.graphql)),
  ]);

  expect([name, correspondence.inTermsOf(inRest, inGraphql)]).toEqual([name, inRest]);
  return inRest.status;
}

/** Expects that both faces have written the same rows since the last time, and returns how many. */
async function expectSameRows(): Promise<number> {
  const [byRest, byGraphql] = await Promise.all([twins.rest.written(), twins.graphql.written()]);

  expect(correspondence.inTermsOf(byRest, byGraphql)).toEqual(byRest);
  return byRest.length;
}

function callerOf(route: RestRoute): CallerName {
  return operationOf(route, described)["x-callers"][0] as CallerName;
}

/** Returns the example of the reference in the words of GraphQL. */
function exampleOf(route: RestRoute): TwinCall {
  const { input: _, ...variables } = route.rest.example;
  const ids = route.pathParameters.filter((name) => !(name in variables)).map((name) => [name, 1] as const);
  const inputType = route.variables.get("input");
  if (inputType === undefined) return { variables: { ...variables, ...Object.fromEntries(ids) } };
  const { content = {} } = operationOf(route, described).requestBody ?? {};
  const json = content["application/json"]?.example;
  const body = graphqlInput(json ?? content["multipart/form-data"]?.example, inputType);
  const parts = Object.entries(Array.isArray(body) ? {} : (body as object));
  const files = parts.filter(([, value]) => value === FILE_EXAMPLE).map(([key]) => [key, fileOf(key)]);
  const others = parts
    .filter(([, value]) => value !== FILE_EXAMPLE)
    .map(([key, value]) => [key, here(key, value)]);
  return {
    variables: {
      ...variables,
      ...Object.fromEntries(ids),
      input: Array.isArray(body) ? body : Object.fromEntries(others),
    },
    files: Object.fromEntries(files) as Record<string, FilePart>,
  };
}

function here(key: string, value: unknown): unknown {
  return key === "url" && value === PICTURE ? `http://${web.host}/picture.png` : value;
}

function fileOf(key: string): FilePart {
  return key === "file"
    ? { bytes: Buffer.from("Name;Preis;SKU;Tags\nTee;2,50;T-1;hot"), name: "goods.csv" }
    : picture;
}

describe("the same call over both faces", () => {
  const writing = new Set<string>();

  for (const route of routes)
    it(nameOf(route), async () => {
      const { kind, name } = route.operation;
      const sendWrong = async (calls: Record<string, WrongCall>): Promise<number[]> => {
        const statuses: number[] = [];
        for (const [what, { by = callerOf(route), variables }] of Object.entries(calls)) {
          const example = exampleOf(route);
          const files = variables !== undefined && "input" in variables ? {} : example.files;
          const call = { variables: { ...example.variables, ...variables }, ...(files && { files }) };
          statuses.push(await expectSameAnswer(route, what, by, () => call));
        }
        return statuses;
      };

      const refused = await sendWrong(wrongTargets(route));
      // Whoever has a token may run what leaves out that which a caller may not see.
      const isForAll = route.isOpen || route.operation.access.kind === "signedIn";
      expect(Math.min(...refused)).toBeGreaterThanOrEqual(isForAll ? 200 : 400);
      await expectSameRows();

      const example = await exampleByTwin(route);
      expect(await expectSameAnswer(route, "the example", callerOf(route), example)).toBe(200);
      if ((await expectSameRows()) > 0) writing.add(name);
      if (kind === "mutation") await expectSameAnswer(route, "the example again", callerOf(route), example);
      await expectSameRows();

      const wrong = await sendWrong(wrongInputs(route));
      expect(wrong.filter((status) => status >= 500)).toEqual([]);
      expect(wrong.length === 0 || wrong.includes(422)).toBe(true);
      await expectSameRows();
    });

  it("sees what the examples write", () => {
    const mutations = routes.flatMap(({ operation: { kind, name } }) => (kind === "mutation" ? [name] : []));

    expect([...writing].sort()).toEqual([...new Set(mutations)].filter((name) => !SILENT.has(name)).sort());
  });

  /** Returns the example, with the refresh token of each twin where one is asked for. */
  async function exampleByTwin(route: RestRoute): Promise<(twin: Twin) => TwinCall> {
    const example = exampleOf(route);
    if (route.variables.has("signature")) return signedExample(example);
    if (!hasKey(example.variables["input"], "refreshToken")) return () => example;
    const calls = new Map<Twin, TwinCall>();
    for (const twin of [twins.rest, twins.graphql])
      calls.set(twin, { variables: { input: { refreshToken: await refreshTokenOf(twin) } } });
    return (twin) => calls.get(twin) as TwinCall;
  }

  /** Returns the example with the link of each twin. */
  async function signedExample({ variables }: TwinCall): Promise<(twin: Twin) => TwinCall> {
    const calls = new Map<Twin, TwinCall>();
    for (const twin of [twins.rest, twins.graphql]) {
      const { admin } = callers.get(twin) as Record<CallerName, Client>;
      const ending = await linkEnding(admin, HOME, variables["clientId"] as number);
      calls.set(twin, { variables: { ...variables, ...ending } });
    }
    await expectSameRows();
    return (twin) => calls.get(twin) as TwinCall;
  }

  async function refreshTokenOf({ gateway }: Twin): Promise<string> {
    const login = source.routes.find(({ operation }) => operation.name === "login") as RestRoute;
    const { body } = await gateway.anonymous.rest("POST", login.rest.path, {
      body: login.rest.example["input"],
    });
    return body.refresh_token as string;
  }
});

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}

/** What differs from the example. */
interface WrongCall {
  readonly by?: CallerName;
  readonly variables?: Record<string, unknown>;
}

/** Returns calls by those who may not, and of what there is not. */
function wrongTargets(route: RestRoute): Record<string, WrongCall> {
  const { operation } = route;
  const calls: Record<string, WrongCall> = {
    "without a token": { by: "anyone" },
    "by an admin without a role": { by: "withoutRole" },
  };
  const company = variableOf(route, "companyId");
  // The platform may do everything in each company.
  if (company !== null && callerOf(route) !== "platform")
    calls["of another company"] = { variables: { [company]: FOREIGN } };
  if (company !== null) calls["of no company"] = { variables: { [company]: MISSING } };
  for (const { argument } of operation.idArguments) {
    const variable = variableOf(route, argument);
    if (variable !== null) calls[`of no ${argument}`] = { variables: { [variable]: MISSING } };
  }
  for (const name of route.pathParameters)
    if (getNamedType(route.variables.get(name) as GraphQLInputType) === GraphQLString)
      calls[`of no ${name}`] = { variables: { [name]: "nowhere.example" } };
  return calls;
}

/** Returns calls with inputs of which each is wrong in another way. */
function wrongInputs(route: RestRoute): Record<string, WrongCall> {
  const inputType = route.variables.get("input");
  if (inputType === undefined) return {};
  // A list without entries would be right.
  const calls: Record<string, WrongCall> = isListType(getNullableType(inputType))
    ? {}
    : { "with an empty input": { variables: { input: {} } } };
  for (const { field, argument } of bodyIds(source.finished, route.operation))
    calls[`with no row of ${field}`] = { variables: { input: argument(MISSING) } };
  for (const [kind, value] of Object.entries(WRONG)) {
    for (const [n, input] of filledWith(inputType, value).entries())
      calls[`with ${kind} in each field, part ${n}`] = { variables: { input } };
  }
  return calls;
}

/** Returns the variable of the path that fills an argument. */
function variableOf(route: RestRoute, argument: string): string | null {
  const named = Object.fromEntries(route.pathParameters.map((name) => [name, name]));
  return (route.argumentsOf(named)[argument] as string | undefined) ?? null;
}

/**
 * Returns inputs that have the value in each field, within lists where the field takes one. There are several when the type
 * has more fields than errors are listed.
 */
function filledWith(declared: GraphQLInputType, value: unknown): unknown[] {
  const type = getNullableType(declared);
  if (isListType(type)) return [[wrongOf(type.ofType, value)]];
  if (!isInputObjectType(type)) return [value];
  // A body has keys in the place of this field, and nothing that could be wrong by itself.
  const beside = fieldBeside(type)?.name;
  const fields = Object.values(type.getFields()).filter(({ name }) => name !== beside);
  const parts = Array.from({ length: Math.ceil(fields.length / MOST_FIELDS) }, (_, n) =>
    fields.slice(n * MOST_FIELDS, (n + 1) * MOST_FIELDS),
  );
  return parts.map((part) =>
    Object.fromEntries(part.map((field) => [field.name, wrongOf(field.type, value)])),
  );
}

function wrongOf(declared: GraphQLInputType, value: unknown): unknown {
  const type = getNullableType(declared);
  return isListType(type) && value !== null ? [wrongOf(type.ofType, value)] : value;
}

itOfAll("names no route that is compared, and none that there is not", () => {
  const all = source.routes.map(nameOf);

  expect(Object.keys(NOT_COMPARED).filter((name) => !all.includes(name))).toEqual([]);
  expect(routes.length).toBe(all.length - Object.keys(NOT_COMPARED).length);
});
