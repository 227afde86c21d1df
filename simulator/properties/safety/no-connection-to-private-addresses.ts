/** Addresses of webhook requests (spec 6.2): private ranges come from the IANA registries, not from the code under test. */
import { isPublicAddress } from "../../environment/webhook-receivers/public-addresses.ts"
import type { TimedObservation } from "../../observation/observation.ts"
import type { JsonObject } from "../../vocabulary/json.ts"
import { violation, monitoredProperty } from "../property.ts"

interface Lookups extends JsonObject {
  /** Hosts by receiver name. */
  readonly hosts: { readonly [receiver: string]: string }
  /** By process and host: addresses of the last look-up without a connection so far. */
  readonly answers: { readonly [lookup: string]: ReadonlyArray<string> }
  /** The same for connections in the handshake, during which another look-up may occur. */
  readonly stalled: { readonly [lookup: string]: ReadonlyArray<string> }
}

export const noConnectionToPrivateAddresses = monitoredProperty<Lookups>({
  name: "no connection to private addresses",
  kind: "always",
  says: "A webhook request connects only to a public address, and only to one that the preceding look-up returned.",
  judges: { kinds: ["given", "lookup", "stalled", "connection", "unconnected"] },
  initial: { hosts: {}, answers: {}, stalled: {} },
  next: (lookups, { observed }) => {
    if (observed.kind === "given") return withHost(lookups, observed)
    if (observed.kind === "lookup") {
      const answers = typeof observed.answers === "string" ? [] : observed.answers
      return { ...lookups, answers: { ...lookups.answers, [`${observed.actor} ${observed.host}`]: answers } }
    }
    if (observed.kind !== "stalled" && observed.kind !== "connection" && observed.kind !== "unconnected") return lookups
    const host = lookups.hosts[observed.receiver] ?? ""
    const name = `${observed.actor} ${host}`
    const { [name]: answers = [], ...others } = lookups.answers
    if (observed.kind === "unconnected") return { ...lookups, answers: others }
    if (observed.kind === "stalled") {
      if (observed.during !== "HANDSHAKE") return lookups
      const stalled = [...new Set([...(lookups.stalled[name] ?? []), ...answers])].sort()
      return { ...lookups, answers: others, stalled: { ...lookups.stalled, [name]: stalled } }
    }
    const known = answers.length > 0 ? answers : (lookups.stalled[name] ?? [])
    if (!known.includes(observed.address))
      return violation(`${host} was connected to at ${observed.address}, which no look-up returned`)
    const privateAddress = known.find((address) => !isPublicAddress(address))
    return privateAddress === undefined
      ? { ...lookups, answers: others }
      : violation(`${host} was connected to although it resolves to the private address ${privateAddress}`)
  }
})

const withHost = (
  lookups: Lookups,
  { name, is, answer }: Extract<TimedObservation, { readonly kind: "given" }>
): Lookups => {
  if (is !== "receiver" || typeof answer !== "object" || answer === null || !("host" in answer)) return lookups
  return { ...lookups, hosts: { ...lookups.hosts, [name]: String(answer["host"]) } }
}
