import { CONDITIONS, CONFIG_KEYS, RULES } from "../../src/slices/coupons/conditions/conditions.js";
import { describeConfig, mergeConfig } from "../../src/slices/coupons/coupon-config.rules.js";

const unique = (names: readonly string[]): string[] => [...new Set(names)];

describe("the conditions of coupons", () => {
  it("define each key and rule once, and rules with the same reason beside each other", () => {
    const keys = CONDITIONS.flatMap((condition) => Object.keys(condition.keys));
    const rules = RULES.map(({ name }) => name);
    const codes = RULES.map(({ code }) => code);

    expect(keys).toEqual(unique(keys));
    expect(rules).toEqual(unique(rules));
    expect(codes.filter((code, place) => code !== codes[place - 1])).toEqual(unique(codes));
    expect(CONFIG_KEYS.map(({ name }) => name).sort()).toEqual([...keys].sort());
  });

  it("merge a config key by key: absent ones stay, null removes, moments are stored in UTC", () => {
    const stored = { limit: 3, days: [1], usersRegisteredSince: "2026-01-01T00:00:00.000Z" };
    const input = { limit: null, days: [2, 3], usersRegisteredUntil: "2026-02-01 00:00:00" };

    expect(mergeConfig(stored, input, "-04:00")).toEqual({
      days: [2, 3],
      usersRegisteredSince: "2026-01-01T00:00:00.000Z",
      usersRegisteredUntil: "2026-02-01T04:00:00.000Z",
    });
  });

  it("show what is set and, for all else, what holds unless set", () => {
    expect(describeConfig({ usableInPromos: false, amountLimitE2: 1999 })).toMatchObject({
      usableInPromos: false,
      avoidSameTargetPromos: false,
      amountLimitE2: 1999,
      humanAmountLimitE2: 19.99,
      maxDiscountE2: null,
      humanMaxDiscountE2: null,
      days: [],
    });
    expect(describeConfig({})).toMatchObject({ usableInPromos: true });
  });
});
