import { Ctx, Mutation, Query, Resolver } from "type-graphql";
import { isRoleHolder } from "../../core/access/caller.js";
import { Admin } from "../admins/admin.model.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { Open, RequirePermission, SignedIn } from "../../core/access/access.js";
import { Audited, NotAudited } from "../../core/operations/audited.js";
import { allPermissions } from "../../core/access/permissions.js";
import { ACCESS_TOKEN_TTL_SECONDS, issueAccessToken } from "../../core/access/tokens.js";
import { DomainError, notFound } from "../../core/errors/domain-error.js";
import { Company, EntityId, Input } from "../../core/operations/operation-arguments.js";
import { assertOpen } from "../../core/scope/open-company.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { LoginInput, LogoutInput, RefreshTokenInput, SetPasswordInput } from "./auth.inputs.js";
import { AuthTokens, Me } from "./auth.model.js";
import { createDeviceToken } from "./device-token.js";
import { LoginAttempt } from "./login-attempt.js";
import { recordRefusedSignIns, type NamedAdmin } from "./login.sql.js";
import { authenticate, proveSecondFactor, type ProvenLogin, wrongLogin } from "./login.service.js";
import { invalidToken, type OpaqueToken, readOpaqueToken } from "./opaque-token.js";
import * as passwordSetupService from "./password-setup.service.js";
import * as sessionService from "./session.service.js";

/** Whoever signs in is judged as a stranger is: a token that was sent along counts for nothing. */
const NOBODY = { kind: "anonymous" } as const;

@Resolver()
export class AuthResolver {
  @Open({ ignoresToken: true })
  @Audited({ byService: true })
  @Mutation(() => AuthTokens, {
    description:
      "Signs an admin in. SECOND_FACTOR_REQUIRED when the password is right and the admin has a second factor, but no `otp` is " +
      "sent; whose admin type requires one and who has none gets tokens for `enrolTotp`, `confirmTotp` and what is open alone. FORBIDDEN when the company has expired or is disabled. UNAUTHENTICATED, the same for an unknown e-mail and a wrong password, and for a wrong `otp`; " +
      "VALIDATION_FAILED on `domain` when e-mail and password fit in several companies; RATE_LIMITED after " +
      "10 failures of an account or 100 from an address within 15 minutes, but not for a device that " +
      "`deviceToken` shows to be known until it has failed 5 times more.",
  })
  async login(
    @Ctx() context: OperationContext,
    @Input(() => LoginInput, { description: "E-mail and password." }) input: LoginInput,
  ): Promise<AuthTokens> {
    const { at, address, device, requestId, runtime } = context;
    const { writer } = runtime;
    const refused = recordingRefusals(context);
    const attempt = new LoginAttempt(writer, input.email, "login", {
      at,
      address,
      device,
      requestId,
      runtime,
    });
    const admin = await authenticate(writer, input, { at, attempt, secrets: ownSecrets(context), refused });
    const { scope, session } = await beginSession(context, admin, input.otp ?? null).catch(
      async (error: unknown) => {
        // A wrong code is the only one of these that leaves the attempt counted.
        if (error instanceof DomainError && error.code === "UNAUTHENTICATED") refused([admin]);
        else await attempt.succeed();
        throw error;
      },
    );
    await attempt.succeed();
    if (session === null) throw wrongLogin();
    return tokensOf(context, scope, session);
  }

  @Open({ ignoresToken: true })
  @NotAudited("The session is its record.")
  @Mutation(() => AuthTokens, {
    description:
      "Trades a refresh token for a new pair of tokens, the same refresh token when it comes again within ten " +
      "seconds; UNAUTHENTICATED when it is not valid any more, FORBIDDEN when the company has expired or is disabled.",
  })
  async refreshToken(
    @Ctx() context: OperationContext,
    @Input(() => RefreshTokenInput, { description: "The refresh token." }) input: RefreshTokenInput,
  ): Promise<AuthTokens> {
    const secrets = ownSecrets(context);
    const opened = await openToken(context, input.refreshToken);
    if (opened === null) throw invalidToken();
    const { scope, sent } = opened;
    return tokensOf(context, scope, await sessionService.refreshSession(scope, sent, secrets, context));
  }

  @Open({ ignoresToken: true })
  @Audited({ byService: true })
  @Mutation(() => Boolean, {
    description:
      "Ends a login: none of its refresh tokens works any more, and its access token is refused within 5 seconds. " +
      "True also for a token that was not valid.",
  })
  async logout(
    @Ctx() context: OperationContext,
    @Input(() => LogoutInput, { description: "Which login." }) input: LogoutInput,
  ): Promise<boolean> {
    const opened = await openToken(context, input.refreshToken);
    if (opened !== null) await sessionService.closeSession(opened.scope, opened.sent.tokenHash);
    return true;
  }

  @Open({ ignoresToken: true })
  @Audited({ byService: true })
  @Mutation(() => Admin, {
    description:
      "Sets an admin's password by the one-time token that came with the admin, and ends its logins. " +
      "UNAUTHENTICATED when the token is unknown, used or older than seven days.",
  })
  async setPassword(
    @Ctx() context: OperationContext,
    @Input(() => SetPasswordInput, { description: "Token and password." }) input: SetPasswordInput,
  ) {
    const opened = await openToken(context, input.token);
    if (opened === null) throw invalidToken();
    const { scope, sent } = opened;
    return passwordSetupService.setPassword(scope, sent.tokenHash, input.password);
  }

  @SignedIn()
  @Query(() => Me, {
    description: "The principal that the token of the request speaks for, or the key, and its permissions.",
  })
  async me(@Ctx() context: OperationContext): Promise<Omit<Me, "admin" | "client">> {
    const { caller, runtime } = context;
    // Fields of the admin or client may belong to the company.
    await context.enterOwnCompany();
    const nobody = { id: null, companyId: null, adminId: null, clientId: null };
    if (caller.kind === "client") {
      const { id, companyId } = caller;
      return { ...nobody, kind: "client", id, companyId, clientId: id, permissions: [] };
    }
    if (isRoleHolder(caller)) {
      const { kind, id, companyId } = caller;
      const grant = await runtime.roles.grantOf(caller);
      const permissions = grant?.all === true ? allPermissions() : [...(grant?.roles ?? [])];
      return {
        ...nobody,
        kind,
        id,
        companyId,
        adminId: kind === "admin" ? id : null,
        permissions: permissions.toSorted(),
      };
    }
    return { ...nobody, kind: "platform", permissions: allPermissions().toSorted() };
  }

  @RequirePermission("can_issue_client_tokens")
  @Audited()
  @Mutation(() => AuthTokens, {
    description:
      "Issues tokens for a client whom the shop's own server has signed in. NOT_FOUND when there is no such client.",
  })
  async issueClientToken(
    @Ctx() context: OperationContext,
    @Company() company: CompanyScope,
    @EntityId("clientId", "Client") clientId: number,
  ): Promise<AuthTokens> {
    ownSecrets(context);
    assertOpen(company.company, NOBODY, context.at);
    const session = await sessionService.openClientSession(company, clientId, context);
    return tokensOf(context, company, session);
  }
}

/**
 * The secrets that tokens are made with; the first makes new ones.
 *
 * @throws DomainError INVALID_STATE when the service has none: in production it may rely on an identity provider.
 */
function ownSecrets({ runtime }: OperationContext): [Uint8Array, ...Uint8Array[]] {
  const [first, ...older] = runtime.keys.secrets.map(({ key }) => key);
  if (first !== undefined) return [first, ...older];
  throw new DomainError(
    "INVALID_STATE",
    "This service issues no tokens; sign in with its identity provider.",
  );
}

/**
 * Returns what writes refused logins to the trails of the companies. Nobody waits for it: the time of an answer would tell
 * whether the e-mail is known.
 */
function recordingRefusals({ runtime, requestId, address, device }: OperationContext) {
  return (admins: readonly NamedAdmin[]): void => {
    runtime.unawaited(recordRefusedSignIns(runtime.writer, admins, { requestId, address, device }));
  };
}

/**
 * An opaque token and the company that it names; `null` when the text is no token or the company does not exist.
 */
async function openToken(
  context: OperationContext,
  token: string,
): Promise<{ scope: CompanyScope; sent: OpaqueToken } | null> {
  const read = readOpaqueToken(token);
  const scope = read === null ? null : await context.openCompany(read.companyId);
  return read === null || scope === null ? null : { scope, sent: read };
}

/** Begins a login of an admin whose password was right. @throws DomainError UNAUTHENTICATED for a wrong code alone. */
async function beginSession(
  context: OperationContext,
  { companyId, adminId, passwordHash, isKnownDevice }: ProvenLogin,
  otp: string | null,
): Promise<{ scope: CompanyScope; session: sessionService.Session | null }> {
  const { at, address, device, runtime } = context;
  const scope = await context.openCompany(companyId);
  if (scope === null) throw notFound("Company");
  // Only whoever knows the password hears that the company has expired.
  assertOpen(scope.company, NOBODY, at);
  const session = await scope.transaction(async (inside) => {
    await proveSecondFactor(inside, { adminId, secrets: runtime.secrets }, otp);
    const origin = { address, device, isNewDevice: !isKnownDevice };
    return sessionService.openAdminSession(inside, adminId, passwordHash, origin);
  });
  return { scope, session };
}

async function tokensOf(
  context: OperationContext,
  { companyId }: CompanyScope,
  { principal, refreshToken, familyId, passwordHash }: sessionService.Session,
): Promise<AuthTokens> {
  const { runtime, at } = context;
  const sessionId = sessionService.sessionIdOf(familyId);
  const accessToken = await issueAccessToken(runtime.keys, { ...principal, companyId, sessionId }, at);
  const device = { companyId, adminId: principal.id, familyId };
  const deviceToken =
    passwordHash === null
      ? null
      : await createDeviceToken(ownSecrets(context)[0], { ...device, passwordHash }, at);
  return {
    accessToken,
    refreshToken,
    deviceToken,
    tokenType: "Bearer",
    expiresIn: ACCESS_TOKEN_TTL_SECONDS,
  };
}
