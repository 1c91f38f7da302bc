/** Accounts of the company are kept in so many lanes at most, see take-account-lane.function.sql. */
const LANES = 64;

/** Returns whether a stored key is that of a lane of an account of the company. */
export const isLane = (key: number): boolean => key < 0;

/** The number of the account that a lane belongs to. */
export const accountOfLane = (key: number): number => Math.floor(-key / LANES);

/** The number of a lane within its account. */
export const laneOf = (key: number): number => -key % LANES;

/** The lowest and the highest key of an account's lanes. */
export const lanesOf = (accountId: number): { gte: number; lte: number } => ({
  gte: -LANES * accountId - (LANES - 1),
  lte: -LANES * accountId,
});

/** A stored key as it is shown: 0 for an account of the company, which has a name. */
export const shownKey = (key: number): number => (isLane(key) ? 0 : key);
