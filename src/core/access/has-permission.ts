import { isRoleHolder } from "./caller.js";
import type { OperationContext } from "../operations/operation-context.js";
import type { Area, Permission } from "./permissions.js";

/**
 * Returns whether the caller has a permission in a company, for answers that depend on it. The permission that an operation
 * needs is declared with `RequirePermission`.
 */
export async function hasPermission(
  { caller, runtime }: Pick<OperationContext, "caller" | "runtime">,
  companyId: number,
  permission: Permission,
): Promise<boolean> {
  if (caller.kind === "platform") return true;
  if (!isRoleHolder(caller) || caller.companyId !== companyId) return false;
  const grant = await runtime.roles.grantOf(caller);
  return grant !== null && (grant.all || grant.roles.has(permission));
}

/** Returns whether the caller may read an area in a company: who may see it may, and who may edit it. */
export async function mayReadArea(
  context: Pick<OperationContext, "caller" | "runtime">,
  companyId: number,
  area: Area,
): Promise<boolean> {
  return (
    (await hasPermission(context, companyId, `access_${area}`)) ||
    (await hasPermission(context, companyId, `can_edit_${area}`))
  );
}
