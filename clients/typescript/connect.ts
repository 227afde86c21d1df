/** Asks a person for a credential: the agent shows a code, the person types it and approves, the agent collects. */
import type { Clock } from "./clock.ts"
import type { components } from "./openapi.ts"
import { Refused } from "./outcome.ts"
import type { Requests } from "./requests.ts"
import type { Store } from "./store.ts"

export type ConnectionRequest = components["schemas"]["ConnectionRequest"]

type Connection = components["schemas"]["Connection"]
type Poll = components["schemas"]["ConnectionPoll"]

/** For the person. The device code is not in it: it belongs to the agent alone. */
export type ShownCode = Pick<Connection, "userCode" | "verificationUrl" | "expiresAt">

const path = "/api/agents/v1/connections"

interface Needs {
  readonly requests: Requests
  readonly store: Store
  readonly clock: Clock
}

/**
 * Waits until the person approves, and saves the token. After a restart it polls the connection whose code the person has.
 *
 * @throws Refused `CONNECTION_DENIED`, `CONNECTION_EXPIRED`: a person decides whether to start another one
 */
export const connect = async (
  { requests, store, clock }: Needs,
  request: ConnectionRequest,
  show: (code: ShownCode) => Promise<void>
): Promise<void> => {
  const saved = await store.read("connection")
  let connection: Connection
  if (saved === undefined) {
    connection = await requests.exchange<Connection>("POST", path, JSON.stringify(request))
    await store.write("connection", JSON.stringify(connection))
    const { userCode, verificationUrl, expiresAt } = connection
    await show({ userCode, verificationUrl, expiresAt })
  } else {
    connection = JSON.parse(saved) as Connection
  }
  const bytes = JSON.stringify({ deviceCode: connection.deviceCode })
  for (;;) {
    await clock.wait(connection.interval)
    const polled = await requests.exchange<Poll>("POST", `${path}/poll`, bytes).catch(async (error: unknown) => {
      if (error instanceof Refused) await store.remove("connection")
      throw error
    })
    if (polled.credential !== undefined) {
      await requests.saveToken(polled.credential.token)
      return store.remove("connection")
    }
    // An early poll makes the interval longer for good.
    connection = { ...connection, interval: polled.interval }
    await store.write("connection", JSON.stringify(connection))
  }
}
