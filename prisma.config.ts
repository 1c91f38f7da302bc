import { defineConfig } from "prisma/config";

/**
 * Prisma's own command line reads this: `prisma generate`, and `prisma migrate deploy` where its engine is
 * installed.
 */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
