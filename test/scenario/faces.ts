import { inSnakeCase } from "../../src/api/rest/naming.js";
import { dataOf, type Client } from "../support/gateway.js";

/** An operation with its ways in; what has no REST path is GraphQL's on both faces. */
export interface Step {
  readonly query: string;
  readonly rest?: readonly [method: "GET" | "POST" | "PATCH", path: string];
}

/** What an operation answered, in REST's names whichever face it went by. */
export interface Outcome {
  readonly code: string | null;
  readonly body: any;
}

/** Calls the service for somebody; `input` is the body of REST. */
export type Face = (
  by: Client,
  step: Step,
  variables?: Readonly<Record<string, unknown>>,
) => Promise<Outcome>;

export const byGraphql: Face = async (by, { query }, variables = {}) => {
  const result = await by.run(query, variables);
  const refusal = result.errors?.[0]?.extensions;
  if (refusal !== undefined) return { code: refusal["code"], body: inSnakeCase(refusal) };
  return { code: null, body: inSnakeCase(dataOf(result)["result"]) };
};

export const byRest: Face = async (by, step, variables = {}) => {
  if (step.rest === undefined) return byGraphql(by, step, variables);
  const [method, path] = step.rest;
  const filled = path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => String(variables[name]));
  const { input } = variables;
  const answer = await by.rest(method, filled, input === undefined ? {} : { body: inSnakeCase(input) });
  const isDone = answer.status < 300;
  // A list of REST is what GraphQL has under `nodes`.
  const body = Array.isArray(answer.body) ? { nodes: answer.body } : answer.body;
  return { code: isDone ? null : body.code, body };
};
