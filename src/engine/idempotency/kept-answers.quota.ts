import { createHash } from "node:crypto";
import type { Caller } from "../../core/access/caller.js";
import type { StoredQuota } from "../../core/quotas/quota.js";
import { keptBytes } from "./idempotency.sql.js";
import { ownerOf } from "./idempotent-request.js";

/** A company's answers are counted in so many rows, each a share of the quota: with one, all requests with a key would wait for it. */
export const SHARES = 8;

/** The bytes of the answers that are kept for a company in its present day; they end with the day. */
export const keptAnswersQuota: StoredQuota = {
  name: "idempotency_keys",
  unit: "bytes",
  usual: 1024 ** 3,
  refills: true,
  used: ({ db, companyId }) =>
    keptBytes(
      db,
      Array.from({ length: SHARES }, (_, share) => digestOf(shareOf(companyId, share))),
    ),
};

/** Names who has to have room for an answer, and the share of the quota that is its. */
export function keeperOf(caller: Caller, address: string): { keeper: Buffer; shares: number } {
  if (caller.kind !== "admin" && caller.kind !== "client" && caller.kind !== "key")
    return { keeper: digestOf(ownerOf(caller, address)), shares: 1 };
  const share = Math.floor(Math.random() * SHARES);
  return { keeper: digestOf(shareOf(caller.companyId, share)), shares: SHARES };
}

const shareOf = (companyId: number, share: number): string => `company:${companyId}/${share}`;

const digestOf = (name: string): Buffer => createHash("sha256").update(name).digest();
