import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import ajvFormats from "ajv-formats";
import { sharedRestDocuments, sharedSchema } from "./schema.js";
import { buildOpenApi, type OpenApiSource } from "../../src/api/rest/openapi.js";
import { RestRoute } from "../../src/api/rest/rest-route.js";

/** What operations answer on the demo data. */
export const ANSWERS_FILE = new URL("../../schema/examples.json", import.meta.url);
const REST_FOLDER = new URL("../../schema/rest/", import.meta.url).pathname;
const METHODS = ["get", "put", "post", "delete", "patch"] as const;
const ROOT = "https://openapi.test/document";

/** The parts of an OpenAPI document that tests read. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string; readonly license?: object };
  readonly security: readonly object[];
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Partial<Record<Method, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly parameters: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly headers: Readonly<Record<string, object>>;
    readonly securitySchemes: Readonly<Record<string, object>>;
  };
}

type Method = (typeof METHODS)[number];

export interface Reference {
  readonly $ref: string;
}

export interface Schema {
  readonly [keyword: string]: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Media {
  readonly schema: Schema;
  readonly example: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, Reference>>;
  readonly content?: Readonly<Record<string, Media>>;
}

export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  /** Absent where it is that of the whole document. */
  readonly security?: readonly object[];
  readonly "x-callers": readonly string[];
  readonly "x-permission"?: string;
  readonly parameters: readonly (Parameter | Reference)[];
  readonly requestBody?: { readonly required: boolean; readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<Record<string, Response | Reference>>;
}

/** Returns the routes of the service with everything that they are made from; no database is needed. */
export function restSource(): OpenApiSource {
  const finished = sharedSchema();
  const documents = sharedRestDocuments();
  const routes = RestRoute.all(documents, finished);
  const answers = JSON.parse(readFileSync(ANSWERS_FILE, "utf8")) as Record<string, unknown>;
  return { routes, documents, finished, answers };
}

/** Returns the OpenAPI document as its readers get it. */
export function openApiOf(source: OpenApiSource): OpenApiDocument {
  return JSON.parse(JSON.stringify(buildOpenApi(source))) as OpenApiDocument;
}

let shared: { readonly source: OpenApiSource; readonly document: OpenApiDocument } | undefined;

/** The routes and the document for all test files of this worker, which only read them. */
export function sharedOpenApi(): { readonly source: OpenApiSource; readonly document: OpenApiDocument } {
  if (shared === undefined) {
    const source = restSource();
    shared = { source, document: openApiOf(source) };
  }
  return shared;
}

/** Reads every `@rest` in the folder as text, such as `GET /companies/{companyId}/goods`. Exports are left out. */
export function writtenRoutes(): string[] {
  const texts = readdirSync(REST_FOLDER).map((file) => readFileSync(`${REST_FOLDER}${file}`, "utf8"));
  return texts.flatMap((text) =>
    [
      ...text.matchAll(
        /@rest\(\s*method:\s*(\w+),?\s*path:\s*"([^"]+)"(?!,?\s*(?:dynamic: true,?\s*)?output: (?:TABLE|COUNT))/gu,
      ),
    ].map(([, method, path]) => `${method} ${path}`),
  );
}

export interface DescribedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

export function operationsOf(document: OpenApiDocument): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ method: method.toUpperCase(), path, operation }];
    }),
  );
}

/** Returns the operation of a route. */
export function operationOf({ rest }: RestRoute, operations: readonly DescribedOperation[]): Operation {
  const found = operations.find(({ method, path }) => method === rest.method && path === rest.path);
  if (found === undefined) throw new Error(`${rest.method} ${rest.path} is not described`);
  return found.operation;
}

/** Returns the object that a reference inside the document leads to; any other object is returned itself. */
export function dereference<T extends object>(
  document: OpenApiDocument,
  value: T | Reference,
): T | undefined {
  if (!("$ref" in value)) return value;
  let node: unknown = document;
  for (const key of value.$ref.slice(2).split("/")) {
    node = (node as Record<string, unknown> | undefined)?.[key.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return node as T | undefined;
}

export interface DocumentNode {
  readonly pointer: string;
  readonly node: Readonly<Record<string, unknown>>;
}

/** Returns every object in the document with its JSON pointer. */
export function nodesOf(value: unknown, pointer = "#"): DocumentNode[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([key, item]) =>
    nodesOf(item, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
  return [{ pointer, node: value as Record<string, unknown> }, ...inside];
}

/** Compiles the schemas of a document by their pointer, as any reader of JSON Schema 2020-12 would. */
export class DocumentSchemas {
  private readonly ajv = new Ajv2020({ allErrors: true, strictTypes: false, strictRequired: false });
  private readonly compiled = new Map<string, ValidateFunction>();

  constructor(document: OpenApiDocument) {
    ajvFormats.default(this.ajv);
    this.ajv.addVocabulary([...Object.keys(document), "x-mask", "example"]);
    this.ajv.addSchema({ ...document, $id: ROOT }, undefined, false, false);
  }

  at(pointer: string): ValidateFunction {
    let compiled = this.compiled.get(pointer);
    if (compiled === undefined)
      this.compiled.set(pointer, (compiled = this.ajv.compile({ $ref: `${ROOT}${encodeURI(pointer)}` })));
    return compiled;
  }

  /** Returns what is wrong with a value, as texts; none when the value fits. */
  errors(pointer: string, value: unknown): string[] {
    const validate = this.at(pointer);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${pointer}: ${instancePath} ${message ?? "is wrong"}`,
    );
  }
}
