/** DNS is rechecked at each attempt, and the address that was checked is pinned to its connection (spec 6.2). */
import { broken, invariant } from "./invariant.ts"
import { sorted } from "./support/sorted.ts"

/** By process and receiver, where a connection was opened over which nothing was sent yet; the last one is the newest. */
type Open = { readonly [processAndReceiver: string]: ReadonlyArray<string> }

export const aConnectionServesOnce = invariant<Open>({
  name: "a connection serves one callback",
  kind: "always",
  says: "Each callback leaves over a connection of its own, to where its name led when that was opened for it.",
  begins: {},
  sees: (open, { observed }) => {
    switch (observed.kind) {
      case "connection": {
        const name = `${observed.actor} ${observed.receiver}`
        return sorted({ ...open, [name]: [...(open[name] ?? []), observed.address] })
      }
      case "callback": {
        const name = `${observed.actor} ${observed.receiver}`
        const { [name]: addresses = [], ...others } = open
        const used = addresses.lastIndexOf(observed.over ?? addresses.at(-1) ?? "")
        if (used < 0) return broken(`${observed.receiver} was sent something over a connection that was used before`)
        const left = addresses.toSpliced(used, 1)
        return left.length === 0 ? others : sorted({ ...others, [name]: left })
      }
      case "worker":
        return observed.did === "STARTED" ? open : without(open, observed.actor)
      default:
        return open
    }
  }
})

/** Whoever has ended sends nothing any more. */
const without = (open: Open, actor: string): Open =>
  Object.fromEntries(Object.entries(open).filter(([name]) => !name.startsWith(`${actor} `)))
