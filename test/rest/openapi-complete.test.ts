import { allErrors } from "../../src/core/errors/codes.js";
import { dereference, operationOf, operationsOf, sharedOpenApi } from "../support/openapi.js";
import type { Operation, Response } from "../support/openapi.js";

const { source, document } = sharedOpenApi();
const operations = operationsOf(document);
const cases = source.routes.map((route) => {
  const operation = operationOf(route, operations);
  return [operation.operationId, route, operation] as const;
});

function responsesOf({ responses }: Operation): [status: number, response: Response][] {
  return Object.entries(responses).map(([status, response]) => [
    Number(status),
    dereference(document, response) as Response,
  ]);
}

/** Statuses that any route may answer. */
const ALWAYS = [401, 429, 503];

describe.each(cases)("%s", (_id, route, operation) => {
  const { access } = route.operation;

  it("has an example of its body and of its answer", () => {
    const media = Object.values(operation.requestBody?.content ?? {});
    const answers = responsesOf(operation).filter(([status]) => status < 300);

    expect(media.length > 0).toBe(route.variables.has("input"));
    for (const { example } of media) expect(example).toBeDefined();
    expect(answers.map(([status]) => status)).toEqual(route.isStream ? [200, 204] : [route.rest.status]);
    for (const [status, { content = {} }] of answers) {
      const kinds = route.isStream ? ["text/event-stream"] : ["application/json"];
      expect(Object.keys(content)).toEqual(status === 204 ? [] : kinds);
      for (const { example } of Object.values(content)) expect(example).toBeDefined();
    }
  });

  it("says in words who may run it", () => {
    const sentence = {
      open: /^Open to anyone/mu,
      signedIn: /^For anyone with a token\.$/mu,
      platform: /^For the platform alone\.$/mu,
      client: /^For (?:a client's|the named client's) own token alone\.$/mu,
      permission: /^Needs the permission `\w+`/mu,
    }[access.kind];

    const callers = {
      open: ["anyone"],
      signedIn: ["admin", "client", "platform"],
      platform: ["platform"],
      client: ["client"],
      permission: /\bclients? /u.test(/^Needs the permission.*$/mu.exec(operation.description)?.[0] ?? "")
        ? ["admin", "client", "platform"]
        : ["admin", "platform"],
    }[access.kind];

    expect(operation["x-callers"]).toEqual(callers);
    expect(operation.description).toMatch(sentence);
    expect(operation["x-permission"]).toBe(access.kind === "permission" ? access.permission : undefined);
  });

  it("lists the errors it may answer, each described and with an example of its problem", () => {
    const errors = responsesOf(operation).filter(([status]) => status >= 400);
    const statuses = errors.map(([status]) => status);

    expect(statuses).toEqual(expect.arrayContaining(ALWAYS));
    if (!route.isOpen) expect(statuses).toContain(403);
    if (route.pathParameters.length > 0) expect(statuses).toContain(404);
    if (route.variables.has("input")) expect(statuses).toEqual(expect.arrayContaining([400, 413, 415, 422]));
    if (route.operation.kind === "mutation") expect(statuses).toContain(409);
    for (const [status, { description, content = {} }] of errors) {
      const { example } = content["application/problem+json"] ?? {};
      const codes = allErrors().filter(([, error]) => error.status === status);

      expect(example).toMatchObject({ status, code: expect.any(String), detail: expect.any(String) });
      for (const [code] of codes) expect(description).toContain(`\`${code}\``);
    }
  });
});
