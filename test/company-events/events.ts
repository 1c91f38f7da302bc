import type { StoredEventConfig } from "../../src/slices/company-events/company-event-config.js";
import type { Prisma } from "../../src/generated/prisma/client.js";
import { unique } from "../support/factories.js";
import type { Gateway } from "../support/gateway.js";

export const HOUR_MS = 3_600_000;
export const SEED = new Uint8Array(32).fill(0x5e);

/** The stored forms of an event in each state. In the last two, a due time has passed that no job has noted yet. */
export const STORED = {
  pending: () => ({ status: "pending" }),
  ready: () => ({ status: "ready", startsAt: hoursFromNow(1), seed: SEED }),
  running: () => ({ status: "running", startsAt: hoursFromNow(-1), seed: SEED }),
  finished: () => ({ status: "finished", startsAt: hoursFromNow(-2), endsAt: hoursFromNow(-1), seed: SEED }),
  begun: () => ({ status: "ready", startsAt: hoursFromNow(-1), seed: SEED }),
  ended: () => ({ status: "running", startsAt: hoursFromNow(-2), endsAt: hoursFromNow(-1), seed: SEED }),
} as const;
export type Stored = keyof typeof STORED;

/** Stores an event in a state, with its prizes if it is ready. One that is pending has a coupon to be won. */
export async function storeEvent(
  { db }: Gateway,
  companyId: number,
  stored: Stored,
  config: StoredEventConfig = {},
  overrides: { startsAt?: Date; endsAt?: Date; seed?: Uint8Array<ArrayBuffer>; updatedAt?: Date } = {},
): Promise<{ id: number }> {
  const { id } = await db.companyEvent.create({
    data: {
      companyId,
      name: `Event ${unique()}`,
      ...STORED[stored](),
      ...overrides,
      config: {
        ...(stored === "pending" && { couponSeeds: [{ maxCount: 1, winRate: 1 }] }),
        ...config,
      } as Prisma.InputJsonObject,
    },
    select: { id: true },
  });
  if (stored !== "pending") {
    await db.companyEventPrize.createMany({
      data: (config.couponSeeds ?? []).map(({ maxCount }, place) => ({
        companyId,
        companyEventId: id,
        place,
        maxCount,
      })),
    });
  }
  return { id };
}

export function hoursFromNow(hours: number): Date {
  return new Date(Date.now() + hours * HOUR_MS);
}

/** Writes a moment as bodies have it. */
export function spoken(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace("T", " ");
}
