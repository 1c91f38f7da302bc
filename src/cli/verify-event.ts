import { findCompaniesOfEvent } from "../slices/company-events/company-event.sql.js";
import { verifyEvent, type Verification } from "../slices/company-events/verification.service.js";
import { createDatabase } from "../engine/connections/client.js";
import { withDatabase } from "../process/with-database.js";
import { CommandError, readArgs, readId, runCommand } from "./command.js";

const USAGE = "Usage: npm run -s verify:event -- ID [--company ID] [--hash SEED-HASH]";

/**
 * `npm run verify:event -- ID` replays every draw of a finished event. The exit code is 1 when a prize coupon
 * differs from the replay.
 */
await runCommand(async (config, args) => {
  const { id, company, hash } = readArguments(args);
  await withDatabase(config, async (access) => {
    const database = await createDatabase({ url: access.serviceUrl, poolSize: 1 });
    try {
      const owners = await findCompaniesOfEvent(database.writer, id);
      const [owner, other] = company === undefined ? owners : owners.filter((one) => one === company);
      if (owner === undefined) throw new CommandError(`There is no event ${id}.`);
      if (other !== undefined)
        throw new CommandError(`Several companies have an event ${id}: add --company ID.`);
      const found = await verifyEvent(database.writer, owner, id);
      if (found === null) throw new CommandError(`There is no event ${id}.`);
      if ("status" in found)
        throw new CommandError(`The event is ${found.status}: its seed is a secret until it is finished.`);
      report(id, found, hash);
    } finally {
      await database.close();
    }
  });
});

function report(id: number, found: Verification, published: string | undefined): void {
  const lines = [
    `Event ${id}, ${JSON.stringify(found.name)}`,
    `Seed hash ${found.seedHash}${published === undefined ? "" : `, published ${published}`}`,
    `${found.draws} draws of ${found.clients} clients replayed`,
    ...found.places.map(
      ({ winRate, maxCount, due, given }, place) =>
        `Place ${place}, 1 in ${winRate}, at most ${maxCount}: ${due} due, ${given} given`,
    ),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  if (published !== undefined && published !== found.seedHash)
    throw new CommandError("The seed is not the one whose hash was published.");
  if (found.differenceCount > 0) {
    const more = found.differenceCount - found.differences.length;
    const told = [...found.differences, ...(more > 0 ? [`and ${more} more`] : [])];
    throw new CommandError(
      `${found.differenceCount} difference${found.differenceCount === 1 ? "" : "s"}:\n${told.map((line) => `- ${line}`).join("\n")}`,
    );
  }
  process.stdout.write("Every prize that was due was given, and no other.\n");
}

function readArguments(args: string[]): {
  id: number;
  company: number | undefined;
  hash: string | undefined;
} {
  const options = { company: { type: "string" }, hash: { type: "string" } } as const;
  const { values, positionals } = readArgs({ args, allowPositionals: true, options }, USAGE);
  const [event, ...others] = positionals;
  if (event === undefined || others.length > 0) throw new CommandError(USAGE);
  const id = readId("ID", event, USAGE);
  const company = values.company === undefined ? undefined : readId("--company", values.company, USAGE);
  return { id, company, hash: values.hash?.toLowerCase() };
}
