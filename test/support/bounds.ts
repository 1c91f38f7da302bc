import { toSnakeCase } from "../../src/api/rest/naming.js";
import { wrongFields, type Client, type GraphqlResult } from "./gateway.js";

/** An input that must be refused: the changes to a valid one, and the wrong fields by their GraphQL paths. */
export interface Refusal {
  readonly change: Record<string, unknown>;
  readonly wrong: readonly string[];
}

/** Gives the keys of a GraphQL input their REST names. */
export function toRestBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toRestBody);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [toSnakeCase(key), toRestBody(item)]));
}

/** Expects that both faces refuse the input with exactly these wrong fields. */
export async function expectRefused(
  client: Client,
  faces: {
    graphql: string;
    variables: Record<string, unknown>;
    method: "POST" | "PATCH" | "PUT";
    path: string;
  },
  input: unknown,
  wrong: readonly string[],
): Promise<void> {
  const result: GraphqlResult = await client.run(faces.graphql, { ...faces.variables, input });
  expect(result.errors?.map(({ extensions }) => extensions["code"])).toEqual(["VALIDATION_FAILED"]);
  expect(wrongFields(result.errors?.[0]?.extensions["errors"])).toEqual([...wrong].sort());

  const answer = await client.rest(faces.method, faces.path, { body: toRestBody(input) });
  expect(answer.status).toBe(422);
  const inRest = wrong.map((entry) => {
    const [field = "", rule = ""] = entry.split(":");
    return `${field.replace(/\w+/gu, toSnakeCase)}:${rule}`;
  });
  expect(wrongFields(answer.body.errors)).toEqual(inRest.sort());
}
