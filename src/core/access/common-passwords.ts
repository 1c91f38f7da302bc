import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A Bloom filter: it knows each password of its list, and one of 100,000 others. */
interface Filter {
  readonly bits: number;
  readonly hashes: number;
  /** The bits in base64, the lowest of each byte first. */
  readonly filter: string;
}

let known: (Omit<Filter, "filter"> & { readonly filled: Buffer }) | undefined;

/**
 * Returns whether a password is one of the 113,000 most common ones of ten characters and more, in any case. The list is
 * in `common-passwords.json`, which `tools/common-passwords.mjs` makes and says the source of.
 */
export function isCommonPassword(password: string): boolean {
  const { bits, hashes, filled } = (known ??= readFilter());
  const digest = createHash("sha256").update(password.normalize("NFKC").toLowerCase()).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  for (let round = 0; round < hashes; round += 1) {
    const place = (first + round * step) % bits;
    if (((filled[place >> 3] as number) & (1 << (place & 7))) === 0) return false;
  }
  return true;
}

function readFilter() {
  const text = readFileSync(new URL("./common-passwords.json", import.meta.url), "utf8");
  const { filter, ...shape } = JSON.parse(text) as Filter;
  return { ...shape, filled: Buffer.from(filter, "base64") };
}
