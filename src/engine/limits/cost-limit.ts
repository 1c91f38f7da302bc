/** The most that a GraphQL operation may cost unless `COST_LIMIT` says otherwise (see `document-cost.ts`). */
export const DEFAULT_COST_LIMIT = 100_000;
