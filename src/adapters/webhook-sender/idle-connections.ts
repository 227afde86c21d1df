/** Idle connections that are kept for a while for another webhook to the same host. */
import { limits } from "../../vocabulary/limits.ts"
import { closeConnection, type Connection } from "./connection.ts"

export interface IdleConnections {
  /** A connection to the host at one of the name's current addresses; exclusive to the caller. */
  acquire(host: string, addresses: ReadonlyArray<string>): Connection | undefined
  /** Keeps a connection that is clean, and closes any other. */
  release(connection: Connection): void
  /** Closes connections that were idle for too long, or whose certificate has to be verified again. */
  sweep(): void
  end(): void
}

interface IdleConnection {
  readonly connection: Connection
  readonly until: number
}

/** `now` is monotonic, in milliseconds. */
export const makeIdleConnections = (now: () => number): IdleConnections => {
  // Least recently used first; connections closed by the target are dropped at the next sweep.
  let idle: ReadonlyArray<IdleConnection> = []
  const sweep = () => {
    const time = now()
    idle.filter(({ until }) => until <= time).forEach(({ connection }) => closeConnection(connection))
    idle = idle.filter(({ connection }) => isOpen(connection))
  }
  return {
    acquire: (host, addresses) => {
      sweep()
      const match = idle.findLast(
        ({ connection }) => connection.host === host && addresses.includes(connection.address)
      )
      idle = idle.filter((entry) => entry !== match)
      return match?.connection
    },
    release: (connection) => {
      if (!connection.isClean || !isOpen(connection)) return closeConnection(connection)
      sweep()
      // A connection that its target closes before a request can be written would cost the attempt.
      const usable = Math.min(limits.webhookConnectionIdle, connection.keptFor - limits.webhookConnectionReserve)
      const until = Math.min(now() + usable, connection.verifiedUntil)
      if (until <= now()) return closeConnection(connection)
      idle = [...idle, { connection, until }]
      const surplus = surplusOf(idle, connection.host)
      if (surplus === undefined) return
      idle = idle.filter((entry) => entry !== surplus)
      closeConnection(surplus.connection)
    },
    sweep,
    end: () => idle.forEach(({ connection }) => closeConnection(connection))
  }
}

/** The connection to close after one to this host was added: one of the host itself where it has more than its share. */
const surplusOf = (idle: ReadonlyArray<IdleConnection>, host: string): IdleConnection | undefined => {
  const ofHost = idle.filter(({ connection }) => connection.host === host)
  if (ofHost.length > limits.webhookConnectionsIdlePerHost) return ofHost[0]
  return idle.length > limits.webhookConnectionsIdle ? idle[0] : undefined
}

const isOpen = ({ socket }: Connection): boolean => !socket.destroyed
