import { DomainError } from "../../src/core/errors/domain-error.js";
import {
  ACTIONS_BY_STATE,
  actionsIn,
  COUPON_ACTIONS,
  hasLinkedTargets,
  hasManyCodes,
} from "../../src/slices/coupons/coupon-actions.rules.js";
import {
  assertMay,
  codesToMake,
  defaultCodeLength,
  endOf,
  isTooShort,
  stateOf,
} from "../../src/slices/coupons/coupon-lifecycle.rules.js";

const AT = new Date("2026-03-01T12:00:00.000Z");
const later = (ms: number) => new Date(AT.getTime() + ms);
const BATCH = { type: "batch", targetType: "company", pausedAt: null };
const PERSONAL = { type: "personal", targetType: "branch", pausedAt: null };

describe("the actions of a state", () => {
  it.each([
    ["pending", BATCH, ["update", "set_ready", "delete"]],
    ["pending", PERSONAL, ["update", "link_target", "unlink_target", "set_ready", "delete", "upload_codes"]],
    [
      "pending",
      { ...BATCH, targetType: "branch_group" },
      ["update", "link_target", "unlink_target", "set_ready", "delete"],
    ],
    ["generating", PERSONAL, ["delete"]],
    ["ready", PERSONAL, ["delete"]],
    ["running", BATCH, ["update_running", "set_finished", "pause"]],
    ["running", { ...BATCH, pausedAt: AT }, ["update_running", "set_finished", "resume"]],
    [
      "running",
      { ...BATCH, type: "gift_card" },
      ["update_running", "set_finished", "pause", "add_codes", "upload_codes"],
    ],
    ["finished", PERSONAL, ["delete"]],
    ["deleted", PERSONAL, ["restore"]],
  ] as const)("%s, of %o", (state, coupon, expected) => {
    expect(actionsIn(state, coupon)).toEqual(expected);
  });

  it("are those of the kinds that have targets or many codes", () => {
    const kinds = ["personal", "gift_card", "batch", "promo"];
    const targets = ["branch_group", "branch", "company", "good"];

    expect(kinds.filter(hasManyCodes)).toEqual(["personal", "gift_card"]);
    expect(targets.filter(hasLinkedTargets)).toEqual(["branch_group", "branch"]);
    expect(new Set(Object.values(ACTIONS_BY_STATE).flat())).toEqual(new Set(COUPON_ACTIONS));
  });
});

describe("the state of a coupon", () => {
  const stored = { status: "ready", startsAt: AT, endsAt: later(10), deletedAt: null };

  it("is that of its exact times, unless it is deleted", () => {
    expect([later(-1), AT, later(9), later(10)].map((at) => stateOf(stored, at))).toEqual([
      "ready",
      "running",
      "running",
      "finished",
    ]);
    expect(stateOf({ ...stored, deletedAt: AT }, AT)).toBe("deleted");
  });

  it("ends at once, just after its start or its last use, but never after its end", () => {
    const endOfCoupon = (startsAt: Date | null, endsAt: Date | null, lastUse: Date | null) =>
      endOf({ startsAt, endsAt }, lastUse, AT).getTime() - AT.getTime();

    expect(endOfCoupon(null, null, null)).toBe(0);
    expect(endOfCoupon(later(-9), null, later(-5))).toBe(0);
    expect(endOfCoupon(AT, null, null)).toBe(1);
    expect(endOfCoupon(later(3), null, later(2))).toBe(4);
    expect(endOfCoupon(later(-9), null, later(7))).toBe(8);
    expect(endOfCoupon(later(-9), later(-2), null)).toBe(-2);
    expect(endOfCoupon(later(-9), AT, null)).toBe(0);
    expect(endOfCoupon(later(-9), later(2), null)).toBe(0);
  });

  const refusal = (action: (typeof COUPON_ACTIONS)[number], coupon: typeof BATCH, status: string) => {
    try {
      assertMay(action, { ...stored, endsAt: null, status, ...coupon }, AT);
      return null;
    } catch (error) {
      return error instanceof DomainError ? [error.code, error.message] : error;
    }
  };

  it.each([
    ["restore", BATCH, "pending", "The coupon is not deleted."],
    ["link_target", BATCH, "pending", "Coupons of this target_type have no targets to link."],
    ["unlink_target", BATCH, "pending", "Coupons of this target_type have no targets to link."],
    ["link_target", BATCH, "running", "The coupon is running."],
    ["update", PERSONAL, "running", "The coupon is running."],
    ["resume", PERSONAL, "running", "The coupon is not paused."],
    ["pause", { ...PERSONAL, pausedAt: AT }, "running", "The coupon is paused."],
    ["pause", PERSONAL, "pending", "The coupon is pending."],
    ["resume", PERSONAL, "finished", "The coupon is finished."],
    ["add_codes", BATCH, "running", "A coupon of type batch has no codes for one use."],
    ["upload_codes", BATCH, "pending", "A coupon of type batch has no codes for one use."],
    ["add_codes", PERSONAL, "pending", "The coupon is pending."],
  ] as const)("refuses %s of %o when it is %s", (action, coupon, status, message) => {
    expect(refusal(action, coupon as typeof BATCH, status)).toEqual(["INVALID_STATE", message]);
  });

  it("allows what its state lists", () => {
    expect(refusal("update", BATCH, "pending")).toBeNull();
    expect(refusal("pause", BATCH, "running")).toBeNull();
    expect(refusal("add_codes", PERSONAL, "running")).toBeNull();
  });
});

describe("the codes of a coupon", () => {
  it("are as many as its uses, where each has its own", () => {
    expect(codesToMake({ type: "personal", totalCount: 7 })).toBe(7);
    expect(codesToMake({ type: "batch", totalCount: 7 })).toBe(0);
    expect([defaultCodeLength("gift_card"), defaultCodeLength("personal")]).toEqual([12, 8]);
  });

  it.each([
    ["personal", 5, 28_629, false],
    ["personal", 5, 28_630, true],
    ["gift_card", 9, 26_439, false],
    ["gift_card", 9, 26_440, true],
    ["batch", 1, 1_000_000, false],
  ])(
    "of a %s with %i characters are safe from guessing up to a number: %i",
    (type, length, totalCount, expected) => {
      expect(isTooShort(length, { type, totalCount })).toBe(expected);
    },
  );
});
