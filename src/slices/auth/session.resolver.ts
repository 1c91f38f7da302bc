import { Arg, Ctx, Int, Mutation, Query, Resolver } from "type-graphql";
import { SignedIn } from "../../core/access/access.js";
import { Audited } from "../../core/operations/audited.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Input } from "../../core/operations/operation-arguments.js";
import { DomainError, forbidden, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { Admin } from "../admins/admin.model.js";
import { ChangePasswordInput } from "./auth.inputs.js";
import { changePassword } from "./password-change.service.js";
import { Session } from "./session.model.js";
import * as sessionService from "./session.service.js";
import type { LoginPrincipal } from "./session.sql.js";

const EFFECT_NOTE = "Its access tokens are refused within 5 seconds.";

@Resolver()
export class SessionResolver {
  @SignedIn({ ignoresKey: true, forPeople: true })
  @Audited({ byService: true })
  @Mutation(() => Admin, {
    description:
      "Changes the password of the calling admin and ends its other logins. VALIDATION_FAILED with rule `mismatch` " +
      "when `currentPassword` is wrong, which counts as a failed login: RATE_LIMITED after too many. FORBIDDEN for " +
      "clients and the platform, who have no password. Device tokens end too; the next login gives a new one.",
  })
  async changePassword(
    @Ctx() context: OperationContext,
    @Input(() => ChangePasswordInput, { description: "The present password and the new one." })
    input: ChangePasswordInput,
  ) {
    const { scope } = await callerIn(context);
    return changePassword(context.runtime.writer, scope, input, context);
  }

  @SignedIn({ forPeople: true })
  @Query(() => [Session], {
    description:
      "The caller's own logins that go on, the one that was used last first, at most 1,000; FORBIDDEN for the platform.",
  })
  async mySessions(@Ctx() context: OperationContext) {
    const { scope, principal } = await callerIn(context);
    return sessionService.listSessions(scope, principal);
  }

  @SignedIn({ forPeople: true })
  @Audited()
  @Mutation(() => Boolean, {
    description: `Ends one of the caller's own logins. NOT_FOUND when it has no such login. ${EFFECT_NOTE}`,
  })
  async revokeMySession(
    @Ctx() context: OperationContext,
    @Arg("sessionId", () => String, { description: "Id of the login, as `mySessions` gives it." })
    sessionId: string,
  ): Promise<boolean> {
    const { scope, principal } = await callerIn(context);
    await sessionService.closeSessionById(scope, principal, sessionId);
    return true;
  }

  @SignedIn({ forPeople: true })
  @Audited()
  @Mutation(() => Int, {
    description:
      "Ends the caller's own logins but for the one that the token of the request belongs to, which `logout` ends. " +
      `Answers how many. ${EFFECT_NOTE}`,
  })
  async revokeMySessions(@Ctx() context: OperationContext): Promise<number> {
    const { scope, principal } = await callerIn(context);
    return sessionService.closeOtherSessions(scope, principal);
  }
}

/** The caller as somebody who signs in, with its company. */
async function callerIn(
  context: OperationContext,
): Promise<{ scope: CompanyScope; principal: LoginPrincipal }> {
  const { caller } = context;
  if (caller.kind === "platform") throw forbidden("The platform does not sign in.", { principal: "admin" });
  if (caller.kind !== "admin" && caller.kind !== "client")
    throw new DomainError("UNAUTHENTICATED", "This operation needs a token.");
  const scope = await context.openCompany(caller.companyId);
  if (scope === null) throw notFound("Company");
  return { scope, principal: { kind: caller.kind, id: caller.id } };
}
