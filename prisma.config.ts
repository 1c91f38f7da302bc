import { defineConfig } from "prisma/config";

/** For Prisma's own command line: `prisma generate`, and `prisma migrate deploy` where its engine is installed. */
export default defineConfig({
  schema: "prisma/schema",
  migrations: { path: "prisma/migrations" },
  datasource: { url: process.env.DATABASE_URL ?? "" },
});
