/**
 * TLS sessions of receivers, to resume at the next connection to the same host. A resumed handshake verifies no
 * certificate, so a session ends a limit after the full handshake from which it descends.
 */
import { LRUCache } from "lru-cache"
import { limits } from "../../vocabulary/limits.ts"

export interface TlsSession {
  readonly state: Buffer
  /** The end of the time for which the certificate counts as verified, in milliseconds of the sender's monotonic time. */
  readonly verifiedUntil: number
}

export interface TlsSessions {
  /** The newest session of the host. It is offered again only while the host has no other (RFC 8446, C.4). */
  take(host: string): TlsSession | undefined
  keep(host: string, session: TlsSession): void
  /** Forgets all sessions of the host. */
  drop(host: string): void
}

/** `now` is monotonic, in milliseconds. */
export const makeTlsSessions = (now: () => number): TlsSessions => {
  const sessionsByHost = new LRUCache<string, ReadonlyArray<TlsSession>>({
    maxSize: limits.webhookTlsSessionsBytes,
    sizeCalculation: (sessions) => sessions.reduce((bytes, { state }) => bytes + state.length, 0)
  })
  /** Oldest first. */
  const validOf = (host: string) =>
    (sessionsByHost.get(host) ?? []).filter(({ verifiedUntil }) => now() < verifiedUntil)
  return {
    take: (host) => {
      const valid = validOf(host)
      if (valid.length > 1) sessionsByHost.set(host, valid.slice(0, -1))
      return valid.at(-1)
    },
    keep: (host, session) => {
      if (session.state.length > limits.webhookTlsSessionBytes) return
      sessionsByHost.set(host, [...validOf(host), session].slice(-limits.webhookTlsSessionsPerHost))
    },
    drop: (host) => void sessionsByHost.delete(host)
  }
}
