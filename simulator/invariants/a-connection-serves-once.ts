/** DNS is rechecked at each attempt, and the address that was checked is pinned to its connection (spec 6.2). */
import { broken, invariant } from "./invariant.ts"
import { sorted } from "./support/sorted.ts"
import { endedBy, nobodyStops, type Stopping, stoppingAfter } from "./support/stopping.ts"

interface Connected extends Stopping {
  /** By process and receiver, where a connection was opened over which nothing was sent yet; the last one is the newest. */
  readonly open: { readonly [processAndReceiver: string]: ReadonlyArray<string> }
}

export const aConnectionServesOnce = invariant<Connected>({
  name: "a connection serves one callback",
  kind: "always",
  says: "Each callback leaves over a connection of its own, to where its name led when that was opened for it.",
  begins: { ...nobodyStops, open: {} },
  sees: (connected, { observed }) => {
    const { open } = connected
    switch (observed.kind) {
      case "connection": {
        const name = `${observed.actor} ${observed.receiver}`
        return { ...connected, open: sorted({ ...open, [name]: [...(open[name] ?? []), observed.address] }) }
      }
      case "callback": {
        const name = `${observed.actor} ${observed.receiver}`
        const { [name]: addresses = [], ...others } = open
        const used = addresses.lastIndexOf(observed.over ?? addresses.at(-1) ?? "")
        if (used < 0) return broken(`${observed.receiver} was sent something over a connection that was used before`)
        const left = addresses.toSpliced(used, 1)
        return { ...connected, open: left.length === 0 ? others : sorted({ ...others, [name]: left }) }
      }
      default: {
        const crashed = observed.kind === "worker" && observed.did === "CRASHED" ? observed.actor : undefined
        const ended = crashed ?? endedBy(connected, observed)
        const stops = stoppingAfter(connected, observed)
        return ended === undefined ? stops : { ...stops, open: without(open, ended) }
      }
    }
  }
})

/** Whoever has ended sends nothing any more. One that is being stopped may, until it comes to what is on its way. */
const without = (open: Connected["open"], actor: string): Connected["open"] =>
  Object.fromEntries(Object.entries(open).filter(([name]) => !name.startsWith(`${actor} `)))
