import type { CompanyScope } from "../../core/scope/company-scope.js";

/** Makes other changes of the company's geofences wait until this transaction ends. */
export async function lockGeofences({ db, companyId }: CompanyScope): Promise<void> {
  await db.$queryRaw`SELECT id FROM companies WHERE id = ${companyId} FOR NO KEY UPDATE`;
}

/** Counts the company's geofences and their points, without the one that has this id. */
export async function countGeofences(
  { db, companyId }: CompanyScope,
  except: number | null,
): Promise<{ geofences: number; points: number }> {
  const [counted] = await db.$queryRaw<[{ geofences: number; points: number }]>`
    SELECT count(*)::int AS geofences, coalesce(sum(jsonb_array_length(data->'coordinates')), 0)::int AS points
      FROM geofences WHERE company_id = ${companyId} AND id IS DISTINCT FROM ${except}::int`;
  return counted;
}
