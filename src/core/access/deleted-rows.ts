import type { RequestContext } from "../../engine/request/run.js";
import { DomainError } from "../errors/domain-error.js";
import { holdsPermission } from "./held-permission.js";
import type { Area } from "./permissions.js";

/**
 * Deleted rows show to admins of the area alone, who may see or edit it, and only when they ask for them
 * (conventions §5).
 *
 * @param asked the argument `withDeleted`; nothing is checked unless it is true.
 * @throws DomainError UNAUTHENTICATED, FORBIDDEN.
 */
export async function assertMaySeeDeleted(
  context: Pick<RequestContext, "caller" | "runtime">,
  companyId: number,
  area: Area,
  asked: boolean | null | undefined,
): Promise<void> {
  if (asked !== true) return;
  const { kind } = context.caller;
  if (kind === "anonymous" || kind === "invalid") {
    throw new DomainError("UNAUTHENTICATED", "Deleted rows need a token.");
  }
  const [see, edit] = [`access_${area}`, `can_edit_${area}`] as const;
  if (await holdsPermission(context, companyId, see)) return;
  if (await holdsPermission(context, companyId, edit)) return;
  throw new DomainError("FORBIDDEN", `Deleted rows need the permission ${see} or ${edit}.`);
}
