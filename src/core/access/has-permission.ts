import type { OperationContext } from "../operations/operation-context.js";
import type { Permission } from "./permissions.js";

/** Whether the caller holds a permission in a company. What an operation as such needs is declared with it. */
export async function hasPermission(
  { caller, runtime }: Pick<OperationContext, "caller" | "runtime">,
  companyId: number,
  permission: Permission,
): Promise<boolean> {
  if (caller.kind === "platform") return true;
  if (caller.kind !== "admin" || caller.companyId !== companyId) return false;
  const grant = await runtime.roles.grantOf(companyId, caller.id);
  return grant !== null && (grant.all || grant.roles.has(permission));
}
