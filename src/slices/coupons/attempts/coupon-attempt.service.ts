import { DomainError } from "../../../core/errors/domain-error.js";
import type { Connection } from "../../../core/lists/connection.js";
import type { ListArguments } from "../../../core/lists/list-definition.js";
import { listPage } from "../../../core/lists/list-page.js";
import type { CompanyScope } from "../../../core/scope/company-scope.js";
import type { RuntimePart } from "../../../core/scope/runtime-part.js";
import type { Db } from "../../../core/db/db.js";
import { storedCode } from "../codes/stored-code.js";
import { COUPON_ERRORS } from "../coupon.errors.js";
import { couponAttemptList, type AttemptAction, type CouponAttempt } from "./coupon-attempt.model.js";
import { insertAttempt, type RefusedAttempt } from "./coupon-attempt.sql.js";

/** What an attempt names. */
export interface Attempted {
  readonly code?: string | null;
  /** Several codes; a refusal names the one that it is about by its place. */
  readonly codes?: readonly string[];
  readonly couponId?: number | null;
  readonly clientId?: number | null;
  readonly orderId?: number | null;
  readonly branchId?: number | null;
}

/** Keeps refused attempts, beside the transaction of their request: that is undone. */
interface AttemptBook {
  keep(attempt: RefusedAttempt): Promise<void> | undefined;
}

class Attempts implements AttemptBook {
  constructor(
    private readonly writer: Db,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** An attempt that cannot be kept is logged for the operator; its sender learns why it was refused. */
  async keep(attempt: RefusedAttempt): Promise<void> {
    try {
      await insertAttempt(this.writer, attempt);
    } catch (error) {
      this.onError(error);
    }
  }
}

const attemptBook: RuntimePart<AttemptBook, Attempts> = {
  create: ({ writer, warn }) =>
    new Attempts(writer, (error) => warn(error, "a refused use of a coupon could not be kept")),
  // A request that holds a connection does not wait for another one.
  within: (attempts) => ({
    keep(attempt) {
      void attempts.keep(attempt);
      return undefined;
    },
  }),
};

/** Does what is attempted, and keeps it as refused when a rule of a coupon refuses it. */
export async function keepingRefusals<Done>(
  scope: CompanyScope,
  action: AttemptAction,
  named: Attempted,
  work: () => Promise<Done>,
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof DomainError && error.code in COUPON_ERRORS)
      await scope.runtime?.part(attemptBook).keep(refusedAttempt(scope, action, named, error));
    throw error;
  }
}

function refusedAttempt(
  { companyId, caller, at }: CompanyScope,
  action: AttemptAction,
  named: Attempted,
  error: DomainError,
): RefusedAttempt {
  const sent = named.code ?? codeThatFailed(named.codes ?? [], error);
  return {
    companyId,
    action,
    code: sent === null ? null : (storedCode(sent) ?? sent.toUpperCase()).slice(0, MAX_CODE),
    couponId: named.couponId ?? null,
    clientId: caller.kind === "client" ? caller.id : (named.clientId ?? null),
    orderId: named.orderId ?? null,
    branchId: named.branchId ?? null,
    reason: error.code,
    detail: error.message.slice(0, MAX_DETAIL),
    at,
  };
}

const MAX_CODE = 20;
const MAX_DETAIL = 500;

/** The code that a refusal is about, which it names as `codes[2]`. */
function codeThatFailed(codes: readonly string[], { errors }: DomainError): string | null {
  const place = /^codes\[(\d+)\]$/u.exec(errors?.[0]?.field ?? "")?.[1];
  return place === undefined ? null : (codes[Number(place)] ?? null);
}

/** A page of refused attempts. */
export function listAttempts(scope: CompanyScope, args: ListArguments): Promise<Connection<CouponAttempt>> {
  const { db, companyId } = scope;
  const select = scope.selected("CouponAttempt");
  return listPage(couponAttemptList, { delegate: db.couponAttempt, where: { companyId }, select }, args);
}
