import type { PrismaClient } from "./generated/prisma/client.js";
import type { Caller } from "./core/auth/caller.js";
import type { RoleDirectory } from "./core/auth/role-directory.js";
import type { TokenKeys } from "./core/auth/tokens.js";
import type { FieldError } from "./core/errors/domain-error.js";
import { Loaders } from "./core/loaders/loaders.js";
import type { CompanyDirectory } from "./core/tenancy/company-directory.js";
import type { CompanyScope } from "./core/tenancy/company-scope.js";

/** What lives as long as the process. */
export interface Runtime {
  /** The primary: everything that writes. */
  readonly writer: PrismaClient;
  /** A replica, or the primary when there is none: operations that only read. */
  reader(): PrismaClient;
  readonly companies: CompanyDirectory;
  readonly roles: RoleDirectory;
  readonly keys: TokenKeys;
}

/** What lives as long as one request: who asks, of which companies, and the loaders that batch its reads. */
export class RequestContext {
  readonly scopes = new Map<number, CompanyScope>();
  readonly at = new Date();
  /** Wrong fields that were found before the arguments took shape, such as unknown keys in strict handling. */
  readonly inputErrors: FieldError[] = [];
  private loadersOfRequest: Loaders | undefined;

  constructor(
    readonly runtime: Runtime,
    readonly caller: Caller,
    readonly requestId: string,
    readonly address: string,
    /** The database that this request reads from and writes to. */
    public client: PrismaClient,
  ) {}

  /** @throws Error when the company was not checked first: only the guard opens scopes. */
  companyScope(companyId: number): CompanyScope {
    const scope = this.scopes.get(companyId);
    if (scope === undefined) throw new Error(`company ${companyId} was not authorized`);
    return scope;
  }

  get loaders(): Loaders {
    return (this.loadersOfRequest ??= new Loaders(this.client));
  }
}
