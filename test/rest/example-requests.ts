import { FILE_EXAMPLE } from "../../src/api/rest/openapi/examples.js";
import { png } from "../files/pictures.js";
import type { FormParts } from "../files/uploads.js";
import {
  dereference,
  type DescribedOperation,
  type OpenApiDocument,
  type Parameter,
} from "../support/openapi.js";

/** The picture that the examples name. Where it is to be fetched, a server of the test has one in its place. */
export const PICTURE = "https://example.com/files/picture.jpg";

/** The parameters of an operation. */
export function parametersOf(document: OpenApiDocument, { operation }: DescribedOperation): Parameter[] {
  return operation.parameters.map((parameter) => dereference(document, parameter) as Parameter);
}

/** The addresses to ask, with values that the OpenAPI document gives: those of the path, and the sets of query parameters to try. */
export function requestsOf(document: OpenApiDocument, described: DescribedOperation): string[] {
  const parameters = parametersOf(document, described);
  const path = described.path.replaceAll(/\{(?<name>\w+)\}/gu, (_, name: string) => {
    const { example } = parameters.find((known) => known.in === "path" && known.name === name) ?? {};
    return encodeURIComponent(String(example));
  });
  const inQuery = parameters.filter((known) => known.in === "query");
  const fixed = inQuery.flatMap(({ name, example }) =>
    example === undefined ? [] : [`${name}=${encodeURIComponent(String(example as string))}`],
  );
  const sets = inQuery.flatMap(({ name, examples }) =>
    Object.values(examples ?? {}).map(({ value }) =>
      Object.entries(value as object).map(
        ([key, item]) => `${name}[${key}]=${encodeURIComponent(String(item))}`,
      ),
    ),
  );
  return (sets.length === 0 ? [[]] : sets).map((set) => {
    const query = [...fixed, ...set].join("&");
    return query === "" ? path : `${path}?${query}`;
  });
}

/** Returns the parts of an example, with a file that suits every field in the place of each: a sheet, or a picture. */
export async function formOfExample(example: unknown): Promise<FormParts> {
  const picture = { bytes: await png({ width: 2400 }) };
  const sheet = { bytes: Buffer.from("Name;Preis;SKU;Tags\nTee;2,50;T-1;hot"), name: "goods.csv" };
  const parts = Object.entries(example as Record<string, unknown>).map(([name, value]) => {
    if (value === FILE_EXAMPLE) return [name, name === "file" ? sheet : picture] as const;
    return [name, typeof value === "string" ? value : JSON.stringify(value)] as const;
  });
  return Object.fromEntries(parts);
}
