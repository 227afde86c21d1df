/** Connections that wait a moment for another send to the same host. */
import { limits } from "../../vocabulary/limits.ts"
import { end, type Connection } from "./connection.ts"

export interface IdleConnections {
  /** One to the host, at one of the addresses that the name has now; whoever takes it has it alone. */
  take(host: string, addresses: ReadonlyArray<string>): Connection | undefined
  /** Keeps a connection that is clean, and ends any other. */
  give(connection: Connection): void
  /** Ends those that have waited long enough. */
  sweep(): void
  end(): void
}

interface Waiting {
  readonly connection: Connection
  readonly until: number
}

export const makeIdleConnections = (): IdleConnections => {
  // Least recently used first; those that have ended meanwhile go when somebody looks.
  let waiting: ReadonlyArray<Waiting> = []
  const sweep = () => {
    const now = performance.now()
    waiting.filter(({ until }) => until <= now).forEach(({ connection }) => end(connection))
    waiting = waiting.filter(({ connection }) => isOpen(connection))
  }
  return {
    take: (host, addresses) => {
      sweep()
      const found = waiting.findLast(
        ({ connection }) => connection.host === host && addresses.includes(connection.address)
      )
      waiting = waiting.filter((one) => one !== found)
      return found?.connection
    },
    give: (connection) => {
      if (!connection.isClean || !isOpen(connection)) return end(connection)
      sweep()
      const all = [...waiting, { connection, until: performance.now() + limits.callbackConnectionIdle }]
      waiting = all.slice(-limits.callbackConnectionsIdle)
      all.slice(0, -limits.callbackConnectionsIdle).forEach((one) => end(one.connection))
    },
    sweep,
    end: () => waiting.forEach(({ connection }) => end(connection))
  }
}

const isOpen = ({ socket }: Connection): boolean => !socket.destroyed
