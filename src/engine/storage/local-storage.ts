import { copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "./storage.js";

/**
 * Keeps files in a directory. Whoever opens the store makes it; later it is never made: one that is away, such as by a lost
 * mount, is a store that does not answer, not one without files.
 */
export async function localStorage(directory: string): Promise<Storage> {
  // What cannot be made is away: everything else works, and each use of the store says why it does not.
  await mkdir(directory, { recursive: true }).catch(() => undefined);
  const pathOf = (name: string): string => join(directory, name);
  /** A file has this name until all of its bytes are there. */
  const partOf = (name: string): string => join(directory, `.${name}.part`);
  const assertHere = async (): Promise<void> => void (await stat(directory));
  const orNull = async <T>(promise: Promise<T>): Promise<T | null> => {
    try {
      return await promise;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      await assertHere();
      return null;
    }
  };

  return {
    put: async (name, bytes) => {
      try {
        const isHere = Buffer.isBuffer(bytes);
        if (!isHere) await copyFile(bytes.path, partOf(name));
        const part = await open(partOf(name), isHere ? "w" : "r+");
        try {
          if (isHere) await part.writeFile(bytes);
          await part.datasync();
        } finally {
          await part.close();
        }
        await rename(partOf(name), pathOf(name));
      } catch (error) {
        await rm(partOf(name), { force: true });
        throw error;
      }
    },
    lengthOf: (name) => orNull(stat(pathOf(name)).then(({ size }) => size)),
    read: async (name) => {
      const file = await orNull(open(pathOf(name)));
      if (file === null) return null;
      // An open file can be read to its end, even when it is deleted meanwhile.
      const { size } = await file.stat();
      return { stream: file.createReadStream(), bytes: size };
    },
    delete: async (name) => {
      await assertHere();
      await rm(partOf(name), { force: true });
      await rm(pathOf(name), { force: true });
    },
    urlOf: () => null,
    close: () => undefined,
  };
}
