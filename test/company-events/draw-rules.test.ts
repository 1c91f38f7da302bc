import { createHmac } from "node:crypto";
import {
  drawNumbers,
  isAvailable,
  isHit,
  placesHit,
  seedHash,
} from "../../src/slices/company-events/draw.rules.js";

const SEED = Buffer.alloc(32, 7);
const AT = new Date("2026-06-01T12:00:00Z");

/** One of 10,000 fair runs exceeds this value of χ² for two outcomes (one degree of freedom). */
const CHI_SQUARE_LIMIT = 15.14;

function chiSquare(hits: number, draws: number, winRate: number): number {
  const expected = draws / winRate;
  return (hits - expected) ** 2 / expected + (hits - expected) ** 2 / (draws - expected);
}

it("publishes the SHA-256 of the seed", () => {
  expect(seedHash(Buffer.alloc(32))).toBe("66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925");
});

it("takes its numbers from HMAC-SHA256 under the seed, 48 bits each, and goes on in further blocks", () => {
  const numbers = drawNumbers(SEED, { companyEventId: 12, clientId: 34, number: 5 }, 1);
  const first = createHmac("sha256", SEED).update("12:34:5:1").digest();
  const second = createHmac("sha256", SEED).update("12:34:5:1:1").digest();

  const taken = Array.from({ length: 6 }, () => numbers.next().value);

  const cut = (bytes: Buffer, place: number) =>
    Number.parseInt(bytes.toString("hex").slice(place * 12, place * 12 + 12), 16);
  expect(taken).toEqual([0, 1, 2, 3, 4].map((place) => cut(first, place)).concat(cut(second, 0)));
});

it("hits on remainder 0 and passes over numbers that would favour small remainders", () => {
  expect(isHit([8], 4)).toBe(true);
  expect(isHit([9], 4)).toBe(false);
  expect(isHit([2 ** 48 - 1, 7], 7)).toBe(true);
  expect(isHit([2 ** 48 - 1, 8], 7)).toBe(false);
  expect(isHit([2 ** 48 - 1], 1)).toBe(true);
  expect(() => isHit([], 4)).toThrow("ran out of numbers");
});

it.each([1, 2, 3, 7, 20, 100, 1_000])("wins once in %i draws, by χ² over 100,000", (winRate) => {
  const draws = 100_000;
  let hits = 0;
  for (let clientId = 1; clientId <= draws; clientId += 1) {
    if (isHit(drawNumbers(SEED, { companyEventId: 1, clientId, number: 1 }, 0), winRate)) hits += 1;
  }

  if (winRate === 1) expect(hits).toBe(draws);
  else expect(chiSquare(hits, draws, winRate)).toBeLessThan(CHI_SQUARE_LIMIT);
});

it("draws each place, each draw and each client by itself", () => {
  const config = { couponSeeds: Array.from({ length: 3 }, () => ({ maxCount: 1, winRate: 2 })) };
  const draws = 8_000;
  const patterns = new Map<string, number>();
  for (let number = 1; number <= draws; number += 1) {
    const pattern = placesHit(
      config,
      SEED,
      { companyEventId: 1, clientId: 1 + (number % 40), number },
      AT,
    ).join();
    patterns.set(pattern, (patterns.get(pattern) ?? 0) + 1);
  }

  // The eight patterns are equally likely, which makes 7 degrees of freedom.
  const expected = draws / 8;
  const distance = [...patterns.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(patterns.size).toBe(8);
  expect(distance).toBeLessThan(29.88);
});

it("draws the same again and another way with another seed", () => {
  const config = { couponSeeds: Array.from({ length: 64 }, () => ({ maxCount: 1, winRate: 2 })) };
  const key = { companyEventId: 3, clientId: 4, number: 5 };

  const places = placesHit(config, SEED, key, AT);

  expect(placesHit(config, Buffer.from(SEED), key, AT)).toEqual(places);
  expect(placesHit(config, Buffer.alloc(32, 8), key, AT)).not.toEqual(places);
});

it.each([
  ["no window", {}, {}, true],
  ["from the moment itself", { availableSince: AT.toISOString() }, {}, true],
  ["not a millisecond before", { availableSince: "2026-06-01T12:00:00.001Z" }, {}, false],
  ["until the moment, which is out", { availableUntil: AT.toISOString() }, {}, false],
  ["a millisecond before the end", { availableUntil: "2026-06-01T12:00:00.001Z" }, {}, true],
  ["coupons that would have ended", {}, { expiresAt: AT.toISOString() }, false],
  ["coupons that end later", {}, { expiresAt: "2026-06-01T12:00:00.001Z" }, true],
])("says whether a coupon seed is there: %s", (_, window, config, available) => {
  const couponSeed = { maxCount: 1, winRate: 1, ...window };

  expect(isAvailable(couponSeed, config, AT)).toBe(available);
  expect(
    placesHit(
      { ...config, couponSeeds: [couponSeed] },
      SEED,
      { companyEventId: 1, clientId: 1, number: 1 },
      AT,
    ),
  ).toEqual(available ? [0] : []);
});
