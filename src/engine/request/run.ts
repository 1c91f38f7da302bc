import type { PrismaClient } from "../../generated/prisma/client.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { BulkResult } from "../../core/operations/bulk-result.js";
import type { OperationContext, Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts, CompanyScope } from "../../core/scope/company-scope.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { createCompanyScope } from "../data/create-company-scope.js";
import { runBulk, type BulkWork } from "../execution/run-bulk.js";
import { RowBudget } from "../limits/row-budget.js";
import { Loaders } from "../loading/loaders.js";
import type { ReadPlan } from "../loading/read-plan.js";
import type { Admissions } from "./admissions.js";
import type { Request } from "./request.js";

/** What has to hold of a row for a change to be made (contract §4.8). */
export interface Precondition {
  readonly model: ModelName;
  readonly id: number;
  /** Judges the row, which is locked, over the transaction in which the change is made. */
  holds(inside: Run, row: LockedRow): boolean | Promise<boolean>;
}

/** A row that is locked until the change is made. */
export interface LockedRow {
  readonly updatedAt: Date;
}

/** The settings of one run of a document. */
export interface RunSettings {
  /** The runtime that this run uses: within a transaction, all reads and writes go there. */
  readonly runtime: Runtime;
  readonly client: PrismaClient;
  /** The columns and relations that the document reads. */
  readonly plan: ReadPlan;
  /** The run may read and answer as many rows as this. */
  readonly costLimit: number;
  /**
   * Wrong fields that were found before the arguments were given their types, such as unknown keys in strict
   * handling.
   */
  readonly inputErrors: readonly FieldError[];
  /** What has to hold for the change to be made; a document with one has one mutation. */
  readonly precondition?: Precondition | null;
}

/**
 * One run of a document for one request. It keeps the companies that it has entered, and the loaders that batch its
 * reads.
 */
export class Run implements OperationContext {
  readonly caller;
  readonly at;
  readonly address;
  readonly runtime;
  readonly client;
  readonly plan;
  readonly inputErrors;
  readonly precondition: Precondition | null;
  readonly budget: RowBudget;
  /** The companies that the caller was let into; within a transaction, further ones are decided over its connection. */
  readonly admissions: Admissions;
  /** Whether an operation has passed its checks and begun to act. */
  hasBegun = false;
  readonly refusedPlaces = new Set<string>();
  private readonly scopes = new Map<number, CompanyScope>();
  private loadersOfRun: Loaders | undefined;

  constructor(
    readonly request: Request,
    private readonly settings: RunSettings,
  ) {
    const { runtime, client, plan, costLimit, inputErrors, precondition = null } = settings;
    this.caller = request.caller;
    this.at = request.at;
    this.address = request.address;
    this.runtime = runtime;
    this.admissions = runtime === request.runtime ? request.admissions : request.admissions.within(runtime);
    this.client = client;
    this.plan = plan;
    this.inputErrors = inputErrors;
    this.precondition = precondition;
    this.budget = new RowBudget(costLimit);
  }

  companyScope(companyId: number): CompanyScope {
    const scope = this.scopes.get(companyId);
    if (scope === undefined) throw new Error(`company ${companyId} was not authorized`);
    return scope;
  }

  async openCompany(companyId: number): Promise<CompanyScope | null> {
    const company = await this.runtime.companies.find(companyId);
    return company === null ? null : createCompanyScope(this.client, company, this.caller, this.at);
  }

  forEach(company: CompanyScope, ids: readonly number[], work: BulkWork["work"]): Promise<BulkResult[]> {
    return runBulk(company, ids, { deadline: this.at.getTime() + this.runtime.requestTimeoutMs, work });
  }

  /** Opens the scope of a company that the caller was admitted to. */
  enter(company: CompanyFacts): CompanyScope {
    let scope = this.scopes.get(company.id);
    if (scope === undefined) {
      const selected: CompanyScope["selected"] = (model) => this.plan.columnsOf(model);
      scope = createCompanyScope(this.client, company, this.caller, this.at, {
        selected,
        runtime: this.runtime,
        meter: this.budget,
      });
      this.scopes.set(company.id, scope);
    }
    return scope;
  }

  /** Runs `work` in a transaction, with the companies that were entered; inside a transaction, in that one. */
  async inTransaction<T>(work: (inside: Run) => Promise<T>): Promise<T> {
    if (this.runtime !== this.request.runtime) return work(this);
    const afterwards: (() => void)[] = [];
    const result = await this.client.$transaction((transaction) => {
      const client = transaction as PrismaClient;
      const runtime = this.runtime.within(client, (task) => void afterwards.push(task));
      const inside = new Run(this.request, { ...this.settings, runtime, client });
      for (const { company } of this.scopes.values()) inside.enter(company);
      return work(inside);
    });
    for (const task of afterwards) task();
    return result;
  }

  get loaders(): Loaders {
    return (this.loadersOfRun ??= new Loaders(
      this.client,
      this.budget,
      this.plan,
      this.at.getTime() + this.runtime.requestTimeoutMs,
    ));
  }

  /** Forgets rows and decisions, so that they are read anew: a mutation may have changed them. */
  forget(): void {
    this.loadersOfRun = undefined;
    this.admissions.forget();
  }
}
