/** If several members of an object are invalid, the check fails with the one that its page lists first. */
import { assert, describe, expect, it } from "vitest"
import type { Json } from "../../src/canonical/json.ts"
import { readAuthorityPolicy } from "../../src/verifier/authority-policy.ts"
import { validate, type Schema } from "../../src/verifier/schema-kit.ts"
import type { Finding } from "../../src/verifier/ledger.ts"
import {
  agentStatus,
  agreement,
  authorityEvent,
  projectEvent,
  resultPackage,
  resultRecord,
  resultReview,
  standardRecord
} from "../../src/verifier/schemas.ts"
import { readTrust } from "../../src/verifier/trust.ts"
import {
  commerceBinding,
  commerceFile,
  commerceRecord,
  paymentFacts,
  passportFile,
  passportManifest,
  publicationStatement,
  resultSummary
} from "../../src/verifier/portable-shapes.ts"
import { everyObject } from "./every-object.ts"
import { portablePage, recordsPage } from "./format-pages.ts"
import { payloadOf } from "../support/published-schemas.ts"
import { makeCommerceRecord, allObservations } from "./sample-commerce.ts"
import { makePassport } from "./sample-passport.ts"
import { jcs, type Members } from "./signing.ts"

/** The required members of the object at this offset of a page, in the order of the page. */
const membersListed = (from: number, page: string = recordsPage): ReadonlyArray<string> => {
  let depth = 0
  let own = ""
  for (const mark of page.slice(from)) {
    if ("}])".includes(mark)) depth--
    if (depth === 0 && own !== "") break
    if (depth === 1) own += mark
    if ("{[(".includes(mark)) depth++
  }
  // Words in capitals are values of a member.
  return Array.from(own.matchAll(/(?:^|,)\s*([a-z]\w*)(?=[:,]|$)/g), ([, name]) => name!)
}

const read =
  (form: Schema<unknown>) =>
  (value: Members): Finding<unknown> =>
    validate(form, value as Json)

const schemas: ReadonlyArray<readonly [schema: string, read: (value: Members) => Finding<unknown>]> = [
  ["service.issuer-keys/v1", (value) => readTrust(Buffer.from(jcs(value)))],
  ["service.agreement/v1", read(agreement)],
  ["service.project-event/v1", read(projectEvent)],
  ["service.result-record/v1", read(resultRecord)],
  ["service.result-package/v2", read(resultPackage)],
  ["service.authority-event/v1", read(authorityEvent)],
  ["service.agent-status/v1", read(agentStatus)],
  ["service.result-review/v1", read(resultReview)],
  ["service.standard-record/v1", read(standardRecord)],
  ["service.authority-policy/v1", (value) => readAuthorityPolicy(Buffer.from(jcs(value)))]
]

const { file, statuses } = makePassport()
const commerce = makeCommerceRecord()

/** Reads a part of the Commerce Record, and states the fault by its place in the part. */
const readIn =
  (...path: ReadonlyArray<string | number>) =>
  (part: Members): Finding<unknown> => {
    const value = structuredClone(commerce.payload)
    const holder = path.slice(0, -1).reduce((at, step) => at[step], value)
    holder[path.at(-1)!] = part
    const finding = read(commerceRecord)(value)
    if (finding.ok) return finding
    const place = path.map((step) => (typeof step === "number" ? `[${step}]` : `.${step}`)).join("")
    return { ...finding, at: finding.at!.slice(place.length) }
  }
const readEntry = readIn("journal", "entries", 0)

/** The facts of each component. */
const factsOfEach = Object.entries(paymentFacts).map(([component, form]) => {
  const { facts } = allObservations().find((one) => one.component === component)!
  return [`\n    ${component}: {`, read(form), facts] as const
})

/** The objects of docs/portable-records.md, each with the beginning of its form there. */
const portable: ReadonlyArray<readonly [start: string, read: (value: Members) => Finding<unknown>, object: Members]> = [
  ['{schema: "service.result-passport/v1", manifest', read(passportFile), file],
  ['{schema: "service.result-passport/v1", issuedAt', read(passportManifest), payloadOf(file["manifest"])],
  ['{schema: "service.result-summary/v1"', read(resultSummary), payloadOf(file["summaries"][1])],
  ['{schema: "service.publication-status/v1"', read(publicationStatement), payloadOf(statuses[0]!)],
  ['{schema: "service.commerce-record/v1", recordDigest', read(commerceFile), commerce.file],
  ['{schema: "service.commerce-record/v1", issuedAt', read(commerceRecord), commerce.payload],
  ["{commerceOrderId: commerce id, resultOrderId", read(commerceBinding), commerce.payload["binding"]],
  ["{count: integer from 0, head: digest, entries", readIn("journal"), commerce.payload["journal"]],
  ["{sequence: integer from 1, previousHash", readEntry, commerce.payload["journal"].entries[0]],
  ...factsOfEach
]

/** The kinds of events in the two tables of the page, each with the offset of its payload. */
const kinds = Array.from(recordsPage.matchAll(/^\| (`[A-Z_`, ]+`) \| `\{/gm), (row) =>
  row[1]!.match(/[A-Z_]+/g)!.map((kind) => [kind, row.index + row[0].length - 1] as const)
).flat()

const objects = everyObject().map(({ value }) => value as Members)
const whole = (member: string, word: string): Members =>
  objects.flatMap((one) => [one, one["agreement"] ?? {}]).find((one) => one[member] === word)!

const failsAt = (finding: Finding<unknown>): string | undefined => (finding.ok ? undefined : finding.at)

const assertOrder = (
  listed: ReadonlyArray<string>,
  faultOf: (spoil: (object: Members) => void) => string | undefined
): void => {
  for (const [index, name] of listed.entries()) {
    const next = listed[index + 1]
    const second = (object: Members) => (next === undefined ? (object["another"] = 1) : delete object[next])
    const isAbsent = (object: Members) => void (delete object[name], second(object))
    const isWrong = (object: Members) => void (second(object), (object[name] = false))
    assert.strictEqual(faultOf(isAbsent), name, `${name} is absent, ${next} too`)
    // Some members allow any value.
    const isRight = faultOf((object) => void (object[name] = false)) === undefined
    if (!isRight) assert.strictEqual(faultOf(isWrong), name, `${name} is wrong, ${next} absent`)
  }
}

describe("the order of faults", () => {
  it.each(schemas)("the first fault in the order of the page counts in %s", (schema, read) => {
    const listed = membersListed(recordsPage.indexOf(`{schema: "${schema}"`))
    const { gaps: _optional, ...required } = whole("schema", schema)
    expect(Object.keys(required).toSorted()).toEqual([...listed].toSorted())
    assertOrder(listed, (spoil) => {
      const value = structuredClone(required)
      spoil(value)
      return failsAt(read(value))
    })
  })

  it.each(portable)(
    "the first fault in the order of the portable page counts in an object that begins with %s",
    (start, read, object) => {
      const listed = membersListed(portablePage.indexOf(start), portablePage)
      expect(Object.keys(object).toSorted()).toEqual([...listed].toSorted())
      assertOrder(listed, (spoil) => {
        const value = structuredClone(object)
        spoil(value)
        return failsAt(read(value))
      })
    }
  )

  it.each(kinds)("the first fault in the order of the page counts in the payload of %s", (kind, from) => {
    const member = "payload" in whole("kind", kind) ? "payload" : "change"
    const readKind = member === "payload" ? read(projectEvent) : read(authorityEvent)
    assertOrder(membersListed(from), (spoil) => {
      const value = structuredClone(whole("kind", kind))
      spoil(value[member])
      return failsAt(readKind(value))?.replace(`${member}.`, "")
    })
  })

  it("the page lists every kind of event", () => assert.strictEqual(kinds.length, 14 + 5))
})
