import {
  FIRST_PURCHASE,
  REGISTRATION,
  WHITELIST,
} from "../../src/slices/coupons/conditions/client.conditions.js";
import { MIN_PURCHASE } from "../../src/slices/coupons/conditions/purchase.conditions.js";
import type { CouponConfig } from "../../src/slices/coupons/coupon-config.model.js";
import { candidate, seenBy, situation } from "./candidates.js";

const registered = (at: string) => situation({ client: { id: 7, registeredAt: new Date(at) } });
const nobody = situation({ client: null });

describe("the condition of registration", () => {
  const config: CouponConfig = {
    usersRegisteredSince: "2026-01-10T00:00:00Z",
    usersRegisteredUntil: "2026-01-20T00:00:00Z",
  };
  const passes = (terms: CouponConfig, now: ReturnType<typeof situation>): boolean =>
    REGISTRATION.rule.holds(candidate({ config: terms }), now, 0n);

  it.each([
    ["2026-01-09T23:59:59.999Z", false],
    ["2026-01-10T00:00:00Z", true],
    ["2026-01-20T00:00:00Z", true],
    ["2026-01-20T00:00:00.001Z", false],
  ])("holds from its first to its last moment: %s", (at, expected) => {
    expect(passes(config, registered(at))).toBe(expected);
  });

  it("holds for nobody who is not named, with each bound", () => {
    expect(passes({ usersRegisteredSince: "2026-01-10T00:00:00Z" }, nobody)).toBe(false);
    expect(passes({ usersRegisteredUntil: "2026-01-20T00:00:00Z" }, nobody)).toBe(false);
    expect(passes({}, nobody)).toBe(true);
  });

  it("names the bounds it asks for, and no others", () => {
    const required = (terms: CouponConfig) =>
      REGISTRATION.rule.words(candidate({ config: terms }), nobody, 0n).required;

    expect(required(config)).toMatch(/^since 2026-01-10.* and until 2026-01-20/u);
    expect(required({ usersRegisteredSince: "2026-01-10T00:00:00Z" })).toMatch(/^since 2026-01-10[^u]*$/u);
    expect(required({ usersRegisteredUntil: "2026-01-20T00:00:00Z" })).toMatch(/^until 2026-01-20/u);
  });
});

describe("the condition of the first purchase", () => {
  const judged = (config: CouponConfig, hasOrdered: boolean | null, now = situation()) =>
    seenBy(FIRST_PURCHASE.rule, candidate({ config, hasOrdered }), now, 0n);

  it.each([
    [{ onlyFirstPurchase: true }, true, false, "a later purchase", "the first purchase"],
    [{ onlyFirstPurchase: true }, false, true, "the first purchase", "the first purchase"],
    [{ excludeFirstPurchase: true }, false, false, "the first purchase", "a purchase after the first"],
    [{ excludeFirstPurchase: true }, true, true, "a later purchase", "a purchase after the first"],
  ])("%j, ordered before: %s", (config, hasOrdered, passed, actual, required) => {
    expect(judged(config, hasOrdered)).toMatchObject({ passed, actual, required });
  });

  it("does not hold for nobody", () => {
    expect(judged({ onlyFirstPurchase: true }, null, nobody)).toMatchObject({
      passed: false,
      actual: "no client",
    });
  });
});

describe("the condition of the source", () => {
  const passes = (source: string | null): boolean =>
    WHITELIST.rule.holds(candidate({ config: { sourceWhitelist: ["web"] } }), situation({ source }), 0n);

  it("holds for the sources it lists alone", () => {
    expect([passes("web"), passes("app"), passes(null)]).toEqual([true, false, false]);
  });
});

describe("the condition of the least purchase", () => {
  const passes = (subtotalE2: bigint, terms: Parameters<typeof candidate>[0]): boolean =>
    MIN_PURCHASE.rule.holds(
      candidate(terms),
      situation({ purchase: { ...situation().purchase, subtotalE2 } }),
      0n,
    );

  it("holds from its amount on", () => {
    expect(passes(4999n, { minPurchaseE2: 5000n })).toBe(false);
    expect(passes(5000n, { minPurchaseE2: 5000n })).toBe(true);
  });

  it("holds within the prices of a fee rule, both bounds among them", () => {
    const config = { feeRules: [{ priceMinE2: 1000, priceMaxE2: 2000 }] } as unknown as CouponConfig;

    expect([999n, 1000n, 2000n, 2001n].map((subtotal) => passes(subtotal, { config }))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("the end of the registration of clients", () => {
  const { toStored } = REGISTRATION.keys.usersRegisteredUntil;

  it("is the end of its day where a date alone is sent, by the offset of the company", () => {
    expect(toStored("2026-02-01", "-04:00")).toBe("2026-02-02T03:59:59.999Z");
    expect(toStored("2026-02-01 00:00:00", "-04:00")).toBe("2026-02-01T04:00:00.000Z");
    expect(REGISTRATION.keys.usersRegisteredSince.toStored("2026-02-01", "-04:00")).toBe(
      "2026-02-01T04:00:00.000Z",
    );
  });
});
