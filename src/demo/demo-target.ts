import type { Prisma } from "../generated/prisma/client.js";
import type { DemoCompany } from "./demo-company.js";
import type { Random } from "./random.js";

/** Where the rows of one demo company go, and what is told of it. */
export interface DemoTarget {
  readonly db: Prisma.TransactionClient;
  readonly companyId: number;
  readonly data: DemoCompany;
  readonly random: Random;
}
