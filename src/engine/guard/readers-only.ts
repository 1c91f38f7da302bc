import { defaultFieldResolver } from "graphql";
import { READERS_OF } from "../../core/access/access.js";
import { mayReadArea } from "../../core/access/has-permission.js";
import type { Area } from "../../core/access/permissions.js";
import { areaForbidden } from "../../core/errors/domain-error.js";
import type { Run } from "../request/run.js";
import type { FieldConfig } from "../schema/field-config.js";

/** A row, or a company itself. */
interface OwnedRow {
  readonly id: number;
  readonly companyId?: number;
}

/** Puts the check of `@ReadersOnly()` in front of a field that has it. */
export function guardReaders(field: FieldConfig): FieldConfig {
  const area = field.extensions?.[READERS_OF] as Area | undefined;
  if (area === undefined) return field;
  const resolve = field.resolve ?? defaultFieldResolver;
  return {
    ...field,
    resolve: async (row, args, context, info) => {
      const { companyId, id } = row as OwnedRow;
      if (!(await mayReadArea(context as Run, companyId ?? id, area))) throw areaForbidden(area);
      return resolve(row, args, context, info);
    },
  };
}
