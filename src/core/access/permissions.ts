/** Areas of the back office; reading needs `access_<area>`, writing `can_edit_<area>` (contract §3.4). */
export const AREAS = [
  "coupons",
  "company_events",
  "properties",
  "goods",
  "carts",
  "banners",
  "company",
  "settings",
  "admins",
  "admin_types",
  "clients",
  "forms",
  "balance",
  "fleet",
  "invoices",
  "chat_rooms",
] as const;

const SPECIAL_PERMISSIONS = [
  "access_audit_entries",
  "can_redeem_coupons",
  "can_adjust_balance",
  "can_transfer_balance",
  "can_give_change",
  "can_refund_invoices",
  "can_import_goods",
  "can_issue_client_tokens",
] as const;

export type Area = (typeof AREAS)[number];
export type Permission = `access_${Area}` | `can_edit_${Area}` | (typeof SPECIAL_PERMISSIONS)[number];

export const PERMISSIONS: readonly Permission[] = [
  ...AREAS.flatMap((area) => [`access_${area}`, `can_edit_${area}`] as const),
  ...SPECIAL_PERMISSIONS,
];
