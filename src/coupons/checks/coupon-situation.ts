import { DomainError, invalidField, notFound } from "../../core/errors/domain-error.js";
import type { CompanyScope } from "../../core/tenancy/company-scope.js";
import { readMoment } from "../../core/time/instants.js";
import type { PurchaseInput } from "./coupon-check.inputs.js";
import type { Purchase } from "./coupon-discount.rules.js";
import { localTime } from "./coupon-hours.rules.js";
import type { Situation } from "./coupon-facts.js";
import type { Named, NamedRows } from "./coupon-facts.sql.js";

type Given = PurchaseInput & { readonly subtotalE2?: number | null };

const MAX_ID = 2_147_483_647;

/**
 * The rows that a purchase names. A client's own token stands for that client.
 *
 * @throws DomainError FORBIDDEN when a client names another client.
 */
export function namedBy(
  { caller }: CompanyScope,
  input: Given,
  place: { readonly orderId?: number; readonly branchId?: number | null } = {},
): Named {
  const clientId = input.clientId ?? null;
  if (caller.kind === "client" && clientId !== null && clientId !== caller.id) {
    throw new DomainError("FORBIDDEN", "The token is for another client.");
  }
  const listed = (input.goodIds ?? "").split(",").map(Number);
  return {
    orderId: place.orderId ?? null,
    clientId: caller.kind === "client" ? caller.id : clientId,
    branchId: place.branchId ?? null,
    items: (input.items ?? []).map(({ goodId, quantity }) => ({ goodId, quantity })),
    goodIds: [...(input.goods ?? []), ...listed.filter((id) => id >= 1 && id <= MAX_ID)],
  };
}

/** @throws DomainError NOT_FOUND (the branch), VALIDATION_FAILED with rule `exists` (order, client). */
export function assertNamedExist(named: Named, rows: NamedRows): void {
  if (named.branchId !== null && rows.branchId === null) throw notFound("Branch");
  if (named.orderId !== null && rows.orderId === null) throw missing("orderId", named.orderId);
  if (named.clientId !== null && rows.clientId === null) throw missing("clientId", named.clientId);
}

/** Who buys, where, when and for what: as the input says, else as the order does. */
export function situationOf(scope: CompanyScope, input: Given, rows: NamedRows): Situation {
  const { at, company } = scope;
  const { clientId, registeredAt, branchId, branchGroupId } = rows;
  const moment = input.datetime == null ? at : readMoment(input.datetime, company.timeZoneOffset);
  const offset =
    input.useLocalTz === true ? (rows.timeZoneOffset ?? company.timeZoneOffset) : company.timeZoneOffset;
  return {
    at,
    local: localTime(moment, offset, input.time ?? null),
    client: clientId === null || registeredAt === null ? null : { id: clientId, registeredAt },
    branchId,
    branchGroupId,
    source: input.source ?? rows.source,
    purchase: purchaseOf(input, rows),
    isUse: rows.orderId !== null,
  };
}

function purchaseOf(input: Given, rows: NamedRows): Purchase {
  const items = input.items ?? [];
  const units = items.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
  return {
    subtotalE2: amountOf(input.subtotalE2) ?? rows.subtotalE2 ?? 0n,
    subtotalFullE2: amountOf(input.subtotalFullE2),
    basePriceE2: amountOf(input.basePriceE2),
    deliveryE2: amountOf(input.deliveryE2) ?? rows.deliveryE2,
    items: items.length === 0 ? null : { units, serviceE2: rows.serviceE2 },
  };
}

function amountOf(amount: number | null | undefined): bigint | null {
  return amount == null ? null : BigInt(amount);
}

function missing(field: string, id: number): DomainError {
  return invalidField(field, "exists", `${id} does not exist`);
}
