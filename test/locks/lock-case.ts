import { createCompany, type TestCompany } from "../support/factories.js";
import { dataOf, type Client, type Gateway, type RestResult } from "../support/gateway.js";
import type { RowKey } from "./held-row.js";

/** A row that a statement locks, and work that comes to that statement. */
export interface LockCase {
  /** The row that another session holds. */
  readonly row: RowKey;
  /** The table of the row, where the sources name it by a placeholder. */
  readonly table?: string;
  /** Whether the statement that locks changes the row as well. */
  readonly writes?: boolean;
  /** Does the work, which has to succeed; it lets the row be held before the statement is sent. */
  readonly act: (hold: () => Promise<void>) => Promise<unknown>;
}

export type Cases = Readonly<Record<string, (gateway: Gateway) => Promise<LockCase>>>;

/** A case whose row is held before the work begins. */
export function held(row: RowKey, work: () => Promise<unknown>, table?: string): LockCase {
  const act: LockCase["act"] = async (hold) => {
    await hold();
    await work();
  };
  return { row, act, ...(table !== undefined && { table }) };
}

/** Sends a request by REST that must be answered by a success. */
export async function sends(
  client: Client,
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<void> {
  const result = await client.rest(method, path, { headers, ...(body !== undefined && { body }) });
  expectSuccess(result);
}

/** Expects a success, and shows the body of a refusal. */
export function expectSuccess({ status, body }: RestResult): void {
  expect({ isSuccess: status < 300, body }).toEqual({ isSuccess: true, body });
}

/** Runs a mutation of a company by GraphQL that must succeed: its call with arguments that are written out. */
export async function runs({ id, owner }: TestCompany, call: string): Promise<void> {
  const [name, ...rest] = call.split("(");
  dataOf(await owner.run(`mutation { ${name}(companyId: ${id}, ${rest.join("(")} }`));
}

export interface Scene {
  readonly gateway: Gateway;
  readonly company: TestCompany;
  /** What all rows of the company have. */
  readonly own: { readonly companyId: number };
  /** The key of a row of the company. */
  readonly keyOf: (row: { readonly id: number | bigint }) => RowKey;
}

/** Sets a case up in a company of its own. */
export function inCompany(
  arrange: (scene: Scene) => Promise<LockCase>,
): (gateway: Gateway) => Promise<LockCase> {
  return async (gateway) => {
    const company = await createCompany(gateway, { settings: { currencyIso: "USD" } });
    const keyOf: Scene["keyOf"] = ({ id }) => ({ company_id: company.id, id });
    return arrange({ gateway, company, own: { companyId: company.id }, keyOf });
  };
}
