import type { CompanyScope } from "../../core/scope/company-scope.js";

type Inside = Pick<CompanyScope, "db" | "companyId">;

/** Replaces a webhook's secret; the one before signs for a day, too. */
export async function replaceSecret(
  { db, companyId }: Inside,
  webhookId: number,
  { secret, previous }: { readonly secret: string; readonly previous: string | null },
): Promise<void> {
  await db.$executeRaw`
    UPDATE webhook_states
       SET secret = ${secret}, previous_secret = ${previous}::text,
           previous_until = now() + make_interval(hours => ${previous === null ? null : 24}::int)
     WHERE company_id = ${companyId} AND webhook_id = ${webhookId}`;
}
