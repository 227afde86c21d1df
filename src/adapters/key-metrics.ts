/** Metrics of the keys of this process. */
import { Effect, Metric } from "effect"
import { purposeEnds } from "../ports/key-expiry.ts"
import type { IssuerKeys } from "../ports/signer.ts"
import { type Instant, toMilliseconds } from "../vocabulary/instant.ts"

const expiry = Metric.gauge("countersign_key_expiry_seconds", {
  description: "Seconds until the last issuer key of a purpose ends, or the certificate of TLS_CERT_FILE (TLS)"
})

const reloads = Metric.counter("countersign_key_reloads_total", {
  description: "Reloads of the keys by outcome: RELOADED or REFUSED",
  incremental: true
})

export const countReload = (outcome: "RELOADED" | "REFUSED") =>
  Metric.update(Metric.withAttributes(reloads, { outcome }), 1)

export const recordKeyExpiry = (keys: IssuerKeys, certificateEndsAt: Instant | undefined, moment: Instant) => {
  const ends = [
    ...purposeEnds(keys, moment),
    ...(certificateEndsAt === undefined ? [] : [{ purpose: "TLS", endsAt: certificateEndsAt }])
  ]
  return Effect.forEach(
    ends,
    ({ purpose, endsAt }) =>
      Metric.update(
        Metric.withAttributes(expiry, { purpose }),
        Math.floor((toMilliseconds(endsAt) - toMilliseconds(moment)) / 1000)
      ),
    { discard: true }
  )
}
