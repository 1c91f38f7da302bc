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
