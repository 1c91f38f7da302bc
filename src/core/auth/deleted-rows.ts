import type { RequestContext } from "../../context.js";
import { DomainError } from "../errors/domain-error.js";
import type { Area } from "./permissions.js";

/**
 * Deleted rows show to those alone who may edit the area, and only when they ask for them (conventions §5).
 *
 * @param asked the argument `withDeleted`; nothing is checked unless it is true.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export async function assertMaySeeDeleted(
  { caller, runtime }: Pick<RequestContext, "caller" | "runtime">,
  companyId: number,
  area: Area,
  asked: boolean | null | undefined,
): Promise<void> {
  if (asked !== true || caller.kind === "platform") return;
  if (caller.kind === "anonymous" || caller.kind === "invalid") {
    throw new DomainError("UNAUTHENTICATED", "Deleted rows need a token.");
  }
  const permission = `can_edit_${area}` as const;
  const grant =
    caller.kind === "admin" && caller.companyId === companyId
      ? await runtime.roles.grantOf(companyId, caller.id)
      : null;
  if (grant === null || !(grant.all || grant.roles.has(permission))) {
    throw new DomainError("FORBIDDEN", `Deleted rows need the permission ${permission}.`);
  }
}
