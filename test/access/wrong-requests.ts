import { formOf } from "../files/uploads.js";
import { unique } from "../support/factories.js";
import { restBody, type Planted } from "./planted-operations.js";
import type { Sent } from "./witness.js";

const TYPES = [
  "application/json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
];

/** Requests that send what the operation may be sent, each wrong in another way; the right input comes from strangers. */
export async function wrongRequests(operation: Planted, stranger: string): Promise<Sent[]> {
  const { rest } = operation;
  return [
    ...ofGraphql(operation, stranger),
    ...(rest === undefined ? [] : await ofRest(operation, rest, stranger)),
  ];
}

function ofGraphql({ by, query, input, tells = null }: Planted, stranger: string): Sent[] {
  const right = input();
  const literal = JSON.stringify(right).replaceAll(/"(?<key>\w+)":/gu, "$<key>:");
  const inline = query.replace(/^mutation \(.*?\) /u, "mutation ").replace("$input", literal);
  const numbers = /:(?<number>-?\d+)/gu;
  const documents = [
    inline.replace("input: {", "input: { wrong: true, "),
    inline.slice(0, -2),
    inline.replaceAll('"', ""),
    inline.replaceAll('"', '"""\n'),
    inline.replaceAll(':"', ' "'),
    inline.replaceAll(numbers, '="$<number>"'),
    inline.replaceAll(numbers, ':"$<number>"'),
    inline.replaceAll(numbers, ":$<number>.5"),
  ];
  const bodies = [
    ...[...wrongInputs(right), right].map((value) => ({ query, variables: { input: value } })),
    ...documents.map((text) => ({ query: text })),
  ];
  const search = new URLSearchParams({
    query: inline,
    variables: JSON.stringify({ input: right }),
  }).toString();
  const request = { method: "POST", url: "/graphql" } as const;
  return [
    ...bodies.flatMap((payload) => [
      { ...request, by, tells, headers: { "idempotency-key": unique() }, payload },
      { ...request, by: stranger, payload },
    ]),
    ...wrongTexts({ query: inline, variables: right }).map((payload) => ({
      ...request,
      by,
      headers: { "content-type": "application/json" },
      payload,
    })),
    { method: "GET", url: `/graphql?${search}`, by },
  ];
}

async function ofRest(
  { by, query, input, tells = null }: Planted,
  [method, path]: NonNullable<Planted["rest"]>,
  stranger: string,
): Promise<Sent[]> {
  const right = input();
  const url = `/api${path}`;
  const search = new URLSearchParams({ input: JSON.stringify(right) }).toString();
  const parts = { operations: query, wrong: JSON.stringify(right), "user[x]": JSON.stringify(right) };
  const form = await formOf(parts);
  return [
    ...wrongInputs(right).flatMap((value): Sent[] => {
      const request = { method, url, payload: JSON.stringify(restBody(value)) };
      const headers = { "content-type": "application/json" };
      return [
        { ...request, by, tells, headers: { ...headers, "idempotency-key": unique() } },
        { ...request, by, tells, headers: { ...headers, prefer: "handling=strict" } },
        { ...request, by: stranger, headers },
      ];
    }),
    ...TYPES.flatMap((type) =>
      wrongTexts(restBody(right) as object).map((payload) => ({
        method,
        url,
        by,
        headers: { "content-type": type },
        payload,
      })),
    ),
    { method, url, by, tells, ...form },
    { method, url: `${url}?${search}`, by, tells, payload: {} },
  ];
}

/** Changes each value within an object by `change`. */
function mapLeaves(value: unknown, change: (leaf: string | number) => unknown): unknown {
  if (typeof value === "string" || typeof value === "number") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapLeaves(item, change));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapLeaves(item, change)]));
}

/** Inputs with the same values of which something is wrong. */
function wrongInputs(input: object): unknown[] {
  return [
    mapLeaves(input, (leaf) => [leaf]),
    mapLeaves(input, (leaf) => ({ value: leaf })),
    mapLeaves(input, (leaf) => (typeof leaf === "number" ? leaf + 0.5 : `${leaf}\u0000`)),
    mapLeaves(input, (leaf) => (typeof leaf === "number" ? leaf * 10_000 : leaf.repeat(300))),
    mapLeaves(input, (leaf) => (typeof leaf === "number" ? String(leaf) : Number.NaN)),
    { ...input, unknown: input },
    { unknown: input },
    { __proto: input, ...JSON.parse(`{"__proto__": ${JSON.stringify(input)}}`) },
    [input],
    JSON.stringify(input),
  ];
}

/** Bodies with the same values that are no JSON. */
function wrongTexts(body: object): string[] {
  const text = JSON.stringify(body);
  const values: string[] = [];
  mapLeaves(body, (leaf) => values.push(String(leaf)));
  return [
    text.slice(0, -1),
    `${text}${values[0]}`,
    ...values.map((value) => `{"a": ${value}`),
    values.join("="),
  ];
}
