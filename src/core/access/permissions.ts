/**
 * The areas of the back office and the permissions, by the slice that they belong to (contract §3.4). A slice adds its own
 * beside `definePermissions`:
 *
 * ```ts
 * export const PERMISSIONS = definePermissions(["invoices"], ["can_refund_invoices"]);
 *
 * declare module "../../core/access/permissions.js" {
 *   interface SlicePermissions { invoices: typeof PERMISSIONS }
 * }
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- extended by the slices
export interface SlicePermissions {}

type Defined = SlicePermissions[keyof SlicePermissions];

/** Part of the back office; reading needs `access_<area>`, writing `can_edit_<area>`. */
export type Area = Defined["areas"][number];
export type Permission = `access_${Area}` | `can_edit_${Area}` | Defined["others"][number];

/** All permissions, each with the area that it lets read or write; `null` for one that stands for itself. */
const areas = new Map<string, Area | null>();

/**
 * Defines the areas of a slice, and permissions that are not about a whole area.
 *
 * @throws Error for a permission that is defined already.
 */
export function definePermissions<
  const Areas extends readonly string[],
  const Others extends readonly string[] = readonly [],
>(
  areasOfSlice: Areas,
  others: Others = [] as unknown as Others,
): { readonly areas: Areas; readonly others: Others } {
  for (const area of areasOfSlice)
    for (const verb of ["access", "can_edit"]) define(`${verb}_${area}`, area as Area);
  for (const permission of others) define(permission, null);
  return { areas: areasOfSlice, others };
}

function define(permission: string, area: Area | null): void {
  if (areas.has(permission)) throw new Error(`the permission ${permission} is defined twice`);
  areas.set(permission, area);
}

/** Returns the permissions of all slices, as soon as these are loaded. */
export function allPermissions(): readonly Permission[] {
  return [...areas.keys()] as Permission[];
}

export function isDefined(permission: Permission): boolean {
  return areas.has(permission);
}

/** Returns the area that a permission lets read or write; `null` when it stands for itself. */
export function areaOf(permission: Permission): Area | null {
  return areas.get(permission) ?? null;
}
