/**
 * The issuer's outputs match the published schemas. The signer of every test checks what it signs (`describedSigner`);
 * this file adds random histories and the unsigned files.
 */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { canonicalText } from "../../src/canonical/jcs.ts"
import { Signer } from "../../src/ports/signer.ts"
import type { ProjectEvent } from "../../src/projects/event.ts"
import { formatNames, schemaDocument, type FormatName } from "../../src/documents/schemas.ts"
import { agreementWithRecord } from "../support/issued-records.ts"
import { memoryTestService } from "../support/memory-service.ts"
import { makeAgent, uuid } from "../support/parties.ts"
import { faultsOf, payloadOf, validatorOf } from "../support/published-schemas.ts"
import { anyWalk } from "../support/random-walk.ts"
import { send } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"
import { createdBody } from "../support/workspace.ts"

const asJson = (value: object): unknown => JSON.parse(canonicalText(value))

const signed = (sealed: ProjectEvent): unknown => {
  const { hash: _, ...event } = sealed
  return asJson(event)
}

describe("random project histories", () => {
  const histories = fc.sample(anyWalk, { numRuns: 240, seed: 20260102 }).map(({ world }) => world.project)

  it("Every agreement and event of a random history matches its schema.", () => {
    const isEvent = validatorOf("service-project-event-v1")
    const isAgreement = validatorOf("service-result-package-v2", "Agreement")
    for (const { agreement, events } of histories) {
      assert.strictEqual(faultsOf(isAgreement, asJson(agreement)), "")
      for (const event of events) assert.strictEqual(faultsOf(isEvent, signed(event)), "", event.kind)
    }
  })

  it("The random histories contain every event kind except the invitation.", () => {
    const kinds = new Set(histories.flatMap(({ events }) => events.map(({ kind }) => kind)))
    assert.strictEqual(kinds.size, 13, [...kinds].join())
  })
})

const assertFits = (format: FormatName, value: unknown) =>
  assert.strictEqual(faultsOf(validatorOf(format), value), "", format)

layer(memoryTestService, { excludeTestServices: true })("the exports of an issued result", (it) => {
  it.effect("The exports of an issued result and the issuer's keys match their schemas.", () =>
    Effect.gen(function* () {
      const pair = { buyer: yield* signInNewPerson("Dana"), supplier: yield* signInNewPerson("Sam") }
      const projectId = yield* agreementWithRecord(pair)
      const { token } = yield* makeAgent(pair.buyer, "BUYER", ["REVIEW_DELIVERY"], [projectId])
      const path = `/api/agents/v1/projects/${projectId}`
      const { project } = createdBody(yield* send("GET", path, { token }))
      const expected = { expectedAgreementDigest: project.agreement.digest, expectedEventHash: project.headEventHash }
      const body = { ...expected, nonce: uuid() }
      const review = createdBody(yield* send("POST", `${path}/exports/result-package`, { token, body }))
      assertFits("service-result-review-v1", review)
      assertFits("service-result-package-v2", payloadOf(review.record))
      assertFits("service-result-record-v1", payloadOf(payloadOf(review.record).record))
      assertFits("service-agent-status-v1", payloadOf(review.status))
      const standard = createdBody(yield* send("POST", `${path}/exports/standard-record`, { token }))
      assertFits("service-standard-record-v1", standard)
      assertFits("service-issuer-keys-v1", (yield* Signer).keys)
    })
  )
})

describe("the published schemas", () => {
  it.each(formatNames)("The schema %s has a title, and its objects are closed unless declared open.", (name) => {
    const document = schemaDocument(name)
    assert.strictEqual(document.$schema, "https://json-schema.org/draft/2020-12/schema")
    assert.strictEqual(document.$id, `${name}.schema.json`)
    assert.isNotEmpty(document.title)
    const open = openObjectsIn(document)
    const hasAgreement = name === "service-result-package-v2" || name === "service-agreement-snapshot-v1"
    assert.deepStrictEqual(open, hasAgreement ? openTermsObjects : [])
  })
})

const openTermsObjects = ["terms", "criteria.items", "subjectRequirements.items", "signing"]

/** The paths of the objects that permit additional members. */
const openObjectsIn = (value: unknown, at: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  if (typeof value !== "object" || value === null) return []
  const isOpen = Reflect.get(value, "type") === "object" && Reflect.get(value, "additionalProperties") !== false
  const isRest = at.at(-2) === "allOf"
  const inner = Object.entries(value).flatMap(([name, one]) => openObjectsIn(one, [...at, name]))
  return isOpen && !isRest ? [at.slice(at.lastIndexOf("properties") + 1).join("."), ...inner] : inner
}
