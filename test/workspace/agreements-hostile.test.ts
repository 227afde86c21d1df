/** Malformed agreement forms are answered with a page and never with an internal error. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { limits } from "../../src/vocabulary/limits.ts"
import { draftSteps } from "../../src/workspace/drafts/steps.ts"
import {
  draftIn,
  newPath,
  preview,
  revisePath,
  stepPath,
  termsFor,
  termsFormOn,
  valuesIn
} from "../support/agreement-pages.ts"
import { encode, formOn, postRaw, readPage } from "../support/page-forms.ts"
import { uuid } from "../support/parties.ts"
import { createAgreementAsPerson } from "../support/person-commands.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

/** URL-encoded values; some are never sent by a browser. */
const hostile = [
  "", "+", "on", "0", "51", "-1", "1e9", "PERSON", "CONTACT", "NATIVE", "EXISTING_CONTRACT", "ADD_CRITERION", "EDIT",
  "9999-12-31+23:59", "0000-01-01+00:00", "2026-02-30+10:00", "%00", "%ED%A0%80", "%FF", "%", "%0D%0A", "%E2%80%AE",
  "a".repeat(201), "a".repeat(4_001), "%3C%2Ftextarea%3E%3Cscript%3E", "[]", "__proto__"
] // prettier-ignore

/** The form with changed, duplicated, missing and added fields. */
const bodyOf = (fields: Readonly<Record<string, string>>) => {
  const { formToken = "", ...rest } = fields
  const field = (name: string, own: string) =>
    fc.oneof(
      { weight: 40, arbitrary: fc.constant([`${name}=${encodeURIComponent(own)}`]) },
      { weight: 2, arbitrary: fc.constantFrom(...hostile).map((one) => [`${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constantFrom(...hostile).map((one) => [`${name}=${encodeURIComponent(own)}`, `${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constant([]) }
    ) // prettier-ignore
  const added = fc.constantFrom(
    [],
    [],
    [],
    ["step=ADD_CRITERION"],
    ["step=ADD_REQUIREMENT"],
    ["step=EDIT"],
    ["other=1"]
  )
  return fc
    .tuple(...Object.entries(rest).map(([name, own]) => field(name, own)), added)
    .map((parts) => [`formToken=${encodeURIComponent(formToken)}`, `requestId=${uuid()}`, ...parts.flat()].join("&"))
}

layer(freshTestService, { excludeTestServices: true })("hostile agreement forms", (it) => {
  it.effect("Malformed and duplicated fields of an agreement form are answered with a page at every step.", () =>
    Effect.gen(function* () {
      const dana = yield* signInNewPerson("Dana")
      const sam = yield* signInNewPerson("Sam")
      const projectId = yield* createAgreementAsPerson(dana, sam)
      const values = yield* termsFor(sam)
      const revising = { ...values, reason: "More time." }
      const shown = termsFormOn(yield* preview(dana, values))
      const draftId = draftIn({ text: shown.action, headers: {} })
      const first = formOn(yield* readPage(dana, newPath), newPath).hidden
      const saved = yield* Effect.forEach(draftSteps, ({ path }) =>
        Effect.gen(function* () {
          const address = stepPath(draftId, path)
          const { hidden } = formOn(yield* readPage(dana, address), address)
          return [address, { ...hidden, ...(valuesIn(path, values) as Record<string, string>) }] as const
        })
      )
      const steps: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
        [newPath, { ...first, ...(valuesIn("parties", values) as Record<string, string>) }],
        [shown.action, shown.hidden],
        ...saved,
        [revisePath(projectId), formOn(yield* preview(dana, revising, revisePath(projectId)), revisePath(projectId)).hidden]
      ] // prettier-ignore
      const seen = new Set<number>()
      for (const [path, { requestId: _, ...fields }] of steps) {
        for (const raw of fc.sample(bodyOf(fields), 30)) {
          const { status, text } = yield* postRaw(dana, path, raw)
          assert.include([200, 303, 400, 403, 409], status, `${path} ${raw}\n${text}`)
          assert.notInclude(text, "<script>")
          seen.add(status)
        }
        const large = yield* postRaw(dana, path, encode({ ...fields, scope: "a".repeat(limits.signedInFormBytes) }))
        assert.strictEqual(large.status, 413)
      }
      assert.includeMembers([...seen], [200, 400, 409])
    })
  )
})
