import type { ExecutionResult } from "graphql";
import type { PrismaClient } from "../../generated/prisma/client.js";
import type { Caller } from "../../core/access/caller.js";
import type { RoleDirectory } from "../../core/access/role-directory.js";
import type { TokenKeys } from "../../core/access/tokens.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { IdempotentRequest } from "../idempotency/idempotent-request.js";
import type { RequestTrace } from "../observability/request-trace.js";
import type { Cost } from "../limits/document-limits.js";
import type { ReadPlan } from "../loading/read-plan.js";
import { Loaders } from "../loading/loaders.js";
import type { CompanyDirectory } from "../../core/scope/company-directory.js";
import { createCompanyScope, type CompanyFacts, type CompanyScope } from "../../core/scope/company-scope.js";

/** What lives as long as the process. */
export interface Runtime {
  /** The primary: everything that writes. */
  readonly writer: PrismaClient;
  /** A replica, or the primary when there is none: operations that only read. */
  reader(): PrismaClient;
  readonly companies: CompanyDirectory;
  readonly roles: RoleDirectory;
  readonly keys: TokenKeys;
  /** How long a request may take. */
  readonly requestTimeoutMs: number;
}

/** What lives as long as one request: who asks, of which companies, and the loaders that batch its reads. */
export class RequestContext {
  readonly scopes = new Map<number, CompanyScope>();
  readonly at = new Date();
  /** Wrong fields that were found before the arguments took shape, such as unknown keys in strict handling. */
  readonly inputErrors: FieldError[] = [];
  /** The header `Idempotency-Key`; whether it counts depends on the operation. */
  idempotencyKey: string | undefined;
  /** Set when the request has to take effect once. */
  idempotency: IdempotentRequest | null = null;
  /** What the GraphQL document costs, once it is known. */
  cost: Cost | null = null;
  /** Result of the GraphQL operation when it ran before Apollo was asked. */
  answered: ExecutionResult | null = null;
  /** Whether an operation passed its checks and began to act. */
  hasBegun = false;
  /** What the log and the metrics tell of the request. */
  trace: RequestTrace | null = null;
  /** What the document reads; `null` before it is known. */
  plan: ReadPlan | null = null;
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

  /** Lets the request into a company that its caller was checked against. */
  enter(company: CompanyFacts): CompanyScope {
    const scope = createCompanyScope(
      this.client,
      company,
      this.caller,
      this.at,
      (model) => this.plan?.columnsOf(model) ?? null,
    );
    this.scopes.set(company.id, scope);
    return scope;
  }

  get loaders(): Loaders {
    return (this.loadersOfRequest ??= new Loaders(
      this.client,
      this.plan,
      this.at.getTime() + this.runtime.requestTimeoutMs,
    ));
  }

  /** What is read from now on is read anew. */
  forgetRows(): void {
    this.loadersOfRequest = undefined;
  }

  /** The same request on other databases, such as one transaction; what it has read so far is forgotten. */
  on(runtime: Runtime): RequestContext {
    const changes = { runtime, client: runtime.writer, scopes: new Map(), hasBegun: false };
    const moved: RequestContext = Object.assign(Object.create(this) as RequestContext, changes);
    moved.forgetRows();
    for (const { company } of this.scopes.values()) moved.enter(company);
    return moved;
  }
}
