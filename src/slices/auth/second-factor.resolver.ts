import { Arg, Ctx, Mutation, Resolver } from "type-graphql";
import { SignedIn } from "../../core/access/access.js";
import { forbidden, notFound } from "../../core/errors/domain-error.js";
import { Audited } from "../../core/operations/audited.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { LoginAttempt, type KnownSource } from "./login-attempt.js";
import { RecoveryCodes, TotpEnrolment } from "./second-factor.model.js";
import * as secondFactorService from "./second-factor.service.js";

const ADMINS_NOTE = "FORBIDDEN for anybody but an admin.";
const WRONG_CODE_NOTE =
  "VALIDATION_FAILED on `code`, rule `mismatch`, for a wrong code, which counts as a failed login: RATE_LIMITED after too many.";
const CODE = { description: "The six digits that the app for codes shows." };

/** The caller's own second factor: one-time codes. */
@Resolver()
export class SecondFactorResolver {
  @SignedIn({ ignoresKey: true, enrols: true, forPeople: true })
  @Audited({ byService: true })
  @Mutation(() => TotpEnrolment, {
    description:
      "Makes a secret for one-time codes of the calling admin. It is the second factor once `confirmTotp` has a code of it; " +
      `until then each call answers another one. INVALID_STATE when there is a second factor. ${ADMINS_NOTE}`,
  })
  async enrolTotp(@Ctx() context: OperationContext): Promise<TotpEnrolment> {
    const { scope, owner } = await ownerIn(context, "enrolTotp");
    return secondFactorService.enrol(scope, owner);
  }

  @SignedIn({ ignoresKey: true, enrols: true, forPeople: true })
  @Audited({ byService: true })
  @Mutation(() => RecoveryCodes, {
    description:
      "Makes the secret of `enrolTotp` the second factor of the calling admin, by a code of it. From then on `login` asks for " +
      `an \`otp\`; the admin's other logins end. INVALID_STATE without a secret. ${WRONG_CODE_NOTE} ${ADMINS_NOTE}`,
  })
  async confirmTotp(
    @Ctx() context: OperationContext,
    @Arg("code", () => String, CODE) code: string,
  ): Promise<RecoveryCodes> {
    const { scope, owner, attempt, source } = await ownerIn(context, "confirmTotp");
    await attempt.begin(source);
    const answer = await secondFactorService.confirm(scope, owner, code, attempt);
    context.runtime.roles.forgetCompany(scope.companyId);
    return answer;
  }

  @SignedIn({ ignoresKey: true, forPeople: true })
  @Audited({ byService: true })
  @Mutation(() => Boolean, {
    description:
      "Takes the second factor from the calling admin, by a code of it or a recovery code. Whose admin type requires one then " +
      `has to enrol another. INVALID_STATE without one. ${WRONG_CODE_NOTE} ${ADMINS_NOTE}`,
  })
  async disableTotp(
    @Ctx() context: OperationContext,
    @Arg("code", () => String, { description: "A one-time code or a recovery code." }) code: string,
  ): Promise<boolean> {
    const { scope, owner, attempt, source } = await ownerIn(context, "disableTotp");
    await attempt.begin(source);
    await secondFactorService.disable(scope, owner, code, attempt);
    context.runtime.roles.forgetCompany(scope.companyId);
    return true;
  }
}

/** The calling admin as the owner of a second factor, and an attempt that has not begun. */
async function ownerIn(
  context: OperationContext,
  operation: string,
): Promise<{
  scope: CompanyScope;
  owner: secondFactorService.FactorOwner;
  attempt: LoginAttempt;
  source: KnownSource;
}> {
  const { caller, runtime } = context;
  if (caller.kind !== "admin") throw forbidden("Only an admin has a second factor.", { principal: "admin" });
  const scope = await context.openCompany(caller.companyId);
  if (scope === null) throw notFound("Company");
  const email = await secondFactorService.emailOf(scope, caller.id);
  return {
    scope,
    owner: { adminId: caller.id, email, secrets: runtime.secrets },
    attempt: new LoginAttempt(runtime.writer, email, operation, context),
    source: { admin: { companyId: scope.companyId, id: caller.id } },
  };
}
