import type { PrismaClient } from "../../generated/prisma/client.js";
import type { Caller } from "../access/caller.js";
import type { RoleDirectory } from "../access/role-directory.js";
import type { TokenKeys } from "../access/tokens.js";
import type { CompanyDirectory } from "../scope/company-directory.js";
import type { CompanyScope } from "../scope/company-scope.js";

/** What lives as long as the process. */
export interface Runtime {
  /** The primary: everything that writes. */
  readonly writer: PrismaClient;
  /** A replica, or the primary when there is none: operations that only read. */
  reader(): PrismaClient;
  readonly companies: Pick<CompanyDirectory, "find" | "forget">;
  readonly roles: Pick<RoleDirectory, "grantOf" | "clientExists" | "forgetCompany">;
  readonly keys: TokenKeys;
  /** How long a request may take. */
  readonly requestTimeoutMs: number;
}

/** What an operation knows besides its arguments; resolvers take it with `@Ctx()`. */
export interface OperationContext {
  readonly caller: Caller;
  /** The moment of the request (UTC). */
  readonly at: Date;
  /** Network address of the caller. */
  readonly address: string;
  readonly runtime: Runtime;
  /** The database that this run reads from and writes to, without a company. */
  readonly client: PrismaClient;
  /** @throws Error when the guard has not let the caller into the company. */
  companyScope(companyId: number): CompanyScope;
  /**
   * A company that the caller was not checked against, for operations that find out who calls, such as `login`.
   *
   * @returns `null` for a company that does not exist or is deleted.
   */
  openCompany(companyId: number): Promise<CompanyScope | null>;
}
