import { dataOf, type Client, type Gateway } from "../support/gateway.js";
import type { ResourceCase } from "./resource-cases.js";

const camelCase = (model: string): string => model.charAt(0).toLowerCase() + model.slice(1);

/** Returns the documents of a resource's five operations; `fields` are the fields that its input sets. */
export function documentsOf({ model, many, relations = "" }: ResourceCase, fields: readonly string[]) {
  const row = `{ id ${fields.join(" ")} ${relations} createdAt updatedAt }`;
  return {
    list: `query ($companyId: Int!, $filter: ${model}FilterInput, $orderBy: [${model}OrderByInput!], $first: Int, $after: String) {
      result: ${many}(companyId: $companyId, filter: $filter, orderBy: $orderBy, first: $first, after: $after) {
        nodes ${row} totalCount pageInfo { hasNextPage endCursor }
      } }`,
    show: `query ($companyId: Int!, $id: Int!) { result: ${camelCase(model)}(companyId: $companyId, id: $id) ${row} }`,
    create: `mutation ($companyId: Int!, $input: Create${model}Input!) {
      result: create${model}(companyId: $companyId, input: $input) ${row} }`,
    update: `mutation ($companyId: Int!, $id: Int!, $input: Update${model}Input!) {
      result: update${model}(companyId: $companyId, id: $id, input: $input) ${row} }`,
    delete: `mutation ($companyId: Int!, $id: Int!) { result: delete${model}(companyId: $companyId, id: $id) ${row} }`,
  };
}

export interface Row extends Record<string, unknown> {
  readonly id: number;
}

export interface Page {
  readonly nodes: readonly Row[];
  readonly totalCount: number;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Creates `count` rows with different inputs and returns them in the order of creation. */
export async function makeRows(
  resource: ResourceCase,
  gateway: Gateway,
  caller: Client,
  companyId: number,
  count: number,
): Promise<{ row: Row; input: Record<string, unknown> }[]> {
  const made: { row: Row; input: Record<string, unknown> }[] = [];
  for (let index = 0; index < count; index += 1) {
    const input = await resource.input(gateway, companyId);
    const { create } = documentsOf(resource, Object.keys(input));
    made.push({ row: dataOf(await caller.run(create, { companyId, input }))["result"] as Row, input });
  }
  return made;
}
