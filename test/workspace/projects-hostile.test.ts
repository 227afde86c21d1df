/** Whatever a client sends in the place of a form of an act is answered as a page, and never as a failure of the service. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { now } from "../../src/vocabulary/instant.ts"
import { formsOn, postRaw, readPage, type ShownForm } from "../support/page-forms.ts"
import { faultsOf } from "../support/page-scan.ts"
import { accepted, agreeing, delivered, locked, signingBy } from "../support/person-commands.ts"
import { sha, uuid } from "../support/parties.ts"
import { filled, joinedBy, mustAct, openAct, projectPage } from "../support/project-pages.ts"
import { freshTestService } from "../support/service.ts"
import { signInAnew } from "../support/sessions.ts"

/** Every act, open on a project of its own: mostly what ends nothing comes of it. */
const world = Effect.gen(function* () {
  const buyer = yield* signInAnew("Dana")
  const supplier = yield* signInAnew("Sam")
  const both = { buyer, supplier }
  yield* joinedBy(yield* signInAnew("Lou"), supplier.organizationId)
  const signing = signingBy(buyer, supplier, "NATIVE", yield* now)
  const external = { ...signing, method: "EXTERNAL" }
  const held = yield* locked(both)
  yield* mustAct(supplier, held, "date-revision", filled.reasoned)
  const contested = yield* accepted(both)
  yield* mustAct(buyer, contested, "concern", filled.concern)
  const acts = [
    [supplier, yield* agreeing(buyer, supplier), "respond"],
    [buyer, yield* locked(both, { signing }), "sign"],
    [supplier, yield* locked(both, { signing: external }), "sign"],
    [supplier, yield* locked(both), "submit"],
    [buyer, yield* delivered(both), "review"],
    [supplier, yield* delivered(both), "date-revision"],
    [buyer, held, "lift-hold"],
    [supplier, yield* accepted(both), "concern"],
    [buyer, contested, "dismiss-concern"],
    [buyer, contested, "uphold-concern"],
    [buyer, yield* accepted(both), "withdraw-confirmation"],
    [buyer, yield* accepted(both), "issue-record"],
    [supplier, yield* locked(both), "change-representative"]
  ] as const
  return yield* Effect.forEach(acts, ([by, projectId, path]) =>
    Effect.map(openAct(by, projectId, path), (form) => ({ by, projectId, path, form }))
  )
})

const known: Readonly<Record<string, string>> = {
  ...filled.submit,
  ...filled.review,
  ...filled.evidence,
  ...filled.concern,
  action: "REQUEST_CHANGES",
  decision1: "NOT_MET",
  nextAction: "Add layers.",
  signed: "on",
  attested: "on",
  confirmed: "on"
}

/** As they stand in a body; some no browser would have written. */
const hostile = [
  "", "+", "on", "0", "-1", "9".repeat(400), "ACCEPT", "DECLINE", "REJECT", "REQUEST_EVIDENCE", "MET", "1-1", "1-2", sha,
  "9999-12-31+23:59", "2026-02-30+09:30", "0000-01-01+00:00", "%7C%7C%7C", "a%7Cb%7C1%7Cc", "%00", "%ED%A0%80", "%FF", "%",
  "%0D%0A", "%E2%80%AE", "%F0%9F%98%80", "a".repeat(4_001), "a".repeat(20_001), "%3Cscript%3E", "[]", "{}", "__proto__"
] // prettier-ignore

const bodyOf = ({ hidden, names }: ShownForm) => {
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
  const fields = [...Object.entries(rest), ...names.map((name) => [name, known[name] ?? ""] as const)]
  return fc
    .tuple(...fields.map(([name, own]) => field(name, own)))
    .map((parts) => [`formToken=${formToken}`, `requestId=${uuid()}`, ...parts.flat()].join("&"))
}

layer(freshTestService, { excludeTestServices: true })("a form of an act", (it) => {
  it.effect(
    "is answered whatever is in it",
    () =>
      Effect.gen(function* () {
        const seen = new Map<number, number>()
        for (const { by, form, path, projectId } of yield* world) {
          for (const raw of fc.sample(bodyOf(form), 30)) {
            const { status, text } = yield* postRaw(by, form.action, raw)
            assert.include([303, 400, 401, 403, 409], status, `${form.action} ${raw}\n${text}`)
            if (status !== 303) assert.deepStrictEqual(faultsOf(text), [], `${path} ${raw}`)
            seen.set(status, (seen.get(status) ?? 0) + 1)
          }
          const page = yield* readPage(by, projectPage(projectId))
          assert.deepStrictEqual([page.status, faultsOf(page.text)], [200, []])
          assert.isAbove(formsOn(page.text).length, 0)
        }
        for (const status of [303, 400, 409]) assert.isTrue(seen.has(status), `nothing was answered with ${status}`)
      }),
    120_000
  )
})
