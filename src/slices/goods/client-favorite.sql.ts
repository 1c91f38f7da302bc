import type { CompanyScope } from "../../core/scope/company-scope.js";
import type { ClientFavorite } from "./client-favorite.model.js";

/** Adds goods behind the client's other favourites, in the given order; favourites keep their place. */
export async function appendFavorites(
  { db, companyId }: CompanyScope,
  clientId: number,
  goodIds: readonly number[],
): Promise<void> {
  await db.$executeRaw`
    WITH present AS (
      SELECT good_id, in_order FROM client_favorites WHERE company_id = ${companyId} AND client_id = ${clientId}
    )
    INSERT INTO client_favorites (company_id, client_id, good_id, in_order)
    SELECT ${companyId}::int, ${clientId}::int, good_id,
           (SELECT coalesce(max(in_order), 0) FROM present)::int + row_number() OVER (ORDER BY place)::int
      FROM unnest(${[...new Set(goodIds)]}::int[]) WITH ORDINALITY AS wanted (good_id, place)
     WHERE good_id NOT IN (SELECT good_id FROM present)
    ON CONFLICT (company_id, client_id, good_id) DO NOTHING`;
}

export async function upsertFavorite(
  { db, companyId }: CompanyScope,
  { clientId, goodId, inOrder }: Pick<ClientFavorite, "clientId" | "goodId" | "inOrder">,
): Promise<void> {
  await db.$executeRaw`
    INSERT INTO client_favorites (company_id, client_id, good_id, in_order)
    VALUES (${companyId}::int, ${clientId}::int, ${goodId}::int, ${inOrder}::int)
    ON CONFLICT (company_id, client_id, good_id) DO UPDATE SET in_order = EXCLUDED.in_order`;
}
