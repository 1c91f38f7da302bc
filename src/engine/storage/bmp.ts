const FILE_HEADER_BYTES = 14;
/** Older headers have another form, which nobody uses any more. */
const LEAST_HEADER_BYTES = 40;
/** Runs of one colour, for 8 and for 4 bits a pixel: a few bytes may be many pixels. */
const RUN_LENGTHS = [1, 2];

/**
 * The size that a BMP's header declares.
 *
 * @param fileBytes is the length of the whole file.
 * @returns `null` when it has no such header, or when pixels are missing.
 */
export function bmpSize(header: Buffer, fileBytes: number): { width: number; height: number } | null {
  if (header.length < FILE_HEADER_BYTES + LEAST_HEADER_BYTES) return null;
  if (header.readUInt32LE(FILE_HEADER_BYTES) < LEAST_HEADER_BYTES) return null;
  // A negative height means that the rows are stored from the top.
  const [width, height] = [header.readInt32LE(18), Math.abs(header.readInt32LE(22))];
  const [bits, compression] = [header.readUInt16LE(28), header.readUInt32LE(30)];
  const leastBytes = Math.ceil((width * bits) / 32) * 4 * height;
  return fileBytes < leastBytes && !RUN_LENGTHS.includes(compression) ? null : { width, height };
}
