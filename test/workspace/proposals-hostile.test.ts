/** Whatever people and agents write in a proposal, and whatever is sent in the place of its forms. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { encode, formOn, postRaw, readPage, submit } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { uuid } from "../support/parties.ts"
import {
  accepting,
  doOnPage,
  knowing,
  makeCouple,
  mustDo,
  newPath,
  openForm,
  previewed,
  proposalPage,
  publishOnPages,
  updateOnPages,
  written
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

const mean = `</p></textarea><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;script>alert(1)&lt;/script>"

/** Every text of the form that somebody types, with the mark in it. */
const typed = [
  "title",
  "scope",
  "baselineStatement",
  "buyerName",
  "supplierName",
  "supplierReference",
  "criterion1Id",
  "criterion1Title",
  "criterion1Requirement",
  "purpose",
  "contractReference",
  "contractClauses",
  "sharing",
  "sharingRecipients",
  "custodian",
  "location",
  "access"
]

const checkInert = (what: string, { status, text }: { readonly status: number; readonly text: string }) => {
  assert.isBelow(status, 500, what)
  assert.notMatch(text, /<script|<b onclick/, what)
  // What a form carries on stays as it was typed; what is read does not turn round.
  assert.notMatch(text.replace(/ value="[^"]*"|<textarea.*?<\/textarea>/gs, ""), /\u202e/, what)
  assert.deepStrictEqual(faultsOf(text), [], what)
}

layer(freshTestService, { excludeTestServices: true })("what stands in a proposal", (it) => {
  it.effect("is text on every page of both sides, whoever wrote it", () =>
    Effect.gen(function* () {
      const supplier = yield* signInAnew(`Sam ${mean}`)
      const buyer = yield* signInAnew(`Dana ${mean}`)
      const couple = { supplier, buyer, contactId: yield* knowing(supplier, buyer, `ref ${mean}`) }
      const meant = Object.fromEntries(typed.map((name) => [name, `${name} ${mean}`]))
      const shown = yield* previewed(supplier, yield* written(couple, meant))
      checkInert("the preview", shown)
      for (const name of typed) assert.include(shown.text, `${name} &lt;/p>&lt;/textarea>${inert}`, name)
      const proposalId = yield* publishOnPages(couple, meant)
      yield* mustDo(buyer, proposalId, "respond", { ...accepting, action: "REQUEST_CHANGES", reason: `why ${mean}` })
      yield* updateOnPages(couple, proposalId, meant)
      yield* mustDo(supplier, proposalId, "publish")
      const stale = yield* openForm(buyer, proposalId, "respond")
      const pausing = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "pause"))
      yield* submit(buyer, pausing, { reason: `pause ${mean}` })
      for (const [who, by] of [
        ["author", supplier],
        ["recipient", buyer]
      ] as const) {
        for (const path of ["/workspace/proposals", "/workspace/", proposalPage(proposalId)]) {
          checkInert(`${path} of the ${who}`, yield* readPage(by, path))
        }
      }
      for (const path of ["update", "withdraw"]) {
        checkInert(path, yield* readPage(supplier, proposalPage(proposalId, path)))
      }
      checkInert("respond", yield* readPage(buyer, proposalPage(proposalId, "respond")))
      const detail = yield* readPage(supplier, proposalPage(proposalId))
      for (const said of [`why &lt;/p>`, `pause &lt;/p>`, `ref &lt;/p>`, `Dana &lt;/p>`])
        assert.include(detail.text, said)
      checkInert("a problem", yield* doOnPage(buyer, proposalId, "respond", { reason: mean }))
      yield* updateOnPages(couple, proposalId, meant)
      const changed = yield* submit(buyer, stale, { ...accepting, reason: `mine ${mean}` })
      checkInert("a changed page", changed)
      assert.include(changed.text, "mine &lt;/p>")
      checkInert("publish", yield* readPage(supplier, proposalPage(proposalId, "publish")))
    })
  )
})

/** As they stand in a body; some no browser would have written. */
const hostile = [
  "", "+", "on", "0", "51", "-1", "1e9", "NATIVE", "EXISTING_CONTRACT", "ADD_CRITERION", "EDIT", "ACCEPT", "DECLINE",
  "9999-12-31+23:59", "2026-02-30+10:00", "%00", "%ED%A0%80", "%FF", "%", "%0D%0A", "%E2%80%AE", "a".repeat(201),
  "a".repeat(4_001), "%3C%2Ftextarea%3E%3Cscript%3E", "[]", "__proto__", "person_", "organization_"
] // prettier-ignore

/** The form with some of its fields changed, doubled, missing or added. */
const bodyOf = (fields: Readonly<Record<string, string>>) => {
  const { formToken = "", requestId: _, ...rest } = fields
  const field = (name: string, own: string) => {
    const kept = `${name}=${encodeURIComponent(own)}`
    return fc.oneof(
      { weight: 40, arbitrary: fc.constant([kept]) },
      { weight: 2, arbitrary: fc.constantFrom(...hostile).map((one) => [`${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constantFrom(...hostile).map((one) => [kept, `${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constant([]) }
    )
  }
  const added = fc.constantFrom([], [], [], ["step=ADD_CRITERION"], ["step=EDIT"], ["other=1"], ["supplierBy=LATER"])
  return fc
    .tuple(...Object.entries(rest).map(([name, own]) => field(name, own)), added)
    .map((parts) => [`formToken=${encodeURIComponent(formToken)}`, `requestId=${uuid()}`, ...parts.flat()].join("&"))
}

layer(freshTestService, { excludeTestServices: true })("the forms of a proposal", (it) => {
  it.effect("are answered with a page whatever is in them, and never with a failure", () =>
    Effect.gen(function* () {
      const couple = yield* makeCouple
      const { supplier, buyer } = couple
      const values = yield* written(couple)
      const updated = yield* publishOnPages(couple)
      const updating = proposalPage(updated, "update")
      const creating = formOn(yield* readPage(supplier, newPath), newPath).hidden
      const kept = formOn(yield* previewed(supplier, values), newPath).hidden
      const rewriting = formOn(yield* readPage(supplier, updating), updating).hidden
      const forms: ReadonlyArray<readonly [typeof buyer, string, Readonly<Record<string, string>>]> = [
        [supplier, newPath, { ...creating, ...values }],
        [supplier, newPath, kept],
        [supplier, updating, { ...rewriting, ...values }]
      ]
      const answered = Array.from({ length: 25 }, () => publishOnPages(couple))
      const answers = yield* Effect.forEach(answered, (made) =>
        Effect.gen(function* () {
          const path = proposalPage(yield* made, "respond")
          const { hidden } = formOn(yield* readPage(buyer, path), path)
          return [buyer, path, { ...hidden, action: "ACCEPT", reason: "Yes.", attested: "on" }] as const
        })
      )
      const seen = new Set<number>()
      const sent = [
        ...forms.flatMap(([by, path, fields]) => fc.sample(bodyOf(fields), 50).map((raw) => [by, path, raw] as const)),
        ...answers.flatMap(([by, path, fields]) => fc.sample(bodyOf(fields), 3).map((raw) => [by, path, raw] as const))
      ]
      for (const [by, path, raw] of sent) {
        const { status, text } = yield* postRaw(by, path, raw)
        seen.add(status)
        assert.isBelow(status, 500, raw)
        if (status !== 303) assert.deepStrictEqual(faultsOf(text), [], raw)
      }
      for (const status of [200, 303, 400, 409]) assert.isTrue(seen.has(status), `${status} was never the answer`)
    })
  )

  it.effect("are refused as a page where the body is none", () =>
    Effect.gen(function* () {
      const { supplier } = yield* makeCouple
      for (const raw of ["", "%", encode({ formToken: "x" })]) {
        const { status, text } = yield* postRaw(supplier, newPath, raw)
        assert.isTrue(status === 400 || status === 403, `${status} for ${raw}`)
        assert.deepStrictEqual(faultsOf(text), [])
      }
    })
  )
})
