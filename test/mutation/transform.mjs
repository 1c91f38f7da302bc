import { readFileSync } from "node:fs";
import { transformSync } from "@swc/core";

const options = JSON.parse(readFileSync(new URL("../../.swcrc", import.meta.url), "utf8"));

/** Compiles TypeScript for Jest as the build does. */
export default {
  process: (source, filename) =>
    transformSync(source, { ...options, filename, swcrc: false, sourceMaps: "inline" }),
};
