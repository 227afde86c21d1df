import { Result } from "effect"
import { assert, describe, it } from "vitest"
import { checkMinimality, minimizeFinding } from "../../../simulator/search/findings/minimize-script.ts"
import { replayScript } from "../../../simulator/search/findings/replay-script.ts"
import { violatedPropertyIn } from "../../../simulator/search/findings/finding-scenario.ts"
import { failingRunIn } from "../../../simulator/search/minimize/failing-run.ts"
import { countSteps } from "../../../simulator/search/minimize/fewer-steps.ts"
import { weakenFaults, totalSeverity, withoutFault } from "../../../simulator/search/minimize/weaken-faults.ts"
import { shorterTimes, totalTime } from "../../../simulator/search/minimize/shorter-times.ts"
import type { StepForm } from "../../../simulator/scenario/format/scenario-form.ts"
import { searchRace, noAnswerIsLost, neverRefused, race, read } from "./race-script.ts"

const checks = { properties: [neverRefused], probes: [] }

describe("minimized finding", () => {
  const { root, found } = searchRace(race, [neverRefused])
  const shrunk = minimizeFinding(root, found, checks)
  const text = shrunk?.text ?? ""

  it("Minimization keeps only the racing steps and their setup", () => {
    const failing = failingRunIn(read(text))
    assert.deepStrictEqual(failing?.before, [{ as: "dana", do: "signIn" }])
    assert.strictEqual(countSteps(failing?.rest ?? []), 3)
    assert.isTrue(shrunk?.isMinimal)
    assert.isAtMost(shrunk?.made.length ?? 99, found.schedule.choices.length)
  })

  it("A minimized finding is saved with its property and explanation, and reproduces", () => {
    assert.strictEqual(violatedPropertyIn(text), neverRefused.name)
    const why = "Dana's revokeGrant was answered with 200. After that, scout's me was refused with AUTH_INVALID."
    assert.include(read(text).say ?? "", why)
    const replayed = Result.getOrThrow(replayScript("found.yaml", read(text), checks))
    assert.strictEqual(replayed.ended, "REPRODUCES")
  })

  it("Every element of a minimized finding is necessary", () => {
    const checked = Result.getOrThrow(checkMinimality("found.yaml", read(text), checks))
    assert.isAbove(checked.removals.length, 3)
    assert.deepStrictEqual(
      checked.removals.filter(({ stillFails }) => stillFails),
      []
    )
  })

  it("The minimality check reports an unnecessary element", () => {
    const longer = text.replace("steps:\n", "steps:\n  - { advance: 1m }\n")
    const checked = Result.getOrThrow(checkMinimality("found.yaml", read(longer), checks))
    assert.isTrue(checked.removals.some(({ stillFails }) => stillFails))
  })
})

describe("faults of a finding", () => {
  it("Minimization keeps only the faults that the violation needs", () => {
    const { root, found } = searchRace(race, [noAnswerIsLost])
    const text = minimizeFinding(root, found, { properties: [noAnswerIsLost], probes: [] })?.text ?? ""
    const forms = failingRunIn(read(text))?.rest ?? []
    assert.deepStrictEqual(forms, [{ inject: { of: "scout", lost: "answer" } }, { as: "scout", do: "me" }])
  })
})

describe("weakened faults", () => {
  const left = (forms: ReadonlyArray<StepForm>) => weakenFaults(forms).map((one) => one.left[0])

  it.each([
    ["a crash", { inject: { of: "scout", crash: "after-commit", skip: 2 } }],
    ["a lost answer of the database", { inject: { of: "scout", database: "commit-lost-unknown" } }],
    ["a receiver without an answer", receiver({ answers: "NOTHING" })],
    ["a slow receiver", receiver({ after: "4s" })]
  ] as const)("Every weakened form of %s is less severe", (_, form) => {
    const weakerForms = weakenFaults([form])
    assert.isNotEmpty(weakerForms)
    for (const one of weakerForms) assert.isBelow(totalSeverity(one.left), totalSeverity([form]))
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
    const nexts = withoutFault([form]).map(({ left }) => left[0]?.input?.["next"])
    assert.deepStrictEqual(nexts, [[{}, {}, { answers: 500 }], [{ answers: 503 }]])
  })
})

describe("shortened spans of time", () => {
  it("Every candidate with other spans of time is shorter in total", () => {
    const failing = failingRunIn(read(race))
    if (failing === undefined) return assert.fail("no step says explore")
    const shorter = shorterTimes({ ...failing, slowness: 2000 })
    assert.isNotEmpty(shorter)
    for (const { left } of shorter) assert.isBelow(totalTime(left), totalTime({ ...failing, slowness: 2000 }))
  })
})

function receiver(visit: { readonly [key: string]: string | number }): StepForm {
  return { as: "operator", do: "setReceiver", input: { receiver: "hooks", next: [visit] } }
}
