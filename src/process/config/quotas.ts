import { streamQuota } from "../../api/http/open-streams.js";
import { Quotas, type Quota } from "../../core/quotas/quota.js";
import { trailQuota } from "../../engine/audit/trail.quota.js";
import { keptAnswersQuota } from "../../engine/idempotency/kept-answers.quota.js";
import { storageQuota } from "../../engine/storage/storage.quota.js";
import { adminQuota } from "../../slices/admins/admin.quota.js";
import { apiKeyQuota } from "../../slices/api-keys/api-key.quota.js";
import { clientQuota } from "../../slices/clients/client.quota.js";
import { waitingImportQuota } from "../../slices/imports/waiting-import.quota.js";
import { webhookQuota } from "../../slices/webhooks/webhook.quota.js";
import type { VariableReader } from "./variable-reader.js";

/** All quotas of a company; the quota of a slice has to be listed here. */
const QUOTAS: readonly Quota[] = [
  storageQuota,
  trailQuota,
  adminQuota,
  clientQuota,
  apiKeyQuota,
  keptAnswersQuota,
  streamQuota,
  waitingImportQuota,
  webhookQuota,
];

const UNITS: Readonly<Record<string, number>> = { "": 1, kB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 };

/** Reads the limits of quotas, as `storage=10GB,admins=500`; a unit is for bytes alone, and 0 is no limit. */
export function readQuotas(read: VariableReader): Quotas {
  const limits = new Map<string, number>();
  const parts = (read.text("QUOTAS") ?? "").split(",").map((part) => part.trim());
  for (const part of parts.filter((one) => one !== "")) {
    const { name, amount, unit } =
      /^(?<name>\w+)\s*=\s*(?<amount>\d{1,15})(?<unit>kB|MB|GB|TB|)$/u.exec(part)?.groups ?? {};
    const quota = QUOTAS.find((one) => one.name === name);
    const limit = Number(amount) * (UNITS[unit ?? ""] ?? 1);
    if (quota !== undefined && limits.has(quota.name)) read.wrong("QUOTAS", `names ${quota.name} twice`);
    else if (quota === undefined || (unit !== "" && quota.unit !== "bytes") || !Number.isSafeInteger(limit)) {
      const names = QUOTAS.map((one) => one.name).join(", ");
      read.wrong(
        "QUOTAS",
        `must be limits such as storage=10GB,admins=500 of ${names}; one is ${JSON.stringify(part)}`,
      );
    } else limits.set(quota.name, limit);
  }
  return new Quotas(QUOTAS, limits);
}
