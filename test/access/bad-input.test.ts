import type { JsonSchema } from "../../src/core/inputs/json-schema.js";
import type { Operation } from "../../src/engine/schema/operation.js";
import { sharedSchema as createSchema } from "../support/schema.js";
import { isAsked } from "../support/slice.js";
import { createCompany, signedInClient, type TestCompany } from "../support/factories.js";
import { fillCompany } from "../support/fill-company.js";
import { errorCodes, startGateway, type Client, type Gateway } from "../support/gateway.js";
import { clientArgument } from "../../src/core/access/access.js";
import { documentOf, fieldOf, requiredArguments, type Arguments } from "../support/operations.js";

/** Values that are wrong for nearly every field. */
const NASTY: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  2 ** 31,
  2 ** 60,
  "",
  "\u0000",
  "\ud800",
  "x".repeat(70_000),
  "2026-02-30",
  "'; DROP TABLE goods; --",
  [],
  [null],
  [[]],
  {},
  { constructor: 1 },
];

const NO_IDS: readonly unknown[] = [true, "1", -1, 2 ** 40];

const finished = createSchema();
const operations = [...finished.operations.values()].filter(isAsked);
const withInput = operations.filter(({ schema }) => "input" in (schema["properties"] as object));

let gateway: Gateway;
let company: TestCompany;
let client: { id: number; client: Client };
beforeAll(async () => {
  gateway = await startGateway();
  company = await createCompany(gateway);
  await fillCompany(gateway.db, company.id, 2);
  client = await signedInClient(gateway, company.id);
});
afterAll(() => gateway.close());

/** Returns the keys of the operation's input object; `null` when the input is a list. */
function keysOf(operation: Operation): string[] | null {
  const input = (operation.schema["properties"] as Record<string, JsonSchema>)["input"] as JsonSchema;
  const name = ((input["$ref"] ?? "") as string).replace("#/$defs/", "");
  const definition = finished.inputSchemas.definitions[name];
  return definition === undefined ? null : Object.keys(definition["properties"] as object);
}

function callerOf({ access }: Operation): Client {
  if (access.kind === "platform") return gateway.platform;
  return access.kind === "client" ? client.client : company.owner;
}

/** Names the client that calls, where an operation is for the client itself. */
function callersArguments({ access }: Operation): Arguments {
  const argument = clientArgument(access);
  return access.kind === "client" && argument !== null ? { [argument]: client.id } : {};
}

/** Whole inputs that are neither objects nor lists. GraphQL refuses them by the kind of the input alone, so each operation is sent one. */
const SCALARS = NASTY.filter((nasty) => typeof nasty !== "object");

for (const [place, operation] of withInput.entries())
  it(`${operation.name} answers bad input with a refusal, never with a failure`, async () => {
    const keys = keysOf(operation);
    const base: Arguments = {
      ...requiredArguments(fieldOf(finished, operation)),
      ...(operation.hasCompany && { companyId: company.id }),
      ...callersArguments(operation),
    };
    const document = documentOf(finished, operation, { ...base, input: null });

    for (const nasty of NASTY) {
      const input = keys === null ? [nasty] : Object.fromEntries(keys.map((key) => [key, nasty]));
      const isAsWhole = typeof nasty === "object" || nasty === SCALARS[place % SCALARS.length];
      for (const args of [{ ...base, input }, ...(isAsWhole ? [{ ...base, input: nasty }] : [])]) {
        const codes = errorCodes(await callerOf(operation).run(document, args));

        expect([JSON.stringify(nasty).slice(0, 40), codes]).not.toEqual([
          expect.anything(),
          ["INTERNAL_SERVER_ERROR"],
        ]);
      }
    }
  });

const withIds = operations.filter(({ idArguments }) => idArguments.length > 0);

for (const operation of withIds)
  it(`${operation.name} answers what is no id with a refusal, never with a failure`, async () => {
    const base: Arguments = {
      ...requiredArguments(fieldOf(finished, operation)),
      ...(operation.hasCompany && { companyId: company.id }),
      ...callersArguments(operation),
    };
    for (const { argument } of operation.idArguments) {
      for (const nasty of NO_IDS) {
        const args = { ...base, [argument]: nasty };
        const codes = errorCodes(await callerOf(operation).run(documentOf(finished, operation, args), args));

        expect([argument, nasty, codes.includes("INTERNAL_SERVER_ERROR")]).toEqual([argument, nasty, false]);
      }
    }
  });
