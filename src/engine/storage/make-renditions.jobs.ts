import { buffer } from "node:stream/consumers";
import { jobOf } from "../../core/files/files.js";
import type { Task } from "../../core/jobs/jobs.js";
import { noteBytes } from "./stored-file.sql.js";
import { nameOf } from "./stored-name.js";

declare module "../../core/jobs/jobs.js" {
  interface JobPayloads {
    /** Makes the smaller sizes that a picture lacks. */
    makeRenditions: { companyId: number; key: string };
  }
}

/** The job waits for its turn so long, and comes again later. */
const PATIENCE_MS = 10_000;
const SIZES = ["medium", "small"] as const;

/**
 * Makes the smaller sizes that a picture lacks from its large one, which is never touched. What was made is counted, and
 * never refused, since the picture is stored already. When the picture is removed meanwhile, what was made goes with it.
 */
export const makeRenditions: Task<{ companyId: number; key: string }> = async (
  { companyId, key },
  { database: { writer, pool }, storage, log },
) => {
  const isKept = async (): Promise<boolean> =>
    (await writer.storedFile.count({ where: { companyId, key } })) > 0;
  const file = (await isKept()) ? await storage.read(nameOf(key, "large")) : null;
  if (file !== null) {
    const large = await buffer(file.stream);
    const { renditionOf, isWhole } = await import("./pictures.js");
    const waiting = { asker: jobOf(companyId), patienceMs: PATIENCE_MS };
    if (!(await isWhole(large, waiting))) return log.warn({ companyId, key }, "a stored picture is broken");
    const contentType = key.endsWith(".png") ? "image/png" : "image/jpeg";
    const make = async (size: (typeof SIZES)[number]): Promise<number> => {
      const made = await renditionOf(large, size, waiting);
      await storage.put(nameOf(key, size), made, contentType);
      return made.length;
    };
    let bytes = large.length;
    for (const size of SIZES) bytes += (await storage.lengthOf(nameOf(key, size))) ?? (await make(size));
    await noteBytes(pool, { companyId, key, bytes });
  }
  if (!(await isKept())) for (const size of SIZES) await storage.delete(nameOf(key, size));
};
