/** When the issuer keys of a purpose end. Pure. */
import { addMilliseconds, earlier, type Instant } from "../vocabulary/instant.ts"
import { limits } from "../vocabulary/limits.ts"
import { type IssuerKeys, type KeyPurpose, keyPurposes } from "./signer.ts"

export interface PurposeEnd {
  readonly purpose: KeyPurpose
  /** The key that ends last. */
  readonly kid: string
  readonly endsAt: Instant
}

/**
 * The end of the last key of each purpose, with those keys that follow one another without a gap from `moment` on; a past
 * end where all keys have ended. A purpose without a key, or with future keys alone, is left out.
 */
export const purposeEnds = ({ keys }: IssuerKeys, moment: Instant): ReadonlyArray<PurposeEnd> =>
  keyPurposes.flatMap((purpose) => {
    const ofPurpose = keys.filter(({ purposes }) => purposes.includes(purpose)).map(validity)
    const ended = ofPurpose.filter(({ endsAt }) => endsAt <= moment)
    const last = lastWithoutGap(ofPurpose, moment) ?? latest(ended)
    return last === undefined ? [] : [{ purpose, kid: last.kid, endsAt: last.endsAt }]
  })

interface Validity {
  readonly kid: string
  readonly validFrom: Instant
  readonly endsAt: Instant
}

const validity = ({ kid, validFrom, validUntil, revokedAt }: IssuerKeys["keys"][number]): Validity => ({
  kid,
  validFrom,
  endsAt: revokedAt === null ? validUntil : earlier(validUntil, revokedAt)
})

const lastWithoutGap = (keys: ReadonlyArray<Validity>, from: Instant): Validity | undefined => {
  const next = latest(keys.filter(({ validFrom, endsAt }) => validFrom <= from && from < endsAt))
  return next === undefined ? undefined : (lastWithoutGap(keys, next.endsAt) ?? next)
}

const latest = (keys: ReadonlyArray<Validity>): Validity | undefined =>
  keys.reduce<Validity | undefined>(
    (last, key) => (last === undefined || last.endsAt < key.endsAt ? key : last),
    undefined
  )

/**
 * One sentence for each key that ends within `limits.keyExpiryWarning` or has ended, where no later key follows; it names the
 * purposes that the key ends for.
 */
export const keyWarnings = (keys: IssuerKeys, moment: Instant): ReadonlyArray<string> => {
  const expiring = purposeEnds(keys, moment).filter(({ endsAt }) => isSoon(endsAt, moment))
  return [...Map.groupBy(expiring, ({ kid }) => kid)].map(([kid, ends]) => {
    const purposes = ends.map(({ purpose }) => purpose).join(", ")
    return `the issuer key ${kid} ${endOf(ends[0]!.endsAt, moment)}, and no later key follows for ${purposes}: add one to the issuer keys and reload them`
  })
}

/** The same for the certificate of TLS. */
export const certificateWarnings = (endsAt: Instant | undefined, moment: Instant): ReadonlyArray<string> =>
  endsAt === undefined || !isSoon(endsAt, moment)
    ? []
    : [`the certificate of TLS_CERT_FILE ${endOf(endsAt, moment)}: replace it and reload the keys`]

const isSoon = (endsAt: Instant, moment: Instant) => endsAt < addMilliseconds(moment, limits.keyExpiryWarning)

const endOf = (endsAt: Instant, moment: Instant) => `${endsAt <= moment ? "ended" : "ends"} at ${endsAt}`
