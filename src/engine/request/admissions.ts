import type { Access } from "../../core/access/access.js";
import { assertAllowed } from "./assert-allowed.js";
import type { Caller } from "../../core/access/caller.js";
import { mayReadArea } from "../../core/access/has-permission.js";
import type { Area } from "../../core/access/permissions.js";
import { notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts } from "../../core/scope/company-scope.js";
import type { RelationAccess } from "../loading/relation-access.js";
import type { RequestTrace } from "../observability/request-trace.js";

/** The properties of an operation that decide who may run it. */
export interface Admitting {
  readonly access: Access;
  readonly hasCompany: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

interface Decision {
  readonly access: Access;
  /** The company, and the client or admin, that the arguments name. */
  readonly company: unknown;
  readonly person: unknown;
  readonly result: Promise<CompanyFacts | null>;
}

/**
 * Decides whether a caller may run operations and follow relations, and remembers each decision as long as one
 * request lasts.
 */
export class Admissions {
  private decisions: Decision[] = [];
  private areas: Map<Area, boolean | Promise<boolean>> | undefined;

  /** @param trace is told each company that the caller is let into. */
  constructor(
    readonly caller: Caller,
    readonly runtime: Runtime,
    private readonly trace: RequestTrace | null,
  ) {}

  /**
   * Lets the caller run the operation in the company that its arguments name.
   *
   * @returns the company, `null` for operations without one.
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND (the company).
   */
  admit(operation: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const { access, hasCompany } = operation;
    const company = hasCompany ? args["companyId"] : null;
    const itself = access.kind === "permission" ? (access.orClient ?? access.orAdmin) : undefined;
    const person = itself === undefined ? null : args[itself];
    for (const decision of this.decisions)
      if (decision.access === access && decision.company === company && decision.person === person)
        return decision.result;
    const result = this.decide(operation, args);
    this.decisions.push({ access, company, person, result });
    return result;
  }

  /** Returns the same decisions for a run that uses another runtime; further ones are decided with that one. */
  within(runtime: Runtime): Admissions {
    const admissions = new Admissions(this.caller, runtime, this.trace);
    admissions.decisions = [...this.decisions];
    return admissions;
  }

  /** Forgets all decisions: a mutation may have changed roles. */
  forget(): void {
    this.decisions = [];
    this.areas = undefined;
  }

  /**
   * Whether the caller may follow relations with this access in the company: to the row with this id or, without an
   * id, to any row at all. The answer is a promise only until the caller's permissions in the area are known.
   */
  mayFollow(access: RelationAccess, companyId: number, id?: number): boolean | Promise<boolean> {
    const { caller } = this;
    if (caller.kind === "platform") return true;
    if (caller.kind === "anonymous" || caller.kind === "invalid" || caller.companyId !== companyId)
      return false;
    if (caller.kind === access.orItself && (id === undefined || id === caller.id)) return true;
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

  private async decide({ access, hasCompany }: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    // A company of the wrong type is told as a wrong field; until then the caller is judged without a company.
    const companyId =
      hasCompany && Number.isInteger(args["companyId"]) ? (args["companyId"] as number) : undefined;
    const { caller, runtime } = this;
    await assertAllowed(access, companyId, args, { caller, runtime });
    if (companyId === undefined) return null;
    const company = isId(companyId) ? await runtime.companies.find(companyId) : null;
    if (company === null) throw notFound("Company");
    this.trace?.enterCompany(company.id);
    return company;
  }
}
