import { copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Storage } from "./storage.js";

/** Keeps files in a directory, which is made when the first one comes. */
export function localStorage(directory: string): Storage {
  const pathOf = (name: string): string => join(directory, name);
  /** A file has this name until all of its bytes are there. */
  const partOf = (name: string): string => join(directory, `.${name}.part`);

  return {
    put: async (name, bytes) => {
      await mkdir(directory, { recursive: true });
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
      await rm(partOf(name), { force: true });
      await rm(pathOf(name), { force: true });
    },
    urlOf: () => null,
    close: () => undefined,
  };
}

function orNull<T>(promise: Promise<T>): Promise<T | null> {
  return promise.catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return null;
    throw error;
  });
}
