/**
 * The published JSON Schemas (2020-12) of the signed Result Package and of the file it travels in.
 *
 * They describe and test; they prove nothing. What no schema can say (canonical bytes, signatures, digests, bindings) is
 * in docs/records.md and in the verifier.
 */

const dialect = "https://json-schema.org/draft/2020-12/schema"

const id = (kind: string) => ({ type: "string", pattern: `^${kind}_[a-f0-9-]{36}$` })
const digest = { type: "string", pattern: "^[0-9a-f]{64}$" }
const instant = {
  type: "string",
  pattern: "^(19[7-9]|[2-9][0-9]{2})[0-9]-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}Z$"
}
const compactJws = { type: "string", pattern: "^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]{86}$" }
const text = { type: "string" }
const name = { type: "string", minLength: 1 }
const list = (items: object, bounds: object = {}) => ({ type: "array", items, ...bounds })
const orNull = (schema: object) => ({ anyOf: [schema, { type: "null" }] })

/** Every member is required, but for those of `optional`; no other may be there. */
const object = (required: Readonly<Record<string, object>>, optional: Readonly<Record<string, object>> = {}) => ({
  type: "object",
  properties: { ...required, ...optional },
  required: Object.keys(required),
  additionalProperties: false
})

const agreement = object({
  schema: { const: "service.agreement/v1" },
  projectId: id("delivery"),
  version: { type: "integer", minimum: 1 },
  previous: orNull(object({ projectId: id("delivery"), digest })),
  terms: {
    $comment: "The parties' own terms: the creation input without requestId and confirmationDigest.",
    type: "object",
    properties: {
      buyerName: name,
      supplierName: name,
      criteria: list({ type: "object", properties: { id: name }, required: ["id"] }, { minItems: 1 }),
      signing: {
        type: "object",
        properties: {
          method: { enum: ["NATIVE", "EXTERNAL"] },
          principal: id("person"),
          counterparty: id("person"),
          agreementSignBy: instant,
          acceptanceSignBy: instant
        },
        required: ["method", "principal", "agreementSignBy", "acceptanceSignBy"]
      }
    },
    required: ["buyerName", "supplierName", "criteria"]
  },
  buyer: object({ organizationId: id("organization"), actorId: id("person") }),
  supplier: object({ actorId: orNull(id("person")) })
})

const submission = object({
  submissionId: id("submission"),
  agreementDigest: digest,
  previousSubmissionId: orNull(id("submission")),
  respondsToReviewId: orNull(id("review")),
  summary: text,
  items: list(
    object({
      criterionId: name,
      summary: text,
      references: list(text),
      files: list(object({ name, reference: text, size: { type: "integer", minimum: 0 }, sha256: digest }))
    }),
    { minItems: 1 }
  )
})

const signature = {
  oneOf: [
    object({ method: { const: "NATIVE" }, personId: id("person"), digest, statement: text }),
    object({
      method: { const: "EXTERNAL" },
      digest,
      evidence: object({ provider: text, reference: text, fileName: text, sha256: digest, signedAt: instant }),
      label: { const: "RECORDED_NOT_VERIFIED" }
    })
  ]
}

const acceptance = object(
  {
    reviewId: id("review"),
    agreementDigest: digest,
    submissionId: id("submission"),
    submissionDigest: digest,
    action: { const: "ACCEPT" },
    reason: text,
    nextAction: text,
    decisions: list(object({ criterionId: name, decision: { const: "MET" } }, { note: text }), { minItems: 1 }),
    checkedFiles: list(object({ criterionId: name, name, sha256: digest })),
    confirmationId: id("confirmation")
  },
  { confirmationDigest: digest, signature }
)

/** The payload of the package's JWS. */
export const resultPackageSchema = {
  $schema: dialect,
  $id: "service-result-package-v2.schema.json",
  title: "Result Package v2",
  ...object({
    schema: { const: "service.result-package/v2" },
    issuedAt: instant,
    manifest: list(
      object({
        id: name,
        kind: { enum: ["agreement", "event", "submission", "review", "record", "authority-event"] },
        digest,
        bytes: { type: "integer", minimum: 1 }
      }),
      { minItems: 5 }
    ),
    agreement,
    events: list(compactJws, { minItems: 5, maxItems: 100 }),
    submission,
    review: acceptance,
    record: compactJws,
    authority: list(
      object({
        grantId: id("grant"),
        events: list(compactJws, { minItems: 1 }),
        salts: list(object({ sequence: { type: "integer", minimum: 1 }, salt: digest }))
      })
    )
  })
} as const

const publicKey = object({
  kid: name,
  jwk: object({
    kty: { const: "OKP" },
    crv: { const: "Ed25519" },
    x: { type: "string", pattern: "^[A-Za-z0-9_-]{43}$" }
  }),
  validFrom: instant,
  validUntil: instant,
  revokedAt: orNull(instant),
  purposes: list(
    { enum: ["EVENT", "AUTHORITY", "RECORD", "PACKAGE", "STATUS", "PUBLICATION", "COMMERCE", "CLOSURE"] },
    { minItems: 1, uniqueItems: true }
  )
})

/** The exported file: the package, keys that prove nothing, and a status of five minutes. */
export const resultReviewSchema = {
  $schema: dialect,
  $id: "service-result-review-v1.schema.json",
  title: "Result Review v1",
  ...object({
    schema: { const: "service.result-review/v1" },
    record: compactJws,
    trust: object({
      schema: { const: "service.issuer-key-bundle/v1" },
      issuer: name,
      environment: name,
      keys: list(publicKey, { minItems: 1 })
    }),
    status: compactJws
  })
} as const
