import type { Access } from "../../core/access/access.js";
import { assertAllowed } from "./assert-allowed.js";
import type { Caller } from "../../core/access/caller.js";
import { notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts } from "../../core/scope/company-scope.js";

/** The properties of an operation that decide who may run it. */
export interface Admitting {
  readonly access: Access;
  readonly hasCompany: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

/** Decides whether a caller may run operations, and remembers each decision as long as one request lasts. */
export class Admissions {
  private readonly decided = new Map<Access, Map<string, Promise<CompanyFacts | null>>>();

  /** @param onEntry is called with each company that the caller is let into. */
  constructor(
    private readonly caller: Caller,
    private readonly runtime: Runtime,
    private readonly onEntry: (companyId: number) => void,
  ) {}

  /**
   * Lets the caller run the operation in the company that its arguments name.
   *
   * @returns the company, `null` for operations without one.
   * @throws DomainError UNAUTHENTICATED, FORBIDDEN, NOT_FOUND (the company).
   */
  admit(operation: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const { access, hasCompany } = operation;
    const decidedByArguments = access.kind === "permission" && access.orClient !== undefined;
    const client = decidedByArguments ? String(args[access.orClient ?? ""]) : "";
    const key = `${hasCompany ? String(args["companyId"]) : ""} ${client}`;
    const decisions = this.decided.get(access) ?? new Map<string, Promise<CompanyFacts | null>>();
    this.decided.set(access, decisions);
    const decision = decisions.get(key) ?? this.decide(operation, args);
    decisions.set(key, decision);
    return decision;
  }

  /** Forgets all decisions: a mutation may have changed roles. */
  forget(): void {
    this.decided.clear();
  }

  private async decide({ access, hasCompany }: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const companyId = hasCompany ? (args["companyId"] as number) : undefined;
    const { caller, runtime } = this;
    await assertAllowed(access, companyId, args, { caller, runtime });
    if (companyId === undefined) return null;
    const company = isId(companyId) ? await runtime.companies.find(companyId) : null;
    if (company === null) throw notFound("Company");
    this.onEntry(company.id);
    return company;
  }
}
