import { isRoleHolder } from "../../core/access/caller.js";
import { hasPermission, mayReadArea } from "../../core/access/has-permission.js";
import { areaOf, type Permission } from "../../core/access/permissions.js";
import { wholeModels } from "../../core/resources/lock-wholes.sql.js";
import type { OperationContext } from "../../core/operations/operation-context.js";
import { delegateName, ownerField, type ModelName } from "../../core/scope/tenant-models.js";
import { modelOfTarget } from "./audit-entry.rules.js";

type Context = Pick<OperationContext, "caller" | "runtime">;

/** The row of an entry, and the mutation that changed it. */
interface ChangedRow {
  readonly companyId: number;
  readonly targetType: string;
  readonly operation: string;
}

/**
 * Returns whether the caller may see the values of a changed row: who may read such rows by their query. Where everybody
 * may, and of parts and links without a query, it is the area of who changes them; of parts that no mutation changes by
 * themselves, who may read their wholes. What no permission covers is for those who hold all of them; rows that are private
 * to a client are for nobody here, the platform neither.
 */
export async function mayReadValues(context: Context, row: ChangedRow): Promise<boolean> {
  const { companyId, targetType, operation } = row;
  const model = modelOfTarget(targetType);
  if (model === undefined || ownerField(model) !== null) return false;
  return mayReadRows(context, companyId, model, operation);
}

/** Returns whether the caller may read the rows of a model, by the rule of `mayReadValues`. */
export async function mayReadRows(
  context: Context,
  companyId: number,
  model: ModelName,
  operation: string | null = null,
): Promise<boolean> {
  const { caller, runtime } = context;
  const permission =
    permissionFor(runtime, delegateName(model)) ??
    permissionFor(runtime, `update${model}`) ??
    (operation === null ? undefined : permissionFor(runtime, operation));
  if (permission === undefined) {
    const wholes = wholeModels(model);
    for (const whole of wholes) if (!(await mayReadRows(context, companyId, whole))) return false;
    if (wholes.length > 0) return true;
    if (!isRoleHolder(caller)) return caller.kind === "platform";
    return (await runtime.roles.grantOf(caller))?.all === true;
  }
  const area = areaOf(permission);
  return area === null
    ? hasPermission(context, companyId, permission)
    : mayReadArea(context, companyId, area);
}

function permissionFor(runtime: Context["runtime"], operation: string): Permission | undefined {
  const access = runtime.accessOf(operation);
  return access?.kind === "permission" ? access.permission : undefined;
}
