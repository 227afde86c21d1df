/** A document that is signed in the clear: its body is JSON, and a detached JWS stands beside it. */
import { Effect, Schema } from "effect"
import { canonicalText, joinMembers } from "../canonical/jcs.ts"
import { detachPayload } from "../canonical/jws.ts"
import type { KeyPurpose, SignedPayload } from "../ports/signer.ts"
import { signOrRefuse } from "./signed-copy.ts"

/** The JWS of the canonical body, without its payload: `protected..signature`. */
const detachedJws = Schema.String.check(Schema.isPattern(/^[A-Za-z0-9_-]+\.\.[A-Za-z0-9_-]{86}$/u)).annotate({
  identifier: "DetachedJws",
  description: "A compact JWS without its payload, which is the canonical form of `body` (RFC 7515, appendix F)."
})

/** The form of a document whose body names its `schema`. */
export const signedDocument = <const S extends string, Body extends Schema.Top>(schema: S, body: Body) =>
  Schema.Struct({ schema: Schema.Literal(schema), body, signature: detachedJws })

/** The canonical text of the signed document; refuses if this installation has no key for it. */
export const signDocument = Effect.fnUntraced(function* (purpose: KeyPurpose, body: SignedPayload) {
  const text = canonicalText(body)
  const signature = detachPayload(yield* signOrRefuse(purpose, body, text))
  return joinMembers(
    new Map<string, string>([
      ["body", text],
      ["schema", canonicalText(body.schema)],
      ["signature", canonicalText(signature)]
    ])
  )
})
