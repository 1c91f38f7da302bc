import { ownArgument, type Access } from "../../core/access/access.js";
import { assertAllowed } from "./assert-allowed.js";
import { isRoleHolder, type Caller } from "../../core/access/caller.js";
import { mayReadArea } from "../../core/access/has-permission.js";
import type { ShopBounds } from "../../core/access/role-directory.js";
import type { Area } from "../../core/access/permissions.js";
import { notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts } from "../../core/scope/company-scope.js";
import { assertOpen } from "../../core/scope/open-company.js";
import type { RelationAccess } from "../loading/relation-access.js";
import type { ModelName } from "../../core/scope/tenant-models.js";
import { companyOfRow, type CompanyRow } from "./company-of-row.js";
import type { RequestTrace } from "./request-trace.js";

/** The properties of an operation that decide who may run it. */
export interface Admitting {
  readonly access: Access;
  readonly hasCompany: boolean;
  /** Says whether callers may leave the company out. */
  readonly companyIsOptional: boolean;
  /** The arguments that name rows; where the company is left out there is one at most. */
  readonly idArguments: readonly { readonly argument: string; readonly model: ModelName }[];
}

interface AdmissionOptions {
  readonly runtime: Runtime;
  /** The moment of the request. */
  readonly at: Date;
  /** The trace gets each company that the caller is let into. */
  readonly trace: RequestTrace | null;
}

type Arguments = Readonly<Record<string, unknown>>;

interface Decision {
  readonly access: Access;
  /** The company that the arguments name or the row that has it, and the client or admin who needs no permission. */
  readonly company: unknown;
  readonly itself: unknown;
  readonly result: Promise<CompanyFacts | null>;
}

/**
 * Decides whether a caller may run operations and follow relations, and remembers each decision as long as one
 * request lasts.
 */
export class Admissions {
  private decisions: Decision[] = [];
  private areas: Map<Area, boolean | Promise<boolean>> | undefined;

  /** What the caller is bound to, which is known when it has been let in. */
  private bounds: ShopBounds | null | undefined;

  readonly runtime: Runtime;

  constructor(
    readonly caller: Caller,
    private readonly options: AdmissionOptions,
  ) {
    this.runtime = options.runtime;
  }

  /**
   * Lets the caller run the operation in the company that its arguments name. Where they may leave it out, it is that of the
   * token, and for the platform that of the row that they name.
   *
   * @returns the company, `null` for operations without one and for the platform's lists over all companies.
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN (also when the company has expired or is disabled), NOT_FOUND (the
   *   company, or the row that has it).
   */
  admit(operation: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const { access, hasCompany } = operation;
    const row = this.rowOfCompany(operation, args);
    const company = !hasCompany
      ? null
      : row === null
        ? this.companyNamed(operation, args)
        : `${row.model} ${String(row.id)}`;
    const argument = ownArgument(access);
    const itself = argument === null ? undefined : args[argument];
    for (const decision of this.decisions)
      if (decision.access === access && decision.company === company && decision.itself === itself)
        return decision.result;
    const result = this.decide(operation, args);
    this.decisions.push({ access, company, itself, result });
    return result;
  }

  /** Returns the same decisions for a run that uses another runtime; further ones are decided with that one. */
  within(runtime: Runtime): Admissions {
    const admissions = new Admissions(this.caller, { ...this.options, runtime });
    admissions.decisions = [...this.decisions];
    admissions.bounds = this.bounds;
    return admissions;
  }

  /**
   * The shops and branches that the caller reaches; `null` for all.
   *
   * @throws Error for an admin or a key that was not let into anything yet.
   */
  boundsOfCaller(): ShopBounds | null {
    if (this.bounds !== undefined) return this.bounds;
    if (isRoleHolder(this.caller)) throw new Error("what the caller is bound to is not known");
    return null;
  }

  /** Forgets all decisions: a mutation may have changed roles. */
  forget(): void {
    this.decisions = [];
    this.areas = undefined;
  }

  /**
   * Returns whether the caller may follow relations with this access in the company: to the row with this id or, without an
   * id, to any row at all. The answer is a promise only until the caller's permissions in the area are known.
   */
  mayFollow(access: RelationAccess, companyId: number, id?: number): boolean | Promise<boolean> {
    const { caller } = this;
    if (caller.kind === "platform") return access.area !== null;
    if (caller.kind === "anonymous" || caller.kind === "invalid" || caller.companyId !== companyId)
      return false;
    if (caller.kind === access.orItself && (id === undefined || id === caller.id)) return true;
    if (access.area === null) return false;
    return caller.kind === "client" ? access.orAnyClient : this.mayReadArea(companyId, access.area);
  }

  private mayReadArea(companyId: number, area: Area): boolean | Promise<boolean> {
    const areas = (this.areas ??= new Map<Area, boolean | Promise<boolean>>());
    const known = areas.get(area);
    if (known !== undefined) return known;
    const decision = mayReadArea(this, companyId, area).then((may) => {
      areas.set(area, may);
      return may;
    });
    areas.set(area, decision);
    return decision;
  }

  /** The company that the arguments name; where they may leave it out, that of the token. */
  private companyNamed({ companyIsOptional }: Admitting, args: Arguments): unknown {
    const named = args["companyId"];
    const { caller } = this;
    if (named != null || !companyIsOptional) return named;
    return isRoleHolder(caller) || caller.kind === "client" ? caller.companyId : undefined;
  }

  /** The row that has the platform's company; `null` when something else names the company, or nothing does. */
  private rowOfCompany(
    { companyIsOptional, idArguments: [row] }: Admitting,
    args: Arguments,
  ): CompanyRow | null {
    const isLeftOut = companyIsOptional && args["companyId"] == null && this.caller.kind === "platform";
    // An id of the wrong type is reported as a wrong field.
    if (!isLeftOut || row === undefined || !Number.isInteger(args[row.argument])) return null;
    return { model: row.model, id: args[row.argument] as number };
  }

  private async decide(operation: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const { access, hasCompany } = operation;
    const named = hasCompany ? this.companyNamed(operation, args) : undefined;
    // A company of the wrong type is reported as a wrong field; until then the caller is judged without a company.
    let companyId = Number.isInteger(named) ? (named as number) : undefined;
    const { caller, runtime } = this;
    const allowing = assertAllowed(access, companyId, args, { caller, runtime });
    const grant = allowing instanceof Promise ? await allowing : allowing;
    if (isRoleHolder(caller)) this.bounds = (grant ?? (await runtime.roles.grantOf(caller)))?.bounds ?? null;
    const row = this.rowOfCompany(operation, args);
    if (row !== null) companyId = await companyOfRow(runtime.writer, row);
    if (companyId === undefined) {
      await this.assertOwnCompanyOpen(access);
      return null;
    }
    const finding = isId(companyId) ? runtime.companies.find(companyId) : null;
    const company = finding instanceof Promise ? await finding : finding;
    if (company === null) throw notFound("Company");
    assertOpen(company, caller, this.options.at);
    this.options.trace?.enterCompany(company.id);
    return company;
  }

  /** Refuses clients of a company that has expired or is disabled, where an operation names no company. */
  private async assertOwnCompanyOpen(access: Access): Promise<void> {
    const { caller, runtime, options } = this;
    if (caller.kind !== "client" || (access.kind === "open" && access.ignoresToken)) return;
    const own = await runtime.companies.find(caller.companyId);
    if (own !== null) assertOpen(own, caller, options.at);
  }
}
