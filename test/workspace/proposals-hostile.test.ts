/** Hostile texts of a proposal, and malformed proposal forms. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { encode, formOn, postRaw, readPage, submit } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import { proposalFromEntriesPath } from "../../src/workspace/proposals/path.ts"
import { termsFormOn, valuesIn } from "../support/agreement-pages.ts"
import { uuid } from "../support/parties.ts"
import {
  acceptanceValues,
  actOnProposalPage,
  makeContact,
  makeProposalContacts,
  actOnProposalSuccessfully,
  newPath,
  openForm,
  previewProposal,
  proposalPage,
  publishOnPages,
  updateOnPages,
  proposalFormValues
} from "../support/proposal-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

const hostileMark = `</p></textarea><script>alert(1)</script><b onclick=x>\u202e"&amp;`
const inert = "&lt;script>alert(1)&lt;/script>"

/** Every text field of the form, with the mark in it. */
const typedFields = [
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
  assert.notMatch(text, /<script>|<b onclick/, what)
  // Form values keep the original text; displayed text shows direction marks as text.
  assert.notMatch(text.replace(/ value="[^"]*"|<textarea.*?<\/textarea>/gs, ""), /\u202e/, what)
  assert.deepStrictEqual(accessibilityFaults(text), [], what)
}

layer(freshTestService, { excludeTestServices: true })("hostile texts of a proposal", (it) => {
  it.effect("Texts of a proposal are shown as inert text on every page of both parties.", () =>
    Effect.gen(function* () {
      const supplier = yield* signInNewPerson(`Sam ${hostileMark}`)
      const buyer = yield* signInNewPerson(`Dana ${hostileMark}`)
      const couple = { supplier, buyer, contactId: yield* makeContact(supplier, buyer, `ref ${hostileMark}`) }
      const meant = Object.fromEntries(typedFields.map((name) => [name, `${name} ${hostileMark}`]))
      const shown = yield* previewProposal(supplier, yield* proposalFormValues(couple, meant))
      checkInert("the preview", shown)
      for (const name of typedFields) assert.include(shown.text, `${name} &lt;/p>&lt;/textarea>${inert}`, name)
      const proposalId = yield* publishOnPages(couple, meant)
      yield* actOnProposalSuccessfully(buyer, proposalId, "respond", {
        ...acceptanceValues,
        action: "REQUEST_CHANGES",
        reason: `why ${hostileMark}`
      })
      yield* updateOnPages(couple, proposalId, meant)
      yield* actOnProposalSuccessfully(supplier, proposalId, "publish")
      const stale = yield* openForm(buyer, proposalId, "respond")
      const pausing = formOn(yield* readPage(buyer, proposalPage(proposalId)), proposalPage(proposalId, "pause"))
      yield* submit(buyer, pausing, { reason: `pause ${hostileMark}` })
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
      for (const expected of [`why &lt;/p>`, `pause &lt;/p>`, `ref &lt;/p>`, `Dana &lt;/p>`])
        assert.include(detail.text, expected)
      checkInert("a problem", yield* actOnProposalPage(buyer, proposalId, "respond", { reason: hostileMark }))
      yield* updateOnPages(couple, proposalId, meant)
      const changed = yield* submit(buyer, stale, { ...acceptanceValues, reason: `mine ${hostileMark}` })
      checkInert("a changed page", changed)
      assert.include(changed.text, "mine &lt;/p>")
      checkInert("publish", yield* readPage(supplier, proposalPage(proposalId, "publish")))
    })
  )
})

/** URL-encoded values; some are never sent by a browser. */
const hostile = [
  "", "+", "on", "0", "51", "-1", "1e9", "NATIVE", "EXISTING_CONTRACT", "ADD_CRITERION", "EDIT", "ACCEPT", "DECLINE",
  "9999-12-31+23:59", "2026-02-30+10:00", "%00", "%ED%A0%80", "%FF", "%", "%0D%0A", "%E2%80%AE", "a".repeat(201),
  "a".repeat(4_001), "%3C%2Ftextarea%3E%3Cscript%3E", "[]", "__proto__", "person_", "organization_"
] // prettier-ignore

/** The form with changed, duplicated, missing and added fields. */
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

layer(freshTestService, { excludeTestServices: true })("hostile proposal forms", (it) => {
  it.effect("Malformed fields of proposal forms are answered with a page.", () =>
    Effect.gen(function* () {
      const couple = yield* makeProposalContacts
      const { supplier, buyer } = couple
      const values = yield* proposalFormValues(couple)
      const updated = yield* publishOnPages(couple)
      const updating = proposalPage(updated, "update")
      const creating = formOn(yield* readPage(supplier, newPath), newPath).hidden
      const kept = termsFormOn(yield* previewProposal(supplier, values), newPath)
      const rewriting = formOn(yield* readPage(supplier, updating), updating).hidden
      const forms: ReadonlyArray<readonly [typeof buyer, string, Readonly<Record<string, string>>]> = [
        [supplier, newPath, { ...creating, ...(valuesIn("parties", values) as Record<string, string>) }],
        [supplier, kept.action, kept.hidden],
        [supplier, proposalFromEntriesPath, { ...creating, ...values, criterionRows: "1", requirementRows: "0" }],
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
        if (status !== 303) assert.deepStrictEqual(accessibilityFaults(text), [], raw)
      }
      for (const status of [200, 303, 400, 409]) assert.isTrue(seen.has(status), `${status} was never the answer`)
    })
  )

  it.effect("A proposal form without a valid body is refused with a page.", () =>
    Effect.gen(function* () {
      const { supplier } = yield* makeProposalContacts
      for (const raw of ["", "%", encode({ formToken: "x" })]) {
        const { status, text } = yield* postRaw(supplier, newPath, raw)
        assert.isTrue(status === 400 || status === 403, `${status} for ${raw}`)
        assert.deepStrictEqual(accessibilityFaults(text), [])
      }
    })
  )
})
