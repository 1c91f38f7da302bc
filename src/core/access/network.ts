import { BlockList, isIP } from "node:net";

const MAPPED = /^::ffff:(?<dotted>\d+\.\d+\.\d+\.\d+)$/iu;
const MAPPED_IN_HEX = /^::ffff:(?<high>[\da-f]{1,4}):(?<low>[\da-f]{1,4})$/u;

/**
 * Returns the network that counts as one caller: an IPv4 address by itself, of IPv6 the first 64 bits, since a
 * caller chooses the others freely. An IPv4 address that is mapped into IPv6 is the IPv4 address.
 */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const dotted = MAPPED.exec(address)?.groups?.["dotted"];
  if (dotted !== undefined) return dotted;
  const url = `http://[${address.split("%", 1)[0] as string}]`;
  if (!URL.canParse(url)) return address;
  const canonical = new URL(url).hostname.slice(1, -1);
  const mapped = MAPPED_IN_HEX.exec(canonical)?.groups;
  if (mapped !== undefined) return dottedOf(mapped["high"] as string, mapped["low"] as string);
  const [head = [], tail = []] = canonical.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = Array<string>(8 - head.length - tail.length).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}

function dottedOf(high: string, low: string): string {
  return [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join(".");
}

const MAX_DEVICE = 200;
/** What is one line of at most so many characters as it stands: nearly all programs call themselves by printable ASCII. */
const PLAIN_DEVICE = /^[!-~](?:[ -~]{0,198}[!-~])?$/;

/** Returns what a program calls itself in the header `User-Agent`, on one line of at most 200 characters; `null` for nothing. */
export function deviceOf(userAgent: string | undefined): string | null {
  if (userAgent === undefined) return null;
  if (PLAIN_DEVICE.test(userAgent)) return userAgent;
  const line = userAgent.replaceAll(/\p{C}+/gu, " ").trim();
  return [...line].slice(0, MAX_DEVICE).join("") || null;
}

const CIDR = /^(?<address>[\d.:a-f]+)\/(?<bits>\d{1,3})$/iu;

/** Whether a text is a network in CIDR, such as `192.0.2.0/24` or `2001:db8::/32`. */
export function isNetwork(text: string): boolean {
  const [, bits, family] = partsOf(text);
  return family !== 0 && bits <= (family === 4 ? 32 : 128);
}

/** Whether a network in CIDR lies within one of others that is of its family, IPv4 or IPv6. */
export function liesWithin(network: string, others: readonly string[]): boolean {
  const [address, bits, family] = partsOf(network);
  return others.some((other) => {
    const [, otherBits, otherFamily] = partsOf(other);
    return otherFamily === family && otherBits <= bits && addressTest([other])(address);
  });
}

function partsOf(network: string): readonly [address: string, bits: number, family: number] {
  const { address = "", bits } = CIDR.exec(network)?.groups ?? {};
  return [address, Number(bits), isIP(address)];
}

/**
 * Returns a test whether an address is in one of these networks; every one is when there are none. An IPv4 address that is
 * mapped into IPv6 is the IPv4 address.
 */
export function addressTest(networks: readonly string[]): (address: string) => boolean {
  if (networks.length === 0) return () => true;
  const list = new BlockList();
  for (const network of networks) {
    const [address, bits, family] = partsOf(network);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return (address) => {
    const plain = MAPPED.exec(address)?.groups?.["dotted"] ?? address.split("%", 1)[0] ?? "";
    const family = isIP(plain);
    return family !== 0 && list.check(plain, family === 4 ? "ipv4" : "ipv6");
  };
}
