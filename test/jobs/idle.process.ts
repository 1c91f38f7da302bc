import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "../support/database.js";
import { openLink } from "../support/database-link.js";
import { cleanUp, makeDataDirectory, startService } from "../support/service-process.js";

/** What is begun with the process or with a rare minute, and its first looks. */
const START_MS = 5_000;
const MINUTE_MS = 60_000;
/** The clock starts jobs by the minute. */
const MEASURED_MS = MINUTE_MS;
/** More jobs than usual start each time after so many minutes. */
const RARE_MINUTES = 5;

/** A slow machine may take a minute to start; then one is waited for, and one is measured. */
const LIMIT_MS = 300_000;

/** The minute of the hour that begins next. */
const minuteAhead = (): number => Math.ceil(Date.now() / MINUTE_MS) % 60;

const sendsLittle = async (): Promise<void> => {
  const testDatabase = await createTestDatabase();
  const link = await openLink(testDatabase.serviceUrl);
  const service = startService({ DATABASE_URL: link.url, DATA_DIR: await makeDataDirectory() });
  await service.ready;
  await sleep(START_MS);
  if (minuteAhead() % RARE_MINUTES === 0) await sleep(MINUTE_MS - (Date.now() % MINUTE_MS) + START_MS);

  link.statements.length = 0;
  await sleep(MEASURED_MS);
  const sent = [...link.statements];
  await cleanUp();
  await link.close();
  await testDatabase.drop();

  expect(sent.length).toBeLessThanOrEqual(MEASURED_MS / 1_000);
};

it("sends one statement a second at most while it has nothing to do", sendsLittle, LIMIT_MS);
