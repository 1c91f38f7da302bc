import type { FieldError } from "../../core/errors/domain-error.js";
import { isId } from "../../core/integers.js";
import type { CompanyScope } from "../../core/scope/company-scope.js";
import { HOLDER_TYPES, type HolderType } from "./balance.model.js";
import { clientsByEmail, holderExists } from "./balance.sql.js";

/** A holder, whatever the currency. */
export interface Holder {
  readonly type: HolderType;
  readonly key: number;
}

/** The source of a transfer, and how its target is named. */
export interface NamedTransfer extends Holder {
  readonly target?: string | null | undefined;
  readonly targetType?: string | null | undefined;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/iu;

/**
 * Finds the holder that a transfer goes to: the named one, or the order's client when none is named. Without a target type
 * the target is of the source's type.
 *
 * @returns what is wrong when no such holder exists, several have the e-mail address, or it is the source itself.
 */
export async function findTransferTarget(
  scope: CompanyScope,
  { type, key, target = null, targetType = null }: NamedTransfer,
  order: { readonly clientId: number | null },
): Promise<Holder | { readonly error: FieldError }> {
  const found =
    target === null ? orderClient(order, targetType) : await namedHolder(scope, target, targetType ?? type);
  if ("error" in found || found.type !== type || found.key !== key) return found;
  return wrong("unchanged", "is the holder that it comes from");
}

/** The order's client, which is a client however a client would be named. */
function orderClient(
  { clientId }: { readonly clientId: number | null },
  targetType: string | null,
): Holder | { readonly error: FieldError } {
  const isOther = HOLDER_TYPES.some((known) => known === targetType && known !== "client");
  if (isOther) return wrong("required", `is required for the target type ${targetType}`);
  return clientId === null
    ? wrong("required", "is required for an order without a client")
    : { type: "client", key: clientId };
}

async function namedHolder(
  scope: CompanyScope,
  target: string,
  targetType: string,
): Promise<Holder | { readonly error: FieldError }> {
  const { db, companyId } = scope;
  if (targetType === "client_uuid") {
    if (!UUID.test(target)) return missing(target);
    const row = await db.client.findFirst({
      where: { companyId, uuid: target.toLowerCase(), deletedAt: null },
      select: { id: true },
    });
    return row === null ? missing(target) : { type: "client", key: row.id };
  }
  if (targetType === "email") {
    const [id, other] = await clientsByEmail(scope, target);
    if (id === undefined) return missing(target);
    return other === undefined
      ? { type: "client", key: id }
      : wrong("unique", "belongs to several clients; name the client by its id");
  }
  const key = /^[1-9]\d{0,9}$/u.test(target) ? Number(target) : 0;
  const type = HOLDER_TYPES.find((known) => known === targetType);
  // A target type that is none is reported as such.
  if (type === undefined) return { type: "company", key: 0 };
  return isId(key) && (await holderExists(scope, type, key)) ? { type, key } : missing(target);
}

function missing(target: string): { readonly error: FieldError } {
  return wrong("exists", `${JSON.stringify(target)} does not exist`);
}

function wrong(rule: string, message: string): { readonly error: FieldError } {
  return { error: { field: "target", rule, message } };
}
