/** Metrics of the keys of this process. */
import { Effect } from "effect"
import { purposeEnds } from "../ports/key-expiry.ts"
import type { IssuerKeys } from "../ports/signer.ts"
import { type Instant, toMilliseconds } from "../vocabulary/instant.ts"
import { counterBy, gaugeBy } from "../vocabulary/metric.ts"

const recordExpiry = gaugeBy<{ purpose: string }>(
  "countersign_key_expiry_seconds",
  "Seconds until the last issuer key of a purpose ends, or the certificate of TLS_CERT_FILE (TLS)"
)

export const countReload = counterBy<{ outcome: "RELOADED" | "REFUSED" }>(
  "countersign_key_reloads_total",
  "Reloads of the keys by outcome: RELOADED or REFUSED"
)

export const recordKeyExpiry = (keys: IssuerKeys, certificateEndsAt: Instant | undefined, moment: Instant) => {
  const ends = [
    ...purposeEnds(keys, moment),
    ...(certificateEndsAt === undefined ? [] : [{ purpose: "TLS", endsAt: certificateEndsAt }])
  ]
  return Effect.forEach(
    ends,
    ({ purpose, endsAt }) =>
      recordExpiry({ purpose }, Math.floor((toMilliseconds(endsAt) - toMilliseconds(moment)) / 1000)),
    { discard: true }
  )
}
