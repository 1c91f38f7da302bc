import { sql } from "../db/sql.js";
import type { CompanyScope } from "../scope/company-scope.js";
import type { ModelName } from "../scope/tenant-models.js";
import { targetTypeOf } from "./audited-models.js";

/** What changes no row and stands in the audit trail all the same. */
interface Notice {
  readonly action: "export" | "import" | "erase";
  readonly model: ModelName;
  readonly id: number;
}

/** Writes an entry of the audit trail within the transaction of an audited mutation, which knows who acts. */
export async function noteInTrail(
  { db, companyId }: CompanyScope,
  { action, model, id }: Notice,
): Promise<void> {
  await db.$queryRaw(
    sql`
    SELECT note_in_trail(c.id, ${action}, ${targetTypeOf(model)}, ${id}::bigint, '{}')::text
      FROM companies c WHERE c.id = ${companyId}`,
  );
}
