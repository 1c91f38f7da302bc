import { snakeCaseOf } from "../../core/names.js";

/** A good as its columns have it. */
type Columns = Readonly<Record<string, unknown>>;

/** A good by the keys of REST, those within its unit, too. */
export function restGood(columns: Columns): Columns {
  const unit = columns["unit_config"] as Columns | null;
  if (unit === null) return columns;
  const parts = Object.entries(unit).map(([key, value]) => [snakeCaseOf(key), value]);
  return { ...columns, unit_config: Object.fromEntries(parts) };
}
