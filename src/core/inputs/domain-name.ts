import { domainToASCII } from "node:url";

/**
 * Returns a domain as it is stored and compared: in lower case, names in other scripts as punycode. A text that is no
 * domain stays as it is.
 */
export function asciiDomain(name: string): string {
  const isAscii = /^[\u0000-\u007f]*$/u.test(name);
  // An ASCII name is left to the rules of the field: `domainToASCII` would take `1` for an IPv4 address.
  return isAscii ? name.toLowerCase() : domainToASCII(name) || name;
}

/** The host of a URL, in lower case and without a closing dot. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/\.$/u, "");
}

/** Returns the name that is looked up for a domain, or for a URL by its host. */
export function lookupName(text: string): string {
  const name = text.trim();
  return /^https?:\/\//iu.test(name) && URL.canParse(name)
    ? hostOf(name)
    : asciiDomain(name).replace(/\.$/u, "");
}
