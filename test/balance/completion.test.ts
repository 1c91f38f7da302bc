import type { JobContext } from "../../src/core/jobs/jobs.js";
import { completeMovements } from "../../src/slices/balance/completion.jobs.js";
import { createCompany } from "../support/factories.js";
import { startGateway, type Gateway } from "../support/gateway.js";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ own: "database" });
});
afterAll(() => gateway.close());

/** Creates a company with a holder from before credits were summed. */
async function createUnsummed(): Promise<number> {
  const { id: companyId } = await createCompany(gateway);
  const { id } = await gateway.db.client.create({ data: { companyId, name: "Client" } });
  await gateway.asOwner(
    "INSERT INTO balance_holders (company_id, type, key, currency_iso, credit_e2) VALUES ($1, 'client', $2, 'USD', NULL)",
    [companyId, id],
  );
  return companyId;
}

async function unsummed(): Promise<number[]> {
  const rows = await gateway.db.$queryRaw<{ id: number }[]>`
    /* all companies */ SELECT company_id AS id FROM balance_holders WHERE credit_e2 IS NULL ORDER BY company_id`;
  return rows.map(({ id }) => id);
}

/** Runs the job in a process that is asked to stop during so many batches. */
function complete(batches = Infinity) {
  let looks = 0;
  const signal = {
    get aborted() {
      looks += 1;
      return looks > batches;
    },
  };
  return completeMovements({}, { database: gateway.database, signal } as unknown as JobContext);
}

it("completes the books of all companies, batch by batch, and stops between two of them with its process", async () => {
  const [first, second, third] = [await createUnsummed(), await createUnsummed(), await createUnsummed()];

  await complete(0);
  expect(await unsummed()).toEqual([first, second, third]);

  await complete(1);
  expect(await unsummed()).toEqual([second, third]);

  await complete();
  expect(await unsummed()).toEqual([]);

  await complete();
  expect(await unsummed()).toEqual([]);
});
