import type { Prisma } from "../generated/prisma/client.js";
import type { DemoCompany } from "./demo-company.js";
import type { Random } from "./random.js";

/** The place where the rows of one demo company go, and its data. */
export interface DemoTarget {
  readonly db: Prisma.TransactionClient;
  readonly companyId: number;
  readonly data: DemoCompany;
  readonly random: Random;
}
