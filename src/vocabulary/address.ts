/** Network addresses: normalization, and grouping for rate limits. */
import ipaddr from "ipaddr.js"

/** The plain address in a hop of a forwarding header, without port and brackets; undefined where it is none. */
export const addressIn = (hop: string): string | undefined => {
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(hop) ?? []
  const [, plain] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop) ?? []
  const address = bracketed ?? plain ?? hop
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined
}

/** The network that shares one rate limit: an IPv4 address, or the /64 of an IPv6 host. */
export const networkOf = (address: string): string => {
  if (!ipaddr.isValid(address)) return address
  const parsed = ipaddr.process(address)
  return parsed.kind() === "ipv4"
    ? parsed.toString()
    : `${parsed.toNormalizedString().split(":").slice(0, 4).join(":")}::/64`
}
