import { getNamedType, isEnumType, isObjectType } from "graphql";
import { toSnakeCase } from "../../src/api/rest/naming.js";
import {
  dereference,
  DocumentSchemas,
  nodesOf,
  openApiOf,
  operationOf,
  operationsOf,
  restSource,
  sharedOpenApi,
  writtenRoutes,
  type Operation,
  type Parameter,
  type Response,
  type Schema,
} from "../support/openapi.js";

const { source, document } = sharedOpenApi();
const operations = operationsOf(document);
const schemas = new DocumentSchemas(document);
const byId = new Map(operations.map((described) => [described.operation.operationId, described.operation]));

function operation(id: string): Operation {
  const described = byId.get(id);
  if (described === undefined) throw new Error(`no operation ${id}`);
  return described;
}

function parametersOf({ parameters }: Operation): Parameter[] {
  return parameters.map((parameter) => dereference(document, parameter) as Parameter);
}

function parameter(id: string, name: string): Parameter | undefined {
  return parametersOf(operation(id)).find((known) => known.name === name);
}

/** A component with its properties. */
function component(name: string): Schema & { properties: Record<string, Schema> } {
  const schema = document.components.schemas[name];
  if (schema?.properties === undefined) throw new Error(`no component ${name} with properties`);
  return { ...schema, properties: schema.properties };
}

describe("the OpenAPI document as such", () => {
  it("is OpenAPI 3.1 with an address to send to, and with the version of the package", async () => {
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });

    expect(document.openapi).toMatch(/^3\.1\.\d+$/u);
    expect(document.info).toMatchObject({ title: expect.any(String), version: manifest.version });
    expect(document.servers).toEqual([{ url: "http://127.0.0.1:4000/api", description: "This service." }]);
    expect(Object.keys(document).sort()).toEqual([
      "components",
      "externalDocs",
      "info",
      "openapi",
      "paths",
      "security",
      "servers",
      "tags",
    ]);
  });

  it("has every route that schema/rest writes, and nothing else", () => {
    const described = operations.map(({ method, path }) => `${method} ${path}`);

    expect(described.sort()).toEqual(writtenRoutes().sort());
  });

  it("resolves every reference", () => {
    const broken = nodesOf(document).filter(
      ({ node }) => typeof node.$ref === "string" && dereference(document, node) === undefined,
    );

    expect(broken.map(({ node }) => node.$ref)).toEqual([]);
  });

  it("names every component as OpenAPI allows and leaves none unused", () => {
    const used = new Set(nodesOf(document).map(({ node }) => node.$ref));
    const { securitySchemes: _, ...components } = document.components;
    const names = Object.entries(components).flatMap(([kind, items]) =>
      Object.keys(items).map((name) => `#/components/${kind}/${name}`),
    );

    expect(names.filter((name) => !/^#\/components\/\w+\/[\w.-]+$/u.test(name))).toEqual([]);
    expect(names.filter((name) => !used.has(name))).toEqual([]);
  });

  it("is the same at every run", () => {
    expect(JSON.stringify(openApiOf(restSource()))).toBe(JSON.stringify(document));
  });
});

describe("operations", () => {
  it("have an identifier of their own, a known tag, words, parameters, and an answer", () => {
    const tags = document.tags.map(({ name }) => name);

    expect(byId.size).toBe(operations.length);
    for (const { operation: described } of operations) {
      expect(described.operationId).toMatch(/^[a-z]\w+$/u);
      expect(described.tags).toHaveLength(1);
      expect(tags).toContain(described.tags[0]);
      expect(described.summary).toMatch(/^\S.*[^.]$/u);
      expect(described.description.length).toBeGreaterThan(described.summary.length);
      const successes = Object.keys(described.responses).filter((status) => status.startsWith("2"));
      const isStream = described.operationId === "followJob";
      expect(successes).toEqual(isStream ? ["200", "204"] : [expect.any(String)]);
    }
  });

  it("declare exactly the parameters of their path, and none twice", () => {
    for (const { path, operation: described } of operations) {
      const parameters = parametersOf(described);
      const inPath = parameters.filter((known) => known.in === "path");
      const keys = parameters.map((known) => `${known.in} ${known.name}`);

      expect(inPath.map(({ name }) => `{${name}}`)).toEqual(path.match(/\{\w+\}/gu) ?? []);
      expect(inPath.every(({ required }) => required === true)).toBe(true);
      expect(new Set(keys).size).toBe(keys.length);
      expect(parameters.filter((known) => !known.description || !known.schema)).toEqual([]);
    }
  });

  it("ask for a token of one kind unless they are open, and name the permission", () => {
    expect(document.security).toEqual([{ bearerAuth: [] }]);
    expect(document.components.securitySchemes).toEqual({
      bearerAuth: expect.objectContaining({ type: "http", scheme: "bearer" }),
    });
    for (const route of source.routes) {
      const { access } = route.operation;
      const described = operationOf(route, operations);
      const permission = access.kind === "permission" ? access.permission : undefined;

      const takesNoToken = access.kind === "open" && access.ignoresToken;
      const security = takesNoToken ? [] : route.isOpen ? [{}, ...document.security] : undefined;
      expect(described.security).toEqual(security);
      expect(described["x-permission"]).toBe(permission);
      if (permission !== undefined) expect(described.description).toContain(`\`${permission}\``);
    }
  });

  it("answer with their own status, and with the refusals that may happen", () => {
    const statuses = (id: string): string[] => Object.keys(operation(id).responses);

    expect(statuses("createProperty")).toEqual("201 400 401 403 404 409 413 415 422 429 503".split(" "));
    expect(statuses("listProperties")).toEqual("200 304 400 401 404 429 503".split(" "));
    expect(statuses("showProperty")).toEqual("200 304 400 401 404 429 503".split(" "));
    expect(statuses("listLegacyGoodProperties")).toEqual("200 304 400 401 404 429 503".split(" "));
    expect(statuses("deleteProperty")).toEqual("204 400 401 403 404 409 412 429 503".split(" "));
  });

  it("answer refusals as problems", () => {
    for (const response of Object.values(document.components.responses)) {
      expect(Object.keys(response.content ?? {})).toEqual(["application/problem+json"]);
      expect(response.description).not.toBe("");
    }
  });

  it("name the headers of their answers", () => {
    const headers = (id: string, status: number): string[] => {
      const response = operation(id).responses[status] as Response;
      return Object.keys(response.headers);
    };

    expect(headers("createProperty", 201)).toEqual([
      "X-Request-Id",
      "Preference-Applied",
      "ETag",
      "Location",
      "Idempotent-Replayed",
    ]);
    expect(headers("listProperties", 200)).toEqual([
      "X-Request-Id",
      "Preference-Applied",
      "ETag",
      "X-Total-Count",
      "Link",
    ]);
    expect(headers("showProperty", 200)).toEqual(["X-Request-Id", "Preference-Applied", "ETag"]);
    expect(headers("deleteProperty", 204)).toEqual(["X-Request-Id", "Preference-Applied"]);
  });
});

describe("parameters", () => {
  it("give a list its pages, filter, order and shape", () => {
    const names = parametersOf(operation("listProperties")).map(({ name }) => name);
    const filters = names.filter((name) => name.startsWith("filter["));

    expect(names).toEqual([
      "companyId",
      "page",
      "per_page",
      "cursor",
      ...filters,
      "sort",
      "load",
      "fields",
      "If-None-Match",
      "Prefer",
    ]);
    expect(parameter("listProperties", "companyId")?.schema).toMatchObject({ type: "integer", minimum: 1 });
    expect(parameter("listProperties", "per_page")?.schema).toMatchObject({
      minimum: 1,
      maximum: 200,
      default: 25,
    });
    expect(filters).toEqual(expect.arrayContaining(["filter[id]", "filter[name]", "filter[created_at]"]));
    expect(parameter("listProperties", "filter[name]")).toMatchObject({ style: "deepObject", explode: true });
    expect(parameter("listProperties", "sort")?.schema.items?.enum).toEqual(
      expect.arrayContaining(["name", "-name", "created_at", "-created_at"]),
    );
    expect(parameter("listProperties", "sort")?.schema.items?.enum).not.toContain("disabled");
    expect(parameter("listProperties", "fields")?.schema.items?.enum).toContain("property_options");
  });

  it.each([
    ["load", ["branch_group"], true],
    ["load", ["branch_group.branches", "property_options"], true],
    ["load", ["secrets"], false],
    ["sort", ["-created_at", "name"], true],
    ["sort", ["type"], false],
    ["fields", ["id", "name"], true],
    ["fields", ["company_id"], false],
    ["filter[name]", "Size", true],
    ["filter[name]", { contains: "i", ne: "Size" }, true],
    ["filter[created_at]", { gte: "2026-01-31" }, true],
    ["filter[created_at]", { gte: "yesterday" }, false],
    ["filter[id]", { in: "1,2" }, true],
    ["filter[id]", { in: "1,x" }, false],
    ["filter[property_group_id]", { is_null: true }, true],
    ["filter[property_group_id]", { contains: "1" }, false],
  ])("allow in %s what the service knows: %j is %s", (name, value, fits) => {
    const index = parametersOf(operation("listProperties")).findIndex((known) => known.name === name);
    const { $ref: reference } = operation("listProperties").parameters[index] as { $ref?: string };
    const pointer = reference ?? `#/paths/~1companies~1{companyId}~1properties/get/parameters/${index}`;

    expect(schemas.at(`${pointer}/schema`)(value)).toBe(fits);
  });

  it("let requests be handled strictly, and those that change something be sent again", () => {
    expect(parameter("createProperty", "Prefer")).toMatchObject({ in: "header" });
    expect(parameter("deleteProperty", "Prefer")).toMatchObject({ in: "header" });
    expect(parameter("updateProperty", "Idempotency-Key")).toMatchObject({ in: "header" });
    expect(parameter("deleteProperty", "Idempotency-Key")).toBeUndefined();
    expect(parameter("login", "Idempotency-Key")).toBeUndefined();
  });
});

describe("schemas", () => {
  /** A pointer to each schema; references begin at the root, so those that read the same mean the same. */
  const pointers = new Map(
    nodesOf(document).flatMap(({ pointer, node }) =>
      "schema" in node && !pointer.includes("/example")
        ? [[JSON.stringify(node["schema"]), `${pointer}/schema`] as const]
        : [],
    ),
  );
  const components = Object.keys(document.components.schemas).map((name) => `#/components/schemas/${name}`);

  it("all compile as JSON Schema 2020-12 without a keyword of our own", () => {
    expect(pointers.size).toBeGreaterThan(100);
    for (const pointer of [...components, ...pointers.values()])
      expect(() => schemas.at(pointer)).not.toThrow();
  });

  it("name every property as REST does and describe it", () => {
    const wrong = Object.entries(document.components.schemas).flatMap(([type, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([name, property]) => !/^[a-z][a-z0-9_]*$/u.test(name) || !property.description)
        .map(([name]) => `${type}.${name}`),
    );

    expect(wrong).toEqual([]);
  });

  it("name the words of enums in answers", () => {
    const { finished } = source;
    const checked = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) => {
      const type = finished.schema.getType(name.replace(/View$/u, ""));
      if (!isObjectType(type)) return [];
      return Object.values(type.getFields()).flatMap((field) => {
        const named = getNamedType(field.type);
        const property = properties[toSnakeCase(field.name)];
        if (!isEnumType(named) || property === undefined) return [];
        const words = new Set((property.items ?? property).enum ?? []);
        words.delete(null);
        expect([name, field.name, [...words]]).toEqual([
          name,
          field.name,
          named.getValues().map((value) => value.name),
        ]);
        return [`${name}.${field.name}`];
      });
    });

    expect(checked).toEqual(expect.arrayContaining(["Coupon.status", "CouponView.allowedActions"]));
  });

  it("require no key that an answer has only when it is asked for", () => {
    const { responses } = operation("checkCoupon");
    const { schema } = (responses[200] as Response).content?.["application/json"] as { schema: Schema };

    expect(schema.properties).toHaveProperty("explanation");
    expect(schema.required).toContain("discount_e2");
    expect(schema.required).not.toContain("explanation");
  });

  it("keep the bounds of inputs, and their conditions", () => {
    const [PropertyInput, SyncGoodPropertyInput] = [
      component("PropertyInput"),
      component("SyncGoodPropertyInput"),
    ];
    const errors = (value: unknown): string[] => schemas.errors("#/components/schemas/PropertyInput", value);

    expect(PropertyInput.properties.name).toMatchObject({ type: "string", minLength: 1, maxLength: 64 });
    expect(PropertyInput.required).toEqual(["name"]);
    expect(SyncGoodPropertyInput.properties.min_count).toMatchObject({
      type: ["integer", "null"],
      minimum: 0,
      maximum: 15,
    });
    expect(errors({ name: "Size", type: 256, property_options: [{ name: "S", price_e2: 0 }] })).toEqual([]);
    expect(errors({ name: "Size", type: 256, property_options: [{ name: "S" }] })).not.toEqual([]);
    expect(errors({ name: "Size", property_range: null, colour: "ignored" })).toEqual([]);
    expect(errors({ name: "x".repeat(65) })).not.toEqual([]);
  });

  it("tell what may be null in answers and which keys are always there", () => {
    const [Property, PropertyView] = [component("Property"), component("PropertyView")];

    expect(Property.properties.branch_group_id).toMatchObject({ type: ["integer", "null"], format: "int32" });
    expect(Property.properties.property_range?.anyOf).toEqual([
      { $ref: "#/components/schemas/PropertyRange" },
      { type: "null" },
    ]);
    expect(Property.properties.created_at).toMatchObject({ type: "string", pattern: expect.any(String) });
    expect(component("PropertyOption").properties.price_e2).toMatchObject({ format: "int64" });
    expect(Property.required).toEqual(Object.keys(Property.properties));
    expect(PropertyView.required).toBeUndefined();
    expect(PropertyView.properties).toHaveProperty("branch_group");
  });

  it("are sure of all keys in what a change answers, which may have more loaded", () => {
    const Loaded = component("CouponLoaded");

    expect(parametersOf(operation("setCouponReady")).map(({ name }) => name)).toContain("load");
    expect(parametersOf(operation("setCouponReady")).map(({ name }) => name)).not.toContain("fields");
    expect(Loaded.required).toEqual(component("Coupon").required);
    expect(Loaded.properties.generation).toMatchObject({ $ref: "#/components/schemas/CouponGeneration" });
    expect(component("RedeemedCouponLoaded").properties).toHaveProperty("balance_e2");
  });
});
