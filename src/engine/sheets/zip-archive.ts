import type { Readable } from "node:stream";
import { TextDecoder } from "node:util";
import { crc32 } from "node:zlib";
import { open, type Entry, type ZipFile } from "yauzl";
import { SheetError } from "../../core/sheets/sheet.js";
import { damaged, encrypted, MOST_DESCRIBING_BYTES, MOST_PART_BYTES, tooLarge } from "./limits.js";
import type { Progress } from "./progress.js";

const MOST_PARTS = 10_000;

/**
 * The parts of a zip archive, which are found by their names in whatever case. A part that is larger than the
 * archive says is an error of yauzl, so the sizes that it says can be relied on. A part whose checksum is wrong is not read: it is
 * inflated twice, so that nothing of it is used before.
 */
export class ZipArchive {
  private readonly whole = new Set<Entry>();

  private constructor(
    private readonly zip: ZipFile,
    private readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  /** @throws SheetError for an archive that is damaged or encrypted, or has too many parts. */
  static async open(path: string): Promise<ZipArchive> {
    const zip = await new Promise<ZipFile>((resolve, reject) =>
      open(path, { lazyEntries: true, autoClose: false }, (error, opened) =>
        error === null ? resolve(opened) : reject(error),
      ),
    );
    try {
      return new ZipArchive(zip, await entriesOf(zip));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  close(): void {
    this.zip.close();
  }

  has(name: string): boolean {
    return this.entries.has(keyOf(name));
  }

  /** The bytes of a part within the archive. */
  sizeOf(name: string): number {
    return this.entries.get(keyOf(name))?.compressedSize ?? 0;
  }

  /**
   * Reads a part as text: UTF-8, or UTF-16 with a byte-order mark.
   *
   * @param progress is of a part with rows or their texts: it may be much longer than those that describe them.
   */
  async *texts(name: string, progress?: Progress): AsyncGenerator<string> {
    let decoder: TextDecoder | undefined;
    for await (const bytes of this.bytes(name, progress)) {
      decoder ??= new TextDecoder(encodingOf(bytes));
      yield decoder.decode(bytes, { stream: true });
    }
    if (decoder !== undefined) yield decoder.decode();
  }

  private async *bytes(name: string, progress?: Progress): AsyncGenerator<Buffer> {
    const entry = this.entries.get(keyOf(name));
    if (entry === undefined) throw damaged();
    const most = progress === undefined ? MOST_DESCRIBING_BYTES : MOST_PART_BYTES;
    if (entry.uncompressedSize > most) throw tooLarge();
    await this.assertWhole(entry);
    const share = entry.compressedSize / Math.max(entry.uncompressedSize, 1);
    for await (const bytes of await this.inflated(entry)) {
      progress?.add(bytes.length * share);
      yield bytes;
    }
  }

  /** @throws SheetError for a part that is not what its archive had of it when it was written. */
  private async assertWhole(entry: Entry): Promise<void> {
    if (this.whole.has(entry)) return;
    let checksum = 0;
    for await (const bytes of await this.inflated(entry)) checksum = crc32(bytes, checksum);
    if (checksum !== entry.crc32) throw damaged();
    this.whole.add(entry);
  }

  private inflated(entry: Entry): Promise<AsyncIterable<Buffer>> {
    return new Promise<Readable>((resolve, reject) =>
      this.zip.openReadStream(entry, (error, opened) => (error === null ? resolve(opened) : reject(error))),
    );
  }
}

function encodingOf([first, second]: Buffer): string {
  if (first === 0xff && second === 0xfe) return "utf-16le";
  return first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
}

function keyOf(name: string): string {
  return name.replace(/^\/+/u, "").toLowerCase();
}

function entriesOf(zip: ZipFile): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>();
  return new Promise((resolve, reject) => {
    if (zip.entryCount > MOST_PARTS) {
      reject(new SheetError("has too many parts"));
      return;
    }
    zip.on("error", reject);
    zip.on("end", () => resolve(entries));
    zip.on("entry", (entry: Entry) => {
      if (entry.isEncrypted()) {
        reject(encrypted());
        return;
      }
      const key = keyOf(entry.fileName);
      if (!entries.has(key)) entries.set(key, entry);
      zip.readEntry();
    });
    zip.readEntry();
  });
}
