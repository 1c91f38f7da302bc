import { isNetwork } from "../../core/access/network.js";
import { isCommonPassword } from "../../core/access/common-passwords.js";
import { parseMoment } from "../../core/time/moments.js";
import { isOffset, isZoneName } from "../../core/time/zones.js";

/** Checks of text formats, by the name of the format in JSON Schemas and in rules. */
export const FORMATS: Readonly<Record<string, (text: string) => boolean>> = {
  clock: (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/u.test(text),
  offset: isOffset,
  zone: isZoneName,
  datetime: (text) => parseMoment(text) !== null,
  url: isHttpUrl,
  "uri-reference": (text) => isHttpUrl(text) || /^\/[^\s/]\S*$/u.test(text),
  domain: (text) => /^(?!-)[a-z0-9-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9-]{1,63}(?<!-))*$/iu.test(text),
  regex: isPattern,
  network: isNetwork,
  password: (text) => !isCommonPassword(text),
};

function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname } = new URL(text);
  return (protocol === "http:" || protocol === "https:") && hostname !== "";
}

/**
 * Returns whether the pattern is one that browsers and apps accept. The service never runs it by this engine, since that
 * may take for ever.
 */
function isPattern(pattern: string): boolean {
  try {
    new RegExp(pattern);
    return true;
  } catch {
    return false;
  }
}
