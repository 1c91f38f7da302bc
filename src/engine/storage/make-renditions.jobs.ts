import { buffer } from "node:stream/consumers";
import { jobOf } from "../../core/files/files.js";
import type { Task } from "../../core/jobs/jobs.js";
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
 * Makes the smaller sizes that a picture lacks from its large one, which is never touched. When the picture is removed
 * meanwhile, what was made goes with it.
 */
export const makeRenditions: Task<{ companyId: number; key: string }> = async (
  { companyId, key },
  { database: { writer }, storage, log },
) => {
  const isKept = async (): Promise<boolean> =>
    (await writer.storedFile.count({ where: { companyId, key } })) > 0;
  const file = (await isKept()) ? await storage.read(nameOf(key, "large")) : null;
  if (file !== null) {
    const large = await buffer(file.stream);
    const { renditionOf, isWhole } = await import("./pictures.js");
    const waiting = { asker: jobOf(companyId), patienceMs: PATIENCE_MS };
    if (!(await isWhole(large, waiting))) return log.warn({ companyId, key }, "a stored picture is broken");
    for (const size of SIZES) {
      const name = nameOf(key, size);
      if ((await storage.lengthOf(name)) !== null) continue;
      const contentType = key.endsWith(".png") ? "image/png" : "image/jpeg";
      await storage.put(name, await renditionOf(large, size, waiting), contentType);
    }
  }
  if (!(await isKept())) for (const size of SIZES) await storage.delete(nameOf(key, size));
};
