import { readFileSync } from "node:fs";

/** Returns the version of the public contract, which both references name: that of `package.json`. */
export function contractVersion(): string {
  const text = readFileSync(new URL("../../../package.json", import.meta.url), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
