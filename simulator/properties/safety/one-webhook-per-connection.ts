/** DNS is resolved again at each attempt, and the checked address is pinned to its connection (spec 6.2). */
import { violation, monitoredProperty } from "../property.ts"
import { sorted } from "../support/sorted.ts"
import { stoppedWorker, noStop, type GracefulStop, gracefulStopAfter } from "../support/graceful-stop.ts"

interface Connections extends GracefulStop {
  /** By process and receiver: the addresses of open connections without a request so far, the newest last. */
  readonly open: { readonly [processAndReceiver: string]: ReadonlyArray<string> }
}

export const oneWebhookPerConnection = monitoredProperty<Connections>({
  name: "one webhook per connection",
  kind: "always",
  says: "Each webhook request uses a new connection, to the address that its host resolved to for that attempt.",
  judges: { kinds: ["connection", "callback", "worker", "act", "answer"] },
  initial: { ...noStop, open: {} },
  next: (state, { observed }) => {
    const { open } = state
    switch (observed.kind) {
      case "connection": {
        const name = `${observed.actor} ${observed.receiver}`
        return { ...state, open: sorted({ ...open, [name]: [...(open[name] ?? []), observed.address] }) }
      }
      case "callback": {
        const name = `${observed.actor} ${observed.receiver}`
        const { [name]: addresses = [], ...others } = open
        const used = addresses.lastIndexOf(observed.over ?? addresses.at(-1) ?? "")
        if (used < 0) return violation(`a webhook request to ${observed.receiver} reused a connection`)
        const left = addresses.toSpliced(used, 1)
        return { ...state, open: left.length === 0 ? others : sorted({ ...others, [name]: left }) }
      }
      default: {
        const crashed = observed.kind === "worker" && observed.did === "CRASHED" ? observed.actor : undefined
        const ended = crashed ?? stoppedWorker(state, observed)
        const stops = gracefulStopAfter(state, observed)
        return ended === undefined ? stops : { ...stops, open: without(open, ended) }
      }
    }
  }
})

/** A process that has ended sends no requests. A stopping process may still send those in progress. */
const without = (open: Connections["open"], actor: string): Connections["open"] =>
  Object.fromEntries(Object.entries(open).filter(([name]) => !name.startsWith(`${actor} `)))
