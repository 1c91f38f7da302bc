import type { GraphQLField } from "graphql";
import { contractVersion } from "../../engine/schema/contract-version.js";
import type { FinishedSchema } from "../../engine/guard/finish-schema.js";
import type { JsonSchema } from "../../core/inputs/json-schema.js";
import { DynamicLoading } from "./dynamic-loading.js";
import { accessOf, SECURITY, SECURITY_SCHEMES } from "./openapi/access.js";
import { InputComponents, inputChoices } from "./openapi/input-components.js";
import { boundArguments, Parameters } from "./openapi/parameters.js";
import { problemResponses, problemSchema } from "./openapi/problems.js";
import { RequestBodies } from "./openapi/request-body.js";
import { ResourceComponents } from "./openapi/resource-components.js";
import { DEFAULT_SERVER } from "./openapi-server.js";
import { HEADERS, Responses } from "./openapi/responses.js";
import { usedSchemas } from "./openapi/used-schemas.js";
import { headline, operationId, restText, title } from "./openapi/wording.js";
import type { RestDocuments } from "./rest-documents.js";
import type { RestRoute } from "./rest-route.js";

export interface OpenApiSource {
  readonly routes: readonly RestRoute[];
  readonly documents: RestDocuments;
  readonly finished: FinishedSchema;
  /** What operations answer on the demo data, by their identifiers. */
  readonly answers: Readonly<Record<string, unknown>>;
}

const INTRODUCTION =
  "The back office of a multi-tenant commerce platform. Names ending in `_e2` are hundredths of the currency " +
  "unit: 1234 is 12.34. Moments are UTC, written `YYYY-MM-DD HH:MM:SS`.";

const LICENSE = { name: "Proprietary", identifier: "LicenseRef-Proprietary" };

/** Builds the OpenAPI 3.1 document of all REST routes from their GraphQL documents and the schema alone. */
export function buildOpenApi({ routes, documents, finished, answers }: OpenApiSource): object {
  const slices = new Map(documents.routes.map(({ name, slice }) => [name, slice]));
  const inputs = new InputComponents(finished);
  const resources = new ResourceComponents(documents.resources, inputChoices(finished));
  const dynamicLoading = new DynamicLoading(finished.schema, documents.resources);
  const parameters = new Parameters(inputs, dynamicLoading);
  const bodies = new RequestBodies(finished, inputs);
  const responses = new Responses(resources, dynamicLoading, answers);

  const paths: Record<string, Record<string, JsonSchema>> = {};
  for (const route of routes) {
    const field = fieldOf(route, finished);
    const args = boundArguments(route, field.args);
    const requestBody = bodies.of(route, args.get("input"));
    (paths[route.rest.path] ??= {})[route.rest.method.toLowerCase()] = {
      operationId: operationId(route),
      tags: [title(slices.get(route.name) ?? "")],
      ...describeOperation(route, field),
      parameters: parameters.of(route, field.args),
      ...(requestBody !== undefined && { requestBody }),
      responses: responses.of(route),
    };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Commerce gateway",
      version: contractVersion(),
      description: INTRODUCTION,
      license: LICENSE,
    },
    externalDocs: {
      url: "docs/contract",
      description: "The public contract: the rules that no single field can show.",
    },
    servers: [{ url: DEFAULT_SERVER, description: "This service." }],
    security: SECURITY,
    tags: [...new Set(slices.values())].map((slice) => tagOf(slice, documents)),
    paths,
    components: {
      schemas: sorted(
        usedSchemas([paths, parameters.components], {
          ...resources.schemas,
          ...inputs.schemas,
          Problem: problemSchema(),
        }),
      ),
      parameters: parameters.components,
      headers: HEADERS,
      responses: problemResponses(),
      securitySchemes: SECURITY_SCHEMES,
    },
  };
}

function describeOperation(route: RestRoute, field: GraphQLField<unknown, unknown>): JsonSchema {
  const { text, keys } = accessOf(route.operation.access);
  const described = restText(field.description?.replace(` ${text}`, ""));
  const paragraphs = [route.description, described, restText(field.deprecationReason), text].filter(
    (paragraph) => paragraph !== "",
  );
  return {
    ...(field.deprecationReason != null && { deprecated: true }),
    summary: headline(route.description === "" ? described : route.description),
    description: [...new Set(paragraphs)].join("\n\n"),
    ...keys,
  };
}

/**
 * Returns the tag of a slice.
 *
 * @throws Error that names the file when its head comment is missing.
 */
function tagOf(slice: string, { slices }: RestDocuments): { name: string; description: string } {
  const description = slices.get(slice) ?? "";
  if (description === "")
    throw new Error(`schema/rest/${slice}.graphql has to begin with a comment on what its routes are about`);
  return { name: title(slice), description };
}

function fieldOf({ operation }: RestRoute, { schema }: FinishedSchema): GraphQLField<unknown, unknown> {
  const type = operation.kind === "query" ? schema.getQueryType() : schema.getMutationType();
  return type?.getFields()[operation.name] as GraphQLField<unknown, unknown>;
}

function sorted(schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(Object.entries(schemas).sort(([one], [other]) => (one < other ? -1 : 1)));
}
