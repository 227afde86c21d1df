/** Where a callback goes (spec 6.2): what is private is known here from the registries, not by the code that refuses it. */
import { isPublicAddress } from "../callbacks/public-addresses.ts"
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
    const inside = known.find((address) => !isPublicAddress(address))
    return inside === undefined
      ? { ...found, answers: others }
      : broken(`${host} was connected to where its name leads to ${inside}`)
  }
})

const given = (found: Found, { name, is, answer }: Extract<Observed, { readonly kind: "given" }>): Found => {
  if (is !== "receiver" || typeof answer !== "object" || answer === null || !("host" in answer)) return found
  return { ...found, hosts: { ...found.hosts, [name]: String(answer["host"]) } }
}
