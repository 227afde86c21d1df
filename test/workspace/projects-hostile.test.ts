/** Malformed command forms are answered with a page and never with an internal error. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { now } from "../../src/vocabulary/instant.ts"
import { formsOn, postRaw, readPage, type PageForm } from "../support/page-forms.ts"
import { accessibilityFaults } from "../support/accessibility-rules.ts"
import {
  runToAccepted,
  createAgreementAsPerson,
  runToDelivered,
  runToLocked,
  signatureBy
} from "../support/person-commands.ts"
import { sha, uuid } from "../support/parties.ts"
import { pageInputs, addMember, actSuccessfully, openAct, projectPage } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInNewPerson } from "../support/sessions.ts"

/** Every command, available on a project of its own, mostly without a final decision. */
const commandForms = Effect.gen(function* () {
  const buyer = yield* signInNewPerson("Dana")
  const supplier = yield* signInNewPerson("Sam")
  const both = { buyer, supplier }
  yield* addMember(yield* signInNewPerson("Lou"), supplier.organizationId)
  const signing = signatureBy(buyer, supplier, "NATIVE", yield* now)
  const external = { ...signing, method: "EXTERNAL" }
  const held = yield* runToLocked(both)
  yield* actSuccessfully(supplier, held, "date-revision", pageInputs.reasoned)
  const contested = yield* runToAccepted(both)
  yield* actSuccessfully(buyer, contested, "concern", pageInputs.concern)
  const commands = [
    [supplier, yield* createAgreementAsPerson(buyer, supplier), "respond"],
    [buyer, yield* runToLocked(both, { signing }), "sign"],
    [supplier, yield* runToLocked(both, { signing: external }), "sign"],
    [supplier, yield* runToLocked(both), "submit"],
    [buyer, yield* runToDelivered(both), "review"],
    [supplier, yield* runToDelivered(both), "date-revision"],
    [buyer, held, "lift-hold"],
    [supplier, yield* runToAccepted(both), "concern"],
    [buyer, contested, "dismiss-concern"],
    [buyer, contested, "uphold-concern"],
    [buyer, yield* runToAccepted(both), "withdraw-confirmation"],
    [buyer, yield* runToAccepted(both), "issue-record"],
    [supplier, yield* runToLocked(both), "change-representative"]
  ] as const
  return yield* Effect.forEach(commands, ([by, projectId, path]) =>
    Effect.map(openAct(by, projectId, path), (form) => ({ by, projectId, path, form }))
  )
})

const validValues: Readonly<Record<string, string>> = {
  ...pageInputs.submit,
  ...pageInputs.review,
  ...pageInputs.evidence,
  ...pageInputs.concern,
  action: "REQUEST_CHANGES",
  decision1: "NOT_MET",
  nextAction: "Add layers.",
  signed: "on",
  attested: "on",
  confirmed: "on"
}

/** URL-encoded values; some are never sent by a browser. */
const hostile = [
  "", "+", "on", "0", "-1", "9".repeat(400), "ACCEPT", "DECLINE", "REJECT", "REQUEST_EVIDENCE", "MET", "1-1", "1-2", sha,
  "9999-12-31+23:59", "2026-02-30+09:30", "0000-01-01+00:00", "%7C%7C%7C", "a%7Cb%7C1%7Cc", "%00", "%ED%A0%80", "%FF", "%",
  "%0D%0A", "%E2%80%AE", "%F0%9F%98%80", "a".repeat(4_001), "a".repeat(20_001), "%3Cscript%3E", "[]", "{}", "__proto__"
] // prettier-ignore

const bodyOf = ({ hidden, names }: PageForm) => {
  const value = fc.oneof(
    fc.constantFrom(...hostile),
    fc.string({ maxLength: 30 }).map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, "")))
  )
  const field = (name: string, own: string) =>
    fc.oneof(
      { weight: 10, arbitrary: fc.constant([`${name}=${encodeURIComponent(own)}`]) },
      { weight: 2, arbitrary: value.map((one) => [`${name}=${one}`]) },
      { weight: 1, arbitrary: value.map((one) => [`${name}=${encodeURIComponent(own)}`, `${name}=${one}`]) },
      { weight: 1, arbitrary: fc.constant([]) }
    )
  const { formToken = "", requestId: _, ...rest } = hidden
  const fields = [...Object.entries(rest), ...names.map((name) => [name, validValues[name] ?? ""] as const)]
  return fc
    .tuple(...fields.map(([name, own]) => field(name, own)))
    .map((parts) => [`formToken=${formToken}`, `requestId=${uuid()}`, ...parts.flat()].join("&"))
}

layer(freshTestService, { excludeTestServices: true })("hostile command forms", (it) => {
  it.effect(
    "Malformed and duplicated fields of command forms are answered with a page.",
    () =>
      Effect.gen(function* () {
        const seen = new Map<number, number>()
        for (const { by, form, path, projectId } of yield* commandForms) {
          for (const raw of fc.sample(bodyOf(form), 30)) {
            const { status, text } = yield* postRaw(by, form.action, raw)
            assert.include([303, 400, 401, 403, 409], status, `${form.action} ${raw}\n${text}`)
            if (status !== 303) assert.deepStrictEqual(accessibilityFaults(text), [], `${path} ${raw}`)
            seen.set(status, (seen.get(status) ?? 0) + 1)
          }
          const page = yield* readPage(by, projectPage(projectId))
          assert.deepStrictEqual([page.status, accessibilityFaults(page.text)], [200, []])
          assert.isAbove(formsOn(page.text).length, 0)
        }
        for (const status of [303, 400, 409]) assert.isTrue(seen.has(status), `nothing was answered with ${status}`)
      }),
    120_000
  )
})
