import type { Access } from "../../core/access/access.js";
import { assertAllowed } from "./assert-allowed.js";
import type { Caller } from "../../core/access/caller.js";
import { notFound } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { Runtime } from "../../core/operations/operation-context.js";
import type { CompanyFacts } from "../../core/scope/company-scope.js";
import type { RequestTrace } from "../observability/request-trace.js";

/** The properties of an operation that decide who may run it. */
export interface Admitting {
  readonly access: Access;
  readonly hasCompany: boolean;
}

type Arguments = Readonly<Record<string, unknown>>;

interface Decision {
  readonly access: Access;
  /** The company and the client that the arguments name. */
  readonly company: unknown;
  readonly client: unknown;
  readonly result: Promise<CompanyFacts | null>;
}

/** Decides whether a caller may run operations, and remembers each decision as long as one request lasts. */
export class Admissions {
  private decisions: Decision[] = [];

  /** @param trace is told each company that the caller is let into. */
  constructor(
    private readonly caller: Caller,
    private readonly runtime: Runtime,
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
    const client =
      access.kind === "permission" && access.orClient !== undefined ? args[access.orClient] : null;
    for (const decision of this.decisions)
      if (decision.access === access && decision.company === company && decision.client === client)
        return decision.result;
    const result = this.decide(operation, args);
    this.decisions.push({ access, company, client, result });
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
  }

  private async decide({ access, hasCompany }: Admitting, args: Arguments): Promise<CompanyFacts | null> {
    const companyId = hasCompany ? (args["companyId"] as number) : undefined;
    const { caller, runtime } = this;
    await assertAllowed(access, companyId, args, { caller, runtime });
    if (companyId === undefined) return null;
    const company = isId(companyId) ? await runtime.companies.find(companyId) : null;
    if (company === null) throw notFound("Company");
    this.trace?.enterCompany(company.id);
    return company;
  }
}
