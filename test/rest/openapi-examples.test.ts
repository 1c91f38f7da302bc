import { FILE_EXAMPLE } from "../../src/api/rest/openapi/examples.js";
import { UploadedFile } from "../../src/core/files/upload.js";
import { bindBody } from "../../src/api/rest/bind-body.js";
import {
  DocumentSchemas,
  nodesOf,
  operationOf,
  operationsOf,
  sharedOpenApi,
  type Media,
} from "../support/openapi.js";

const { source, document } = sharedOpenApi();
const schemas = new DocumentSchemas(document);

describe("examples", () => {
  const contents = nodesOf(document).flatMap(({ pointer, node }) =>
    "example" in node ? [{ pointer, node }] : [],
  );

  it("stand beside every body and every answer that has one", () => {
    const bare = nodesOf(document).filter(
      ({ pointer, node }) => /\/content\/[^/]+~1[^/]+$/u.test(pointer) && !("example" in node),
    );

    expect(bare.map(({ pointer }) => pointer)).toEqual([]);
  });

  it("stand in the schema of every body, too, from where Insomnia takes them", () => {
    const bodies = nodesOf(document).filter(({ pointer }) => /\/requestBody\/content\/[^/]+$/u.test(pointer));
    const bare = bodies.filter(({ node }) => {
      const { schema } = node as unknown as Media;
      const name = String(schema.$ref).replace("#/components/schemas/", "");
      return !("example" in (document.components.schemas[name] ?? schema));
    });

    expect(bodies.length).toBeGreaterThan(50);
    expect(bare.map(({ pointer }) => pointer)).toEqual([]);
  });

  it("fit their schemas", () => {
    const errors = contents.flatMap(({ pointer, node }) =>
      schemas.errors("schema" in node ? `${pointer}/schema` : pointer, node.example),
    );

    expect(errors).toEqual([]);
  });

  it("are bodies that the service itself finds nothing wrong with", () => {
    const refused = source.routes.flatMap((route) => {
      const type = route.variables.get("input");
      if (type === undefined) return [];
      const described = operationOf(route, operationsOf(document));
      const content = described.requestBody?.content ?? {};
      const { example } = (content["application/json"] ?? content["multipart/form-data"]) as Media;
      const { value, unknown } = bindBody(withFiles(structuredClone(example)), type);
      const variables = Object.fromEntries(
        route.pathParameters.map((name) => [name, name === "form_type" ? "payment" : 1]),
      );
      const given = { ...route.rest.example, ...variables, input: value };
      const { errors } = route.operation.check(route.argumentsOf(given));
      return [...unknown, ...errors].map((error) => ({ route: route.name, ...error }));
    });

    expect(refused).toEqual([]);
  });
});

/** Puts files in the places of those that examples have. */
function withFiles(example: unknown): unknown {
  if (typeof example !== "object" || example === null || Array.isArray(example)) return example;
  const file = new UploadedFile("", 1, "");
  return Object.fromEntries(
    Object.entries(example).map(([key, value]) => [key, value === FILE_EXAMPLE ? file : (value as unknown)]),
  );
}
