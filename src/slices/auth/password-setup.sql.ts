import type { CompanyScope } from "../../core/scope/company-scope.js";

/**
 * Voids for good the tokens to set a password whose admin holds more than who issued them, who may be deleted or suspended. That of
 * an admin without a password, whose type its issuer may assign, is good whatever the type holds. Call it under the lock of the
 * company's grants, after a change of them.
 */
export async function voidOutgrownTokens({ whole, companyId, at }: CompanyScope): Promise<void> {
  await whole.db.$executeRaw`
    UPDATE password_setup_tokens t SET used_at = ${at}::timestamptz
      FROM admins a, admins i
     WHERE t.company_id = ${companyId} AND t.used_at IS NULL
       AND a.company_id = t.company_id AND a.id = t.admin_id
       AND i.company_id = t.company_id AND i.id = t.issued_by_id
       AND (i.deleted_at IS NOT NULL OR i.suspended_at IS NOT NULL
            OR NOT (i.is_owner OR i.is_full_admin)
               AND (a.is_owner OR a.is_full_admin
                    OR EXISTS (SELECT FROM admin_type_roles r
                                WHERE r.company_id = t.company_id AND r.admin_type_id = a.admin_type_id
                                  AND NOT EXISTS (SELECT FROM admin_type_roles own
                                                   WHERE own.company_id = t.company_id
                                                     AND own.admin_type_id = i.admin_type_id
                                                     AND own.role = r.role))
                   AND NOT (a.password_hash IS NULL
                            AND EXISTS (SELECT FROM admin_types g
                                         WHERE g.company_id = t.company_id AND g.id = i.admin_type_id
                                           AND a.admin_type_id = ANY (g.assignable_type_ids)))))`;
}
