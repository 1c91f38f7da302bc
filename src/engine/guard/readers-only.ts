import { defaultFieldResolver } from "graphql";
import { READERS_OF, type Readers } from "../../core/access/access.js";
import { mayReadArea } from "../../core/access/has-permission.js";
import { areaForbidden } from "../../core/errors/domain-error.js";
import type { Run } from "../request/run.js";
import type { FieldConfig } from "../schema/field-config.js";
import { refusable } from "../schema/refusable-field.js";

/** A row, or a company itself. */
export interface OwnedRow {
  readonly id: number;
  readonly companyId?: number;
}

/** Puts the check of `@ReadersOnly()` in front of a field that has it, which can be null then. */
export function guardReaders(field: FieldConfig): FieldConfig {
  const readers = field.extensions?.[READERS_OF] as Readers | undefined;
  if (readers === undefined) return field;
  const resolve = field.resolve ?? defaultFieldResolver;
  return refusable({
    ...field,
    resolve: async (row, args, context, info) => {
      await assertReads(context as Run, row as OwnedRow, readers);
      return resolve(row, args, context, info);
    },
  });
}

async function assertReads(
  run: Run,
  { companyId, id }: OwnedRow,
  { area, orItself }: Readers,
): Promise<void> {
  const { caller } = run;
  const isItself = orItself && caller.kind === "client" && caller.companyId === companyId && caller.id === id;
  if (!isItself && !(await mayReadArea(run, companyId ?? id, area))) throw areaForbidden(area);
}
