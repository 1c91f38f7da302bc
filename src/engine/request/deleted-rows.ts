import { DomainError } from "../../core/errors/domain-error.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { holdsPermission } from "../../core/access/held-permission.js";
import type { Area } from "../../core/access/permissions.js";

/**
 * Checks that the caller is an admin who may see or edit the area, before deleted rows are shown (contract §4.6).
 * The guard calls it for every operation that declares `withDeleted`.
 *
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export async function assertMaySeeDeleted(
  context: Pick<OperationContext, "caller" | "runtime">,
  companyId: number,
  area: Area,
): Promise<void> {
  const { kind } = context.caller;
  if (kind === "anonymous" || kind === "invalid") {
    throw new DomainError("UNAUTHENTICATED", "Deleted rows need a token.");
  }
  const [see, edit] = [`access_${area}`, `can_edit_${area}`] as const;
  if (await holdsPermission(context, companyId, see)) return;
  if (await holdsPermission(context, companyId, edit)) return;
  throw new DomainError("FORBIDDEN", `Deleted rows need the permission ${see} or ${edit}.`);
}
