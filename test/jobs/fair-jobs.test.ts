import { Quotas } from "../../src/core/quotas/quota.js";
import type { JobHelpers } from "graphile-worker";
import { LOW_PRIORITY } from "../../src/core/jobs/jobs.js";
import { setOperations, type Operations } from "../../src/engine/writes/operations.js";
import type { PrismaClient } from "../../src/generated/prisma/client.js";
import { taskList, type Tasks } from "../../src/engine/worker/tasks.js";

describe("jobs of low priority", () => {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const added: unknown[] = [];
  const task = ({ companyId }: { companyId: number }) => {
    begun.push(companyId);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const writer = {} as PrismaClient;
  setOperations(writer, { client: writer, isTransaction: false } as Operations);
  const list = taskList({ generateCouponCodes: task, couponDue: task } as unknown as Tasks, {
    database: { writer } as never,
    storage: {} as never,
    callers: {} as never,
    sheets: {} as never,
    log: {} as never,
    auditDays: 0,
    journalDays: 30,
    check: {} as never,
    signal: {} as never,
    quotas: new Quotas([]),
    fetchAllow: [],
  });

  const run = (name: "generateCouponCodes" | "couponDue", companyId: number, priority: number) => {
    const helpers = {
      job: { priority, key: `codes:${companyId}` },
      addJob: (...args: unknown[]) => Promise.resolve(added.push(args)),
    } as unknown as JobHelpers;
    return list[name]?.({ companyId, couponId: 1 }, helpers);
  };

  it("run two at once for a company; further ones let those of others pass and come again", async () => {
    const running = [
      run("generateCouponCodes", 1, LOW_PRIORITY),
      run("generateCouponCodes", 1, LOW_PRIORITY),
    ];
    await run("generateCouponCodes", 1, LOW_PRIORITY);
    const others = [run("generateCouponCodes", 2, LOW_PRIORITY), run("couponDue", 1, 0)];

    expect(begun).toEqual([1, 1, 2, 1]);
    expect(added).toEqual([
      [
        "generateCouponCodes",
        { companyId: 1, couponId: 1 },
        { runAt: expect.any(Date), priority: LOW_PRIORITY, jobKey: "codes:1" },
      ],
    ]);

    for (const end of ends.splice(0)) end();
    await Promise.all([...running, ...others]);
    void run("generateCouponCodes", 1, LOW_PRIORITY);
    expect(begun).toEqual([1, 1, 2, 1, 1]);
  });
});
