import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { checkFound, shrinkFinding } from "../../../simulator/explore/found/shrink-script.ts"
import { replayScript } from "../../../simulator/explore/found/replay-script.ts"
import { invariantBrokenIn } from "../../../simulator/explore/found/scenario.ts"
import { failingIn } from "../../../simulator/explore/shrink/failing.ts"
import { stepsIn } from "../../../simulator/explore/shrink/less-steps.ts"
import { milder, severityIn, withoutMishap } from "../../../simulator/explore/shrink/milder-faults.ts"
import { shorterTimes, timeIn } from "../../../simulator/explore/shrink/shorter-time.ts"
import type { StepForm } from "../../../simulator/script/format.ts"
import { findIn, losesItsAnswer, neverRefused, race, read } from "./explore-found.ts"

const judged = { invariants: [neverRefused], probes: [] }

describe("minimized finding", () => {
  const { prepared, found } = findIn(race, [neverRefused])
  const shrunk = shrinkFinding(prepared, found, judged)
  const text = shrunk?.text ?? ""

  it("Minimization keeps only the racing steps and their setup", () => {
    const failing = failingIn(read(text))
    assert.deepStrictEqual(failing?.before, [{ as: "dana", do: "signIn" }])
    assert.strictEqual(stepsIn(failing?.rest ?? []), 3)
    assert.isTrue(shrunk?.isMinimal)
    assert.isAtMost(shrunk?.made.length ?? 99, found.schedule.choices.length)
  })

  it("A minimized finding is saved with its property and explanation, and reproduces", () => {
    assert.strictEqual(invariantBrokenIn(text), neverRefused.name)
    const why = "Dana's revokeGrant was answered with 200. After that, scout's me was refused with AUTH_INVALID."
    assert.include(read(text).say ?? "", why)
    const replayed = Result.getOrThrow(replayScript("found.yaml", read(text), judged))
    assert.strictEqual(replayed.ended, "REPRODUCES")
  })

  it("Every element of a minimized finding is necessary", () => {
    const checked = Result.getOrThrow(checkFound("found.yaml", read(text), judged))
    assert.isAbove(checked.removals.length, 3)
    assert.deepStrictEqual(
      checked.removals.filter(({ stillFails }) => stillFails),
      []
    )
  })

  it("The minimality check reports an unnecessary element", () => {
    const longer = text.replace("steps:\n", "steps:\n  - { advance: 1m }\n")
    const checked = Result.getOrThrow(checkFound("found.yaml", read(longer), judged))
    assert.isTrue(checked.removals.some(({ stillFails }) => stillFails))
  })
})

describe("faults of a finding", () => {
  it("Minimization keeps only the faults that the violation needs", () => {
    const { prepared, found } = findIn(race, [losesItsAnswer])
    const text = shrinkFinding(prepared, found, { invariants: [losesItsAnswer], probes: [] })?.text ?? ""
    const forms = failingIn(read(text))?.rest ?? []
    assert.deepStrictEqual(forms, [{ inject: { of: "scout", lost: "answer" } }, { as: "scout", do: "me" }])
  })
})

describe("weakened faults", () => {
  const left = (forms: ReadonlyArray<StepForm>) => milder(forms).map((one) => one.left[0])

  it.each([
    ["a crash", { inject: { of: "scout", crash: "after-commit", skip: 2 } }],
    ["a lost answer of the database", { inject: { of: "scout", database: "commit-lost-unknown" } }],
    ["a receiver without an answer", receiver({ answers: "NOTHING" })],
    ["a slow receiver", receiver({ after: "4s" })]
  ] as const)("Every weakened form of %s is less severe", (_, form) => {
    const weakerForms = milder([form])
    assert.isNotEmpty(weakerForms)
    for (const one of weakerForms) assert.isBelow(severityIn(one.left), severityIn([form]))
  })

  it("The least severe faults have no weaker form", () => {
    assert.isEmpty(left([receiver({ answers: 503 })]))
    assert.isEmpty(left([{ inject: { of: "scout", database: "40001" } }]))
  })

  it("Each behavior of a receiver can be removed separately", () => {
    const form: StepForm = {
      as: "operator",
      do: "setReceiver",
      input: { receiver: "hooks", next: [{ answers: 503 }, {}, { answers: 500 }] }
    }
    const nexts = withoutMishap([form]).map(({ left }) => left[0]?.input?.["next"])
    assert.deepStrictEqual(nexts, [[{}, {}, { answers: 500 }], [{ answers: 503 }]])
  })
})

describe("shortened spans of time", () => {
  it("Every candidate with other spans of time is shorter in total", () => {
    const failing = failingIn(read(race))
    if (failing === undefined) return assert.fail("no step says explore")
    const shorter = shorterTimes({ ...failing, slowness: 2000 })
    assert.isNotEmpty(shorter)
    for (const { left } of shorter) assert.isBelow(timeIn(left), timeIn({ ...failing, slowness: 2000 }))
  })
})

function receiver(visit: { readonly [key: string]: string | number }): StepForm {
  return { as: "operator", do: "setReceiver", input: { receiver: "hooks", next: [visit] } }
}
