/** Work that never ends or belongs to an ended process: it is reported, and nothing waits forever. */
import { Cause, Effect, Exit } from "effect"
import { assert, describe, it } from "vitest"
import { VirtualScheduler } from "../../../../simulator/kernel/scheduler.ts"
import { Session } from "../../../../simulator/scenario/session.ts"
import { Storage } from "../../../../src/ports/storage.ts"
import { agreementPart, runSteps, scenarioOf, observationsOf } from "../../../support/short-scenarios.ts"

const withWorker = "{ worker: [CONNECTIONS] }"

describe("endless waits", () => {
  it("A fiber that waits forever is a deadlock although another one keeps waking", () => {
    const scheduler = new VirtualScheduler({ seed: 1, startsAt: 0 })
    scheduler.setHorizon(10_000)
    // Bounded, so that a scheduler without a horizon ends too.
    const beside = Effect.forEach(Array.from({ length: 100 }), () => Effect.sleep(1000), { discard: true })
    const exit = scheduler.run(Effect.andThen(Effect.forkDetach(beside), Effect.never))
    assert.isTrue(Exit.isFailure(exit))
    assert.include(Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "", "deadlock")
    assert.strictEqual(scheduler.now, 10_000)
  })

  it("An outside response without a pending request makes a scenario unusable", () => {
    const simulated = runSteps(
      agreementPart,
      `  - { as: operator, do: attachProgram, input: { receiver: hooks } }
  - advance: 1s
    outside: [{ receiver: hooks, answers: 204 }]`,
      "{ receivers: { hooks: { host: hooks.example.com } }, worker: [CONNECTIONS] }"
    )
    assert.strictEqual(simulated.verdict, "UNUSABLE", simulated.story)
    assert.include(simulated.story, "without waiting for an external program")
  })

  it.each(["{}", withWorker])("A nested transaction is a StorageMisuse and no deadlock (given %s)", (given) => {
    const { scheduler, context } = new Session(scenarioOf(agreementPart, "  - { say: Nothing. }", given))
    scheduler.setHorizon(scheduler.now + 60_000)
    const nested = Effect.gen(function* () {
      const storage = yield* Storage
      return yield* storage.transaction({ locks: [] }, () => storage.view(() => Effect.void))
    })
    const exit = scheduler.run(context.world.act("dana", nested))
    const [error] = Exit.isFailure(exit) ? Cause.prettyErrors(exit.cause) : []
    assert.strictEqual(error?.name, "StorageMisuse")
  })

  it("Two waiting steps do not wake each other forever", () => {
    let asked = 0
    const simulated = runSteps(
      agreementPart,
      `  - together:
      - { as: scout, do: me, expect: { body: { never: true } }, within: 1s }
      - { as: courier, do: me, expect: { body: { never: true } }, within: 1s }`,
      "{}",
      {
        onResult: () => {
          asked += 1
          if (asked > 100) throw new RangeError("the steps wake each other forever")
        }
      }
    )
    assert.strictEqual(simulated.verdict, "FAILED", simulated.story)
    assert.include(simulated.story, "unexpected response")
    assert.strictEqual(simulated.observations.at(-1)?.at, "2026-11-02T09:00:01.000Z")
  })
})

const grant = (as: string, agent: string, more = "") =>
  `- { as: ${as}, do: grantAgent, input: { agent: ${agent}, role: BUYER, actions: [CREATE_PROJECT] }${more} }`

const ola = "{ people: { ola: { name: Ola, member: { harbor: [DELEGATE, AGREEMENT_CREATE] } } } }"

const signedIn = `  - { as: dana, do: signIn }
  - { as: ola, do: signIn }`

describe("ended processes", () => {
  /** The process of a held request ends during the meanwhile steps, and two steps follow. */
  const endsMeanwhile = (status: number) =>
    runSteps(
      agreementPart,
      `${signedIn}
  - as: dana
    do: grantAgent
    input: { agent: one, role: BUYER, actions: [CREATE_PROJECT] }
    meanwhile:
      ${grant("ola", "two", ", inject: { crash: after-commit }")}
      - advance: 1s
      ${grant("ola", "three", `, expect: { status: ${status} }`)}`,
      ola
    )

  it("Interleaved steps run and are judged after the process of the held request ended", () => {
    const right = endsMeanwhile(201)
    assert.strictEqual(right.verdict, "PASSED", right.story)
    const answered = observationsOf(right, "response").filter(({ actor, status }) => actor === "ola" && status === 201)
    assert.strictEqual(answered.length, 1)
    const wrong = endsMeanwhile(418)
    assert.strictEqual(wrong.verdict, "FAILED", wrong.story)
  })

  it("Timers of an ended process are not options", () => {
    const simulated = runSteps(
      agreementPart,
      `  - { as: operator, do: crashWorker }
  - { as: operator, do: startWorker }
  - advance: 20s
    choose: ["worker:timer"]`,
      withWorker
    )
    assert.strictEqual(simulated.verdict, "UNUSABLE", simulated.story)
    assert.include(simulated.story, "worker:timer")
    assert.notInclude(
      observationsOf(simulated, "choice").flatMap(({ options }) => options),
      "worker:timer"
    )
  })

  it("Requests of an ended process are not options", () => {
    const three = ["dana", "ola", "pia"]
    const simulated = runSteps(
      agreementPart,
      `${signedIn}
  - { as: pia, do: signIn }
  - together:
      ${three.map((as) => grant(as, `of-${as}`, as === "dana" ? ", inject: { crash: after-commit }" : "")).join("\n      ")}`,
      ola.replace("people: {", "people: { pia: { name: Pia, member: { harbor: [DELEGATE, AGREEMENT_CREATE] } },")
    )
    assert.strictEqual(simulated.verdict, "PASSED", simulated.story)
    const crashed = simulated.observations.findIndex(({ kind }) => kind === "process")
    assert.isAbove(crashed, 0)
    const later = simulated.observations.slice(crashed)
    assert.deepStrictEqual(observationsOf({ ...simulated, observations: later }, "choice"), [])
  })
})
