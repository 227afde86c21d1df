/** Private and special ranges (spec 6.2) are written down here once more, from the registries of IANA. */
import { BlockList, isIPv4, isIPv6 } from "node:net"
import type { Observed } from "../observation.ts"
import type { JsonObject } from "../script/json.ts"
import { broken, invariant } from "./invariant.ts"

interface Found extends JsonObject {
  /** Hosts by the name of the receiver. */
  readonly hosts: { readonly [receiver: string]: string }
  /** What the look-up brought that no connection has followed yet, by process and host. */
  readonly answers: { readonly [lookup: string]: ReadonlyArray<string> }
  /** The same, where the connection is not open yet and another look-up may come before it is. */
  readonly stalled: { readonly [lookup: string]: ReadonlyArray<string> }
}

export const noPrivateAddressIsConnected = invariant<Found>({
  name: "no private address is connected",
  kind: "always",
  says: "A callback goes to a public address alone, and to one that the look-up just before has brought.",
  begins: { hosts: {}, answers: {}, stalled: {} },
  sees: (found, { observed }) => {
    if (observed.kind === "given") return given(found, observed)
    if (observed.kind === "lookup") {
      const answers = typeof observed.answers === "string" ? [] : observed.answers
      return { ...found, answers: { ...found.answers, [`${observed.actor} ${observed.host}`]: answers } }
    }
    if (observed.kind !== "stalled" && observed.kind !== "connection" && observed.kind !== "unconnected") return found
    const host = found.hosts[observed.receiver] ?? ""
    const name = `${observed.actor} ${host}`
    const { [name]: answers = [], ...others } = found.answers
    if (observed.kind === "unconnected") return { ...found, answers: others }
    if (observed.kind === "stalled") {
      if (observed.during !== "HANDSHAKE") return found
      const stalled = [...new Set([...(found.stalled[name] ?? []), ...answers])].sort()
      return { ...found, answers: others, stalled: { ...found.stalled, [name]: stalled } }
    }
    const known = answers.length > 0 ? answers : (found.stalled[name] ?? [])
    if (!known.includes(observed.address))
      return broken(`${host} was connected to at ${observed.address}, which no look-up gave`)
    const inside = known.find((address) => !isPublic(address))
    return inside === undefined
      ? { ...found, answers: others }
      : broken(`${host} was connected to where its name leads to ${inside}`)
  }
})

const given = (found: Found, { name, is, answer }: Extract<Observed, { readonly kind: "given" }>): Found => {
  if (is !== "receiver" || typeof answer !== "object" || answer === null || !("host" in answer)) return found
  return { ...found, hosts: { ...found.hosts, [name]: String(answer["host"]) } }
}

const isPublic = (address: string): boolean => {
  if (isIPv4(address)) return !special.check(address, "ipv4")
  return isIPv6(address) && global.check(address, "ipv6") && !special.check(address, "ipv6")
}

/** What IANA has given to registries so far; all other addresses of that family belong to nobody. */
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
