import { createHash, randomUUID } from "node:crypto";
import { open, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lifetimeOf, makeTemporaryDirectory, temporaryDirectory } from "../../core/files/temporary-files.js";
import { UploadedFile } from "../../core/files/upload.js";

/**
 * The temporary files of uploads, one for each file of a request. All processes of one user share the directory; what a
 * process leaves behind when it is killed is swept away by age.
 */
export class Spool {
  private readonly directory: string;

  /** @param lifetimeMs is more than a request lasts. */
  constructor(
    private readonly lifetimeMs: number,
    parent?: string,
  ) {
    this.directory = temporaryDirectory(parent);
  }

  /**
   * Writes a stream to a file, and counts its bytes on the way.
   *
   * @param options.tooLarge makes the error for a stream with more than `maxBytes`.
   * @param name is what its sender calls it.
   */
  async write(
    stream: Readable,
    options: { maxBytes: number; tooLarge: () => Error },
    name: string,
  ): Promise<UploadedFile> {
    await makeTemporaryDirectory(this.directory);
    const path = join(this.directory, randomUUID());
    const hash = createHash("sha256");
    let bytes = 0;
    // It exists from now on: what is refused before a file is made would be removed first, and left behind.
    const file = await open(path, "wx", 0o600);
    try {
      await pipeline(
        stream,
        async function* (chunks: AsyncIterable<Buffer>) {
          for await (const chunk of chunks) {
            bytes += chunk.length;
            if (bytes > options.maxBytes) throw options.tooLarge();
            hash.update(chunk);
            yield chunk;
          }
        },
        file.createWriteStream(),
      );
    } catch (error) {
      await rm(path, { force: true });
      throw error;
    } finally {
      await file.close();
    }
    return new UploadedFile(path, bytes, hash.digest("hex"), name);
  }

  async remove(files: readonly UploadedFile[]): Promise<void> {
    await Promise.all(files.map(({ path }) => rm(path, { force: true })));
  }

  /** Removes the files of requests that are over, and the folders of work that was killed. */
  async sweep(): Promise<void> {
    const names = await readdir(this.directory).catch(() => []);
    for (const name of names) {
      const path = join(this.directory, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Infinity }));
      if (mtimeMs < Date.now() - lifetimeOf(name, this.lifetimeMs))
        await rm(path, { recursive: true, force: true });
    }
  }
}
