import { areaForbidden, DomainError } from "../../core/errors/domain-error.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { mayReadArea } from "../../core/access/has-permission.js";
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
  if (await mayReadArea(context, companyId, area)) return;
  throw areaForbidden(area, "Deleted rows need");
}
