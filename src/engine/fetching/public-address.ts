import ipaddr from "ipaddr.js";

/** Public by its range, but each virtual machine of Azure reaches its host's services there. */
const OF_CLOUD_HOSTS: ReadonlySet<string> = new Set(["168.63.129.16"]);
/** The addresses of IPv6 that are given out at all; others hold addresses of IPv4, or are for one network alone. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Returns whether an address belongs to the public network: none of a private or local one, none that is reserved, and none
 * of IPv6 that leads to such an address of IPv4.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv6
    ? address.match(GLOBAL_UNICAST)
    : !OF_CLOUD_HOSTS.has(address.toString());
}
