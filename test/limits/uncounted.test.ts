import type { Pool } from "pg";
import { RateLimiter } from "../../src/engine/limits/rate-limiter.js";

const LIMIT = 20;
const KEY = "rate:address:192.0.2.7";

describe("requests that the database does not count", () => {
  it("pass up to the limit, and no further", async () => {
    const errors: unknown[] = [];
    const pool = { query: () => Promise.reject(new Error("away")) } as unknown as Pool;
    const limiter = new RateLimiter(pool, LIMIT, (error) => void errors.push(error));

    const allowed: boolean[] = [];
    for (let n = 0; n < 2 * LIMIT; n += 1) allowed.push((await limiter.take(KEY)).allowed);

    expect(allowed.filter(Boolean).length).toBe(LIMIT);
    expect(allowed.slice(LIMIT)).toEqual(Array(LIMIT).fill(false));
    expect(errors.length).toBeGreaterThan(0);
  });
});
