import type { Db } from "../../core/db/db.js";
import type { FieldError } from "../../core/errors/domain-error.js";
import type { BulkOutcome } from "../../core/operations/bulk-result.js";
import type {
  ListedRows,
  OperationContext,
  RowActs,
  RowResult,
  Runtime,
  WrittenChange,
} from "../../core/operations/operation-context.js";
import type { CompanyFacts, CompanyScope } from "../../core/scope/company-scope.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { trailQuota } from "../audit/trail.quota.js";
import { actorStatement } from "../audit/audit-context.js";
import { allCompanies, OF_ALL_COMPANIES } from "../tenancy/all-companies.js";
import { identityOf, ownerOf } from "../idempotency/idempotent-request.js";
import { sendAhead, tableOf } from "../tenancy/bounded-db.js";
import { createCompanyScope } from "../tenancy/create-company-scope.js";
import { noneDone, runBulk, runRows, type BulkWork } from "./run-bulk.js";
import { RowBudget } from "../limits/row-budget.js";
import { Loaders } from "../loading/loaders.js";
import type { ReadPlan } from "../loading/read-plan.js";
import type { Operation } from "../schema/operation.js";
import type { Admissions } from "./admissions.js";
import type { Request } from "./request.js";

/** What undoes the transaction of rows of which one was refused. */
const TAKEN_BACK = new Error("a row was refused");

/** What has to hold of the row that a mutation changes for the change to be made (contract §4.8). */
export interface Precondition {
  /** The fields of the row that it judges by, besides its id, version and moment. */
  readonly fields: readonly string[];
  /** Judges the row, which is locked, over the transaction in which the change is made. */
  holds(inside: Run, row: LockedRow): boolean | Promise<boolean>;
}

/** A row that is locked until the change is made, with the fields that its conditions asked for. */
export interface LockedRow {
  readonly id: number;
  readonly version: number;
  readonly updatedAt: Date;
  readonly [field: string]: unknown;
}

/** The row that a mutation changed, as the change has left it. */
export type ChangedVersion = Pick<LockedRow, "id" | "version">;

/** The settings of one run of a document. */
export interface RunSettings {
  /** The runtime that this run uses: within a transaction, all reads and writes go there. */
  readonly runtime: Runtime;
  readonly client: Db;
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
  /** Is told the version of the row that the mutation has changed, where the answer does not show it. */
  readonly tellChanged?: ((row: ChangedVersion) => void) | undefined;
  /** Takes back a change, see `OperationContext`. */
  readonly takeBack: (run: Run, change: WrittenChange) => Promise<void>;
  /** Holds the answer back, see `OperationContext`; a document that only reads needs none. */
  readonly hold?: (milliseconds: number) => void;
}

/**
 * One run of a document for one request. It keeps the companies that it has entered, and the loaders that batch its
 * reads.
 */
export class Run implements OperationContext {
  readonly caller;
  readonly at;
  readonly address;
  readonly device;
  readonly requestId;
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
  private acting: Operation | null = null;
  private isOnBehalf = false;
  private hasToldActor = false;
  private identities = 0;
  readonly refusedPlaces = new Set<string>();
  /** The wrong fields of the rows of the bulk operation that acts, by their places. */
  wrongRows: ReadonlyMap<number, readonly FieldError[]> = new Map();
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
    this.device = request.device;
    this.requestId = request.id;
    this.runtime = runtime;
    this.admissions = runtime === request.runtime ? request.admissions : request.admissions.within(runtime);
    this.client = client;
    this.plan = plan;
    this.inputErrors = inputErrors;
    this.precondition = precondition;
    this.budget = new RowBudget(costLimit, request.turn);
  }

  companyScope(companyId: number): CompanyScope {
    const scope = this.scopes.get(companyId);
    if (scope === undefined) throw new Error(`company ${companyId} was not authorized`);
    return scope;
  }

  listSource(model: ModelName, companyId: number | null): ListedRows {
    const select = this.plan.columnsOf(model);
    if (companyId !== null) {
      const delegate = tableOf<ListedRows["delegate"]>(this.companyScope(companyId).db, model);
      return { delegate, where: { companyId }, select };
    }
    if (this.caller.kind !== "platform") throw new Error("only the platform lists rows of all companies");
    return { delegate: allCompanies(this.client, model, this.budget), where: OF_ALL_COMPANIES, select };
  }

  async openCompany(companyId: number): Promise<CompanyScope | null> {
    const company = await this.runtime.companies.find(companyId);
    if (company === null) return null;
    return createCompanyScope(this.client, company, this.caller, this.at, {
      begin: (transaction) => this.tellActor(transaction),
    });
  }

  forEach(
    { company }: CompanyScope,
    ids: readonly number[],
    acts: RowActs<number, object>,
  ): Promise<BulkOutcome[]> {
    return runBulk(ids, this.rowsWork(company, this.client, { ...acts, isOne: this.isWithinTransaction }));
  }

  async forEachRow<Row extends object, Done>(
    { company }: CompanyScope,
    rows: readonly Row[],
    { isWhole, ...acts }: RowActs<Row, Done> & { readonly isWhole: boolean },
  ): Promise<RowResult<Done>[]> {
    const isOne = isWhole || this.isWithinTransaction;
    const doAll = (client: Db): Promise<RowResult<Done>[]> =>
      runRows(rows, { ...this.rowsWork(company, client, { ...acts, isOne }), wrong: this.wrongRows });
    if (!isWhole) return doAll(this.client);
    let results: RowResult<Done>[] = [];
    const isDone = await this.client
      .$transaction(async (transaction) => {
        results = await doAll(transaction);
        if (results.some(({ error }) => error !== null)) throw TAKEN_BACK;
        return true;
      })
      .catch((error: unknown) => {
        if (error !== TAKEN_BACK) throw error;
        return false;
      });
    return isDone ? results : noneDone(results);
  }

  /** The work on rows, each in a transaction of its own; `isOne` says whether that is a part of one for all of them. */
  private rowsWork<Row, Done>(
    company: CompanyFacts,
    client: Db,
    { isOne, lock, work, mayRepeat }: RowActs<Row, Done> & { readonly isOne: boolean },
  ): BulkWork<Row, Done> {
    const once = (row: Row): Promise<Done> =>
      client.$transaction(async (transaction) => {
        await this.tellActor(transaction);
        return work(this.scopeOf(company, transaction), row);
      });
    return {
      deadline: this.at.getTime() + this.runtime.requestTimeoutMs,
      lock: isOne ? (rows) => lock(this.scopeOf(company, client), rows) : null,
      work: (row) =>
        once(row).catch((error: unknown) => {
          if (mayRepeat?.(error) === true) return once(row);
          throw error;
        }),
    };
  }

  /** Whether the version of the row that is changed is asked for. */
  get asksForVersion(): boolean {
    return this.settings.tellChanged !== undefined;
  }

  tellChanged(row: ChangedVersion): void {
    this.settings.tellChanged?.(row);
  }

  /** Notes which operation acts from now on. */
  begin(operation: Operation): void {
    this.hasBegun = true;
    if (!this.isOnBehalf) this.acting = operation;
  }

  takeBack(change: WrittenChange): Promise<void> {
    return this.settings.takeBack(this, change);
  }

  /**
   * A run within this one, of a mutation that acts on behalf of the one that acts here: what it changes is written down as changed by
   * that.
   */
  onBehalf(precondition: Precondition): Run {
    const inside = new Run(this.request, { ...this.settings, inputErrors: [], precondition });
    inside.acting = this.acting;
    inside.isOnBehalf = true;
    for (const { company } of this.scopes.values()) inside.enter(company);
    return inside;
  }

  /** Opens the scope of a company that the caller was admitted to. */
  enter(company: CompanyFacts): CompanyScope {
    let scope = this.scopes.get(company.id);
    if (scope === undefined) {
      scope = this.scopeOf(company, this.client);
      this.scopes.set(company.id, scope);
    }
    return scope;
  }

  async enterOwnCompany(): Promise<void> {
    const { caller } = this;
    const company = "companyId" in caller ? await this.runtime.companies.find(caller.companyId) : null;
    if (company !== null) this.enter(company);
  }

  private scopeOf(company: CompanyFacts, client: Db): CompanyScope {
    const selected: CompanyScope["selected"] = (model) => this.plan.columnsOf(model);
    const { runtime, budget } = this;
    return createCompanyScope(client, company, this.caller, this.at, {
      selected,
      runtime,
      meter: budget,
      bounds: this.admissions.boundsOfCaller(),
      begin: (transaction) => this.tellActor(transaction),
      takeIdentity: () => this.takeIdentity(),
      requestId: this.request.id,
    });
  }

  /** Names the next thing that a request with a key does; in a repeat it has the same name. */
  private takeIdentity(): Buffer | null {
    const { idempotencyKey, caller, address } = this.request;
    if (idempotencyKey === undefined) return null;
    this.identities += 1;
    return identityOf(ownerOf(caller, address), idempotencyKey, this.identities);
  }

  /** Whether all reads and writes of the run go over the connection of one transaction. */
  get isWithinTransaction(): boolean {
    return this.runtime !== this.request.runtime;
  }

  /**
   * Runs `work` in a transaction, with the companies that were entered; inside a transaction, in that one. The transaction
   * knows who acts, by which operation.
   */
  async inTransaction<T>(work: (inside: Run) => Promise<T>): Promise<T> {
    if (this.isWithinTransaction) {
      await this.tellActor(this.client);
      return work(this);
    }
    const afterwards: (() => void)[] = [];
    const result = await this.client.$transaction(async (client) => {
      const runtime = this.runtime.within(client, (task) => void afterwards.push(task));
      const inside = new Run(this.request, { ...this.settings, runtime, client });
      inside.acting = this.acting;
      inside.isOnBehalf = this.isOnBehalf;
      for (const { company } of this.scopes.values()) inside.enter(company);
      await inside.tellActor(client);
      return work(inside);
    });
    for (const task of afterwards) task();
    return result;
  }

  private async tellActor(transaction: Db): Promise<void> {
    const { acting, caller, request } = this;
    if (acting?.isAudited !== true) return this.forgetActor();
    this.hasToldActor = this.isWithinTransaction;
    const { payer } = request.account;
    const { id: requestId, traceParent } = request;
    const quota = this.runtime.quotas.limitOf(trailQuota);
    const context = { operation: acting.name, requestId, traceParent, caller, payer, quota };
    await sendAhead(transaction, actorStatement(context));
  }

  /** Lets what follows in the transaction of an `Idempotency-Key` write no entries under another operation's name. */
  async forgetActor(): Promise<void> {
    if (!this.hasToldActor) return;
    this.hasToldActor = false;
    await sendAhead(this.client, actorStatement(null));
  }

  get loaders(): Loaders {
    return (this.loadersOfRun ??= new Loaders(
      this.client,
      this.caller,
      this.budget,
      this.plan,
      this.at.getTime() + this.runtime.requestTimeoutMs,
      this.admissions.boundsOfCaller(),
    ));
  }

  holdAnswer(milliseconds: number): void {
    this.settings.hold?.(milliseconds);
  }

  /** Forgets rows and decisions, so that they are read anew: a mutation may have changed them. */
  forget(): void {
    this.loadersOfRun = undefined;
    this.admissions.forget();
  }
}
