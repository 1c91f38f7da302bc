import { SignJWT } from "jose";
import { clientArgument } from "../../src/core/access/access.js";
import { issueAccessToken } from "../../src/core/access/tokens.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { delegateName, ownerField } from "../../src/core/scope/tenant-models.js";
import { toSnakeCasePath } from "../../src/api/rest/naming.js";
import { RestRoute } from "../../src/api/rest/rest-route.js";
import { sharedRestDocuments, sharedSchema as createSchema } from "../support/schema.js";
import { isAsked, itOfAll } from "../support/slice.js";
import { toRestBody } from "../support/bounds.js";
import { adminWith, createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { fingerprints } from "../support/fingerprint.js";
import {
  errorCodes,
  startGateway,
  wrongFields,
  type Client,
  type Gateway,
  type RestResult,
} from "../support/gateway.js";
import { bodyIds, documentOf, fieldOf, requiredArguments, type Arguments } from "../support/operations.js";

const finished = createSchema();
const operations = [...finished.operations.values()].filter(isAsked);
const routes = sharedRestDocuments()
  .routes.map((document) => new RestRoute(document, finished.schema, finished.operations))
  .filter(({ operation }) => isAsked(operation));
const REFUSALS = new Set(["UNAUTHENTICATED", "FORBIDDEN"]);
const STATUS: Record<string, number> = {
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  VALIDATION_FAILED: 422,
};

let gateway: Gateway;
let home: TestCompany;
let foreign: TestCompany;
let clientId: number;
let callers: Record<"forged" | "expired" | "withoutRole" | "stranger" | "client", Client>;
let rows: { take(): Promise<string>; close(): Promise<void> };
let rowsBefore: string;
const ownIds = new Map<string, number>();
const foreignIds = new Map<string, number>();

beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
  home = await createCompany(gateway);
  foreign = await createCompany(gateway);
  for (const [company, ids] of [
    [home, ownIds],
    [foreign, foreignIds],
  ] as const) {
    await fillCompany(gateway.db, company.id, 2);
    for (const model of new Set(operations.flatMap(modelsOf))) ids.set(model, await anyId(model, company.id));
  }
  const client = await signedInClient(gateway, home.id);
  clientId = client.id;
  const principal = { kind: "admin", id: home.ownerId, companyId: home.id } as const;
  const forged = await new SignJWT({ company_id: home.id })
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(`admin:${home.ownerId}`)
    .setIssuedAt()
    .setExpirationTime("15m")
    .sign(new TextEncoder().encode("another key of thirty-two bytes!!"));
  callers = {
    forged: gateway.withToken(forged),
    expired: gateway.withToken(
      await issueAccessToken(gateway.keys, principal, new Date(Date.now() - 3_600_000)),
    ),
    withoutRole: await adminWith(gateway, home.id),
    stranger: foreign.owner,
    client: client.client,
  };
  rows = await fingerprints(gateway.url);
  rowsBefore = await rows.take();
});
afterAll(async () => {
  await rows.close();
  await gateway.close();
});

/** Compares the rows with those after the operation before: a second reading per operation would tell the same. */
async function expectNothingChanged({ access }: Operation): Promise<void> {
  const before = rowsBefore;
  rowsBefore = await rows.take();
  // Who enrols a second factor of its own needs nobody's leave.
  if (access.kind === "signedIn" && access.enrols === true) return;
  expect(rowsBefore).toBe(before);
}

function modelsOf(operation: Operation): string[] {
  return [
    ...operation.idArguments.map(({ model }) => model),
    ...bodyIds(finished, operation).map(({ model }) => model),
  ];
}

async function anyId(model: string, companyId: number): Promise<number> {
  const delegate = gateway.db[delegateName(model) as "good"];
  const field = ownerField(model);
  const owner = field === null ? {} : { [field]: await anyId("Client", companyId) };
  const row = await delegate.findFirst({
    where: { companyId, ...owner },
    orderBy: { id: "asc" },
    select: { id: true },
  });
  if (row === null) throw new Error(`the company has no ${model}: add it to fillCompany`);
  return row.id;
}

/** Returns arguments that name existing rows of the home company, with an empty input. */
function ownArguments(operation: Operation): Arguments {
  const ids = operation.idArguments.map(({ argument, model }) => [argument, ownIds.get(model)] as const);
  const company = operation.hasCompany ? { companyId: home.id } : {};
  return { ...requiredArguments(fieldOf(finished, operation)), ...company, ...Object.fromEntries(ids) };
}

interface Cell {
  readonly caller: Client;
  readonly args: Arguments;
  /** `null` stands for any answer but 401 and 403. */
  readonly code: string | null;
  readonly wrong?: string;
}

/** Returns the callers that must be refused, each with its code, from the access that the operation declares. */
function cellsOf(operation: Operation): Record<string, Cell> {
  const { access } = operation;
  const args = ownArguments(operation);
  const isOpen = access.kind === "open";
  const ignoresToken = isOpen && access.ignoresToken;
  const cells: Record<string, Cell> = {
    "no token": { caller: gateway.anonymous, args, code: isOpen ? null : "UNAUTHENTICATED" },
    "forged token": { caller: callers.forged, args, code: ignoresToken ? null : "UNAUTHENTICATED" },
    "expired token": { caller: callers.expired, args, code: ignoresToken ? null : "UNAUTHENTICATED" },
    "admin without the role": {
      caller: callers.withoutRole,
      args,
      code: isOpen || access.kind === "signedIn" ? null : "FORBIDDEN",
    },
  };
  // A client that is allowed may succeed; the tests of the slice check its answers.
  if (!mayClient(operation)) cells["a client"] = { caller: callers.client, args, code: "FORBIDDEN" };
  if (operation.hasCompany && !isOpen) {
    cells["another company's admin"] = { caller: callers.stranger, args, code: "FORBIDDEN" };
  }
  const allowed =
    access.kind === "client" ? callers.client : access.kind === "platform" ? gateway.platform : home.owner;
  const itself = access.kind === "client" ? clientArgument(access) : null;
  const ownArgs = itself === null ? args : { ...args, [itself]: clientId };
  if (access.kind === "client") {
    cells["the platform"] = { caller: gateway.platform, args: ownArgs, code: "FORBIDDEN" };
    cells["the owner of the company"] = { caller: home.owner, args: ownArgs, code: "FORBIDDEN" };
  }
  for (const { argument, model } of operation.idArguments) {
    const code = argument === itself ? "FORBIDDEN" : "NOT_FOUND";
    const changed = { ...ownArgs, [argument]: foreignIds.get(model) };
    cells[`another company's ${argument}`] = { caller: allowed, args: changed, code };
    if (argument === itself || ownerField(model) === null) continue;
    cells[`another client's ${argument}`] = { caller: allowed, args: ownArgs, code: "NOT_FOUND" };
  }
  for (const { model, field, argument } of operation.hasCompany ? bodyIds(finished, operation) : []) {
    const changed = { ...ownArgs, input: argument(foreignIds.get(model) as number) };
    cells[`another company's ${field} in the input`] = {
      caller: allowed,
      args: changed,
      code: "VALIDATION_FAILED",
      wrong: `${field}:exists`,
    };
  }
  if (operation.deletedRowsOf !== null) Object.assign(cells, deletedRowCells(args));
  return cells;
}

/** Only admins of the area see deleted rows, also where everybody may read the other rows. */
function deletedRowCells(args: Arguments): Record<string, Cell> {
  const asking = { ...args, withDeleted: true };
  return {
    "no token, for deleted rows": { caller: gateway.anonymous, args: asking, code: "UNAUTHENTICATED" },
    "admin without the role, for deleted rows": {
      caller: callers.withoutRole,
      args: asking,
      code: "FORBIDDEN",
    },
    "a client, for deleted rows": { caller: callers.client, args: asking, code: "FORBIDDEN" },
    "the platform, for deleted rows": { caller: gateway.platform, args: asking, code: null },
  };
}

function mayClient({ access }: Operation): boolean {
  if (access.kind === "permission") return access.orAnyClient === true;
  // The rows that the operations name belong to another client.
  return access.kind !== "platform" && clientArgument(access) === null;
}

for (const operation of operations)
  describe(`GraphQL ${operation.name}`, () => {
    it("refuses who may not and what is another company's, and changes nothing", async () => {
      for (const [name, { caller, args, code, wrong }] of Object.entries(cellsOf(operation))) {
        const result = await caller.run(documentOf(finished, operation, args), args);
        const codes = errorCodes(result);
        if (code === null) expect([name, codes.filter((one) => REFUSALS.has(one))]).toEqual([name, []]);
        else expect([name, codes]).toEqual([name, [code]]);
        if (wrong !== undefined)
          expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toContain(wrong);
        expect([name, codes]).not.toEqual([name, ["INTERNAL_SERVER_ERROR"]]);
      }

      await expectNothingChanged(operation);
    });
  });

/** A path without a company is in that of the token, where the rows of another company are not found. */
function expectOwnCompany(
  { operation, resource }: (typeof routes)[number],
  { status, body }: RestResult,
): void {
  if (operation.idArguments.length > 0) {
    expect([status, body.code]).toEqual([404, "NOT_FOUND"]);
    return;
  }
  const shown = (body as { id: number }[]).map(({ id }) => id);
  expect(status).toBe(200);
  expect([
    shown.includes(ownIds.get(resource) as number),
    shown.includes(foreignIds.get(resource) as number),
  ]).toEqual([false, true]);
}

for (const route of routes)
  describe(`REST ${route.rest.method} ${route.rest.path}`, () => {
    it("refuses who may not and what is another company's, and changes nothing", async () => {
      for (const [name, { caller, args, code, wrong }] of Object.entries(cellsOf(route.operation))) {
        const asked = route.rest.path.replace(/\{(\w+)\}/gu, (_match, parameter: string) =>
          String(pathValue(route, parameter, args)),
        );
        const path = args["withDeleted"] === true ? `${asked}?with_deleted=true` : asked;
        const body = "input" in args ? { body: toRestBody(args["input"]) } : {};
        const answer = await caller.rest(route.rest.method, path, body);
        if (caller === callers.stranger && !route.rest.path.startsWith("/companies/{")) {
          expectOwnCompany(route, answer);
          continue;
        }
        if (code === null) expect([name, REFUSALS.has(answer.body?.code)]).toEqual([name, false]);
        else expect([name, answer.status, answer.body?.code]).toEqual([name, STATUS[code], code]);
        if (wrong !== undefined) expect(wrongFields(answer.body.errors)).toContain(toSnakeCasePath(wrong));
        expect([name, answer.status < 500]).toEqual([name, true]);
      }

      await expectNothingChanged(route.operation);
    });
  });

function pathValue(route: RestRoute, parameter: string, args: Arguments): unknown {
  const marker = Symbol(parameter);
  const [argument] =
    Object.entries(route.argumentsOf({ [parameter]: marker })).find(([, value]) => value === marker) ?? [];
  return args[argument as string];
}

itOfAll("knows every operation that may answer deleted rows", () => {
  const asking = operations.filter(({ deletedRowsOf }) => deletedRowsOf !== null).map(({ name }) => name);

  expect(asking).toEqual(
    expect.arrayContaining(["goods", "good", "goodsOfTag", "favorites", "coupons", "admin"]),
  );
});

it("has a client to test with who is not any row that operations name", () => {
  expect(ownIds.get("Client")).not.toBe(clientId);
});
