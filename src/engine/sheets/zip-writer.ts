import { Readable } from "node:stream";
import { ZipFile } from "yazl";

/** A part of an archive that is written: a text, or one that is made while it is read. */
export interface WrittenPart {
  readonly name: string;
  readonly content: string | AsyncIterable<string>;
  readonly isStored?: boolean;
}

/** Writes an archive as fast as it is read. An error of a part ends the stream with that error. */
export function writeZip(parts: readonly WrittenPart[]): Readable {
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  for (const { name, content, isStored = false } of parts) {
    if (typeof content === "string") {
      zip.addBuffer(Buffer.from(content), name, { compress: !isStored });
      continue;
    }
    const stream = Readable.from(bytesOf(content), { objectMode: false });
    stream.once("error", (error) => output.destroy(error));
    output.once("close", () => stream.destroy());
    zip.addReadStream(stream, name);
  }
  zip.end();
  return output;
}

async function* bytesOf(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  for await (const text of texts) yield Buffer.from(text);
}
