import { createHmac } from "node:crypto";
import { snakeCaseOf } from "../../core/names.js";
import { eventOf } from "./webhook.rules.js";

/** An attempt that fails is repeated for so long; a webhook without a success for so long is disabled. */
export const RETRY_DAYS = 3;

/** The pauses after the first attempts, in seconds, and the one after all others. */
const PAUSES = [5, 30, 120, 600, 1_800, 3_600, 7_200];
const LONGEST_PAUSE = 14_400;

/** How long to wait after so many attempts, in seconds. */
export function pauseAfter(attempts: number): number {
  return PAUSES[attempts - 1] ?? LONGEST_PAUSE;
}

/** A message as it is stored. */
export interface Message {
  readonly id: bigint;
  readonly companyId: number;
  readonly type: string;
  readonly action: string;
  readonly entityId: bigint;
  readonly fields: readonly string[];
  readonly at: Date;
}

/** The name of a message for its receiver, the same at each attempt. */
export function messageId({ id }: Pick<Message, "id">): string {
  return `msg_${id}`;
}

/** The body of a message. @param result is the answer of the webhook's query; `undefined` without one. */
export function bodyOf(message: Message, result: object | null | undefined): string {
  const { companyId, type, action, entityId, fields, at } = message;
  return JSON.stringify({
    type: eventOf(type, action),
    timestamp: at.toISOString(),
    data: {
      company_id: companyId,
      id: Number(entityId),
      fields: fields.map(snakeCaseOf),
      ...(result !== undefined && { result }),
    },
  });
}

/**
 * The headers that say who has sent a message, by Standard Webhooks.
 *
 * @param secrets begin with `whsec_`; each signs.
 */
export function signedHeaders(
  id: string,
  body: string,
  { secrets, at }: { readonly secrets: readonly string[]; readonly at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/u, ""), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
