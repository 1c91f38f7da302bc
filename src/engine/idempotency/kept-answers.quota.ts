import { createHash } from "node:crypto";
import type { Caller } from "../../core/access/caller.js";
import type { StoredQuota } from "../../core/quotas/quota.js";
import { keptBytes } from "./idempotency.sql.js";
import { ownerOf } from "./idempotent-request.js";

/** A company's answers are counted in so many rows: with one, all requests with a key would wait for it. */
export const SHARES = 8;

/** The bytes of the answers that are kept for a company in its present day; they end with the day. */
export const keptAnswersQuota: StoredQuota = {
  name: "idempotency_keys",
  unit: "bytes",
  usual: 1024 ** 3,
  refills: true,
  used: ({ db, companyId }) => keptBytes(db, sharesOf(companyId)),
};

/** Who has to have room for an answer. */
export interface Keepers {
  /** All who count answers against the quota. */
  readonly all: readonly Buffer[];
  /** The one of them who counts this answer. */
  readonly own: Buffer;
}

export function keepersOf(caller: Caller, address: string): Keepers {
  if (caller.kind !== "admin" && caller.kind !== "client" && caller.kind !== "key") {
    const own = digestOf(ownerOf(caller, address));
    return { all: [own], own };
  }
  const all = sharesOf(caller.companyId);
  return { all, own: all[Math.floor(Math.random() * SHARES)] as Buffer };
}

const sharesOf = (companyId: number): Buffer[] =>
  Array.from({ length: SHARES }, (_, share) => digestOf(`company:${companyId}/${share}`));

const digestOf = (name: string): Buffer => createHash("sha256").update(name).digest();
