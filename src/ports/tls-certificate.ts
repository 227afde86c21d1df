/** The certificate with which this process ends TLS, for its readiness and metrics. */
import { Context, Layer } from "effect"
import type { Instant } from "../vocabulary/instant.ts"

export interface TlsCertificateState {
  /** Undefined where TLS does not end here. */
  readonly endsAt: () => Instant | undefined
  readonly replace: (endsAt: Instant) => void
}

export const TlsCertificate = Context.Reference<TlsCertificateState>("countersign/ports/TlsCertificate", {
  defaultValue: () => ({ endsAt: () => undefined, replace: () => {} })
})

/** One state for each server. */
export const tlsCertificate = Layer.sync(TlsCertificate, () => {
  let current: Instant | undefined
  return {
    endsAt: () => current,
    replace: (endsAt: Instant) => {
      current = endsAt
    }
  }
})
