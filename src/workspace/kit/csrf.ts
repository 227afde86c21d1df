/** CSRF tokens: they bind a form to the session that it was shown in, in addition to the browser's origin headers. */
import { Effect } from "effect"
import { Secrets } from "../../ports/secrets.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"

/** The token for all forms of this session; empty, which never matches, where the port has no key. */
export const formToken = (secrets: Secrets["Service"], sessionId: string): string =>
  secrets.keyedHash("FORM", secrets.keyIds[0], sessionId) ?? ""

/** True for a token of this session, under the current key or one that is being rotated out. */
export const isFormToken = (secrets: Secrets["Service"], sessionId: string, given: string | undefined): boolean =>
  secrets.keyIds
    .map((keyId) => secrets.keyedHash("FORM", keyId, sessionId))
    .map((expected) => expected !== undefined && given !== undefined && isSame(expected, given))
    .some(Boolean)

export const requireFormToken = (sessionId: string, given: string | undefined): Effect.Effect<void, Refusal, Secrets> =>
  Effect.flatMap(Secrets, (secrets) => (isFormToken(secrets, sessionId, given) ? Effect.void : refuse("FORM_OUTDATED")))

/** Constant-time comparison of two texts of equal length. */
const isSame = (expected: string, given: string): boolean => {
  if (expected.length !== given.length) return false
  let difference = 0
  for (let place = 0; place < expected.length; place++)
    difference |= expected.charCodeAt(place) ^ given.charCodeAt(place)
  return difference === 0
}
