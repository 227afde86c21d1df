/**
 * Private and special ranges (spec 6.2), a second list from the IANA registries: the property that checks connections
 * shares no code with the service's own check.
 */
import { BlockList, isIPv4, isIPv6 } from "node:net"

export const isPublicAddress = (address: string): boolean => {
  if (isIPv4(address)) return !special.check(address, "ipv4")
  return isIPv6(address) && global.check(address, "ipv6") && !special.check(address, "ipv6")
}

/** The range that IANA has allocated so far; all other IPv6 addresses are unassigned. */
const global = new BlockList()
global.addSubnet("2000::", 3, "ipv6")

const special = new BlockList()
for (const block of [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
  "2001::/23",
  "2001:db8::/32",
  "2002::/16",
  "3ffe::/16",
  "3fff::/20"
]) {
  const [address = "", bits] = block.split("/")
  special.addSubnet(address, Number(bits), address.includes(":") ? "ipv6" : "ipv4")
}
