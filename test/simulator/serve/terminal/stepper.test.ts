import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Result } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { readScript } from "../../../../simulator/scenario/files.ts"
import { readScenario } from "../../../../simulator/scenario/format/read.ts"
import { unrollSteps } from "../../../../simulator/scenario/format/unroll.ts"
import { Session } from "../../../../simulator/scenario/session.ts"
import { simulate } from "../../../../simulator/scenario/simulate.ts"
import { saveBranch } from "../../../../simulator/serve/terminal/save-branch.ts"
import { Stepper } from "../../../../simulator/serve/terminal/stepper.ts"
import { Walk } from "../../../../simulator/serve/terminal/walk.ts"

let folder = ""
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "countersign-stepping-"))))
afterAll(() => rmSync(folder, { recursive: true }))

const first = "scenarios/first-record/first-record/scenario.yaml"
const crashes = "scenarios/faults/worker-crash/scenario.yaml"

const read = (file: string) => Result.getOrThrow(readScript(file))

const startWalk = (file: string) => {
  const stepper = new Stepper(read(file), { file, text: readFileSync(file, "utf8") })
  return { stepper, type: (line: string) => stepper.answer(line).join("\n") }
}

/** The trace without the verdict, which a walk does not have. */
const stepsOf = (trace: string) => trace.split("\n").filter((line) => !line.includes('"kind":"verdict"'))

const replayed = (file: string) => {
  const { trace, verdict } = simulate(read(file), { file })
  return { verdict, steps: stepsOf(trace) }
}

const looping = `scenario: Again and again
given:
  organizations: { harbor: Harbor Museum }
  people: { dana: { name: Dana, member: { harbor: [DELEGATE] } } }
  agents: { scout: { for: dana, role: BUYER, actions: [] } }
  visitors: { iris: Iris }
steps:
  - for: { word: [one, two] }
    steps:
      - say: Now \${word}.
        as: iris
        send: { method: GET, path: "/\${word}" }
        expect: { status: 404 }
  - { use: part.yaml }
  - { use: part.yaml }
  - { as: iris, send: { method: GET, path: "/\${word}/\${harbor.id}" }, expect: { status: 404 } }
`
const part = "part: P\nsteps:\n  - { id: mine, as: scout, do: legalConfig }\n  - { retry: mine }\n"

describe("unrolled steps", () => {
  it.each([
    first,
    crashes,
    "scenarios/agents/lost-credential/scenario.yaml",
    "scenarios/proposals/withdrawn-before-response/scenario.yaml"
  ])("The unrolled steps of %s result in the same trace", (file) => {
    const scenario = read(file)
    const session = new Session(scenario)
    for (const form of unrollSteps(scenario.steps)) assert.isUndefined(session.do(form).ended)
    assert.deepStrictEqual(stepsOf(session.trace), replayed(file).steps)
  })

  it("Unrolled steps have the values of loop variables and unique ids", () => {
    const load = () => ({ file: "part.yaml", text: part })
    const scenario = readScenario("loops.yaml", looping, load)
    if (Result.isFailure(scenario)) return assert.fail(scenario.failure)
    const forms = unrollSteps(scenario.success.steps)
    assert.deepStrictEqual(
      forms.map(({ say, id, retry, send }) => say ?? id ?? retry ?? send?.path),
      ["Now one.", "Now two.", "mine", "mine", "mine-2", "mine-2", "/two/${harbor.id}"]
    )
    const session = new Session(scenario.success)
    for (const form of forms) assert.isUndefined(session.do(form).ended)
    const { trace } = simulate(scenario.success, { file: "loops.yaml" })
    assert.deepStrictEqual(stepsOf(session.trace.replace('"repeats":"mine-2"', '"repeats":"mine"')), stepsOf(trace))
  })
})

describe("interactive walk", () => {
  it("next, back and until move through the steps, and the prompt shows the position", () => {
    const { stepper, type } = startWalk(first)
    assert.strictEqual(stepper.prompt, "main, step 0 of 17, 2026-03-02 09:00:00 > ")
    assert.strictEqual(stepper.greeting[1], `${first}, seed 1, now 2026-03-02 09:00:00`)
    const output = type("next")
    assert.include(output, "2026-03-02 09:00:00  dana     grantAgent")
    assert.include(output, "+ authority_events, grants, credentials, request_keys")
    assert.match(type("until LOCKED"), /respond +200 LOCKED\n *projects delivery_.*: state AWAITING_SUPPLIER → LOCKED/)
    assert.include(stepper.prompt, "step 7 of 17")
    type("back 3")
    assert.include(stepper.prompt, "step 4 of 17")
    assert.match(type("next 3"), /respond +200 LOCKED/)
    type("until 2026-03-16")
    assert.strictEqual(stepper.prompt, "main, step 8 of 17, 2026-03-16 09:00:00 > ")
    type("until FORBIDDEN_AGENT_ACTION")
    assert.include(type("show response"), "scout: 403")
    type("until 17")
    assert.include(stepper.prompt, "step 17 of 17")
    assert.isUndefined(stepper.ended)
    assert.include(type("next"), "no next step; do … adds one")
  })

  it("A refused command names the correction", () => {
    const { type } = startWalk(first)
    assert.strictEqual(type("netx"), "unknown command netx; did you mean next?; help lists the commands")
    assert.include(type("back"), "no step was executed yet; next runs the first one")
    assert.include(type("until LOKED"), "did you mean until LOCKED?")
    assert.include(type("until 18"), "the scenario has 17 steps; give a number from 1 to 17")
    assert.include(type("next x"), "takes a number of steps: next 3")
    assert.include(type("switch mian"), "unknown branch mian; did you mean main?")
    assert.include(type("rows projcts"), "did you mean projects?")
    assert.include(type("show trase"), "did you mean trace?")
    assert.include(type("do { as: dana"), "invalid YAML")
    const bad = type("do { id: x, as: dnaa, do: sgnIn }")
    assert.include(bad, "do: unknown operation sgnIn; did you mean signIn?")
    assert.include(bad, "as: unknown actor dnaa; did you mean dana?")
    assert.include(type("do { id: x, as: dana, do: signIn }"), "signIn", "the refused step did not take the id")
  })

  it("do inserts steps before the next ones, and a failed step blocks the walk until it is undone", () => {
    const { stepper, type } = startWalk(first)
    type("next 7")
    type("do as: scout, do: legalConfig")
    assert.include(stepper.prompt, "step 8 of 18")
    type("do { advance: 60d }")
    const wrong = type("next 10")
    assert.include(wrong, "unexpected response")
    assert.include(wrong, "first-record/first-record/scenario.yaml:")
    assert.strictEqual(stepper.ended?.verdict, "FAILED")
    const there = stepper.prompt
    assert.include(type("next"), "back returns to before it")
    assert.include(type("do { advance: 1h }"), "back returns to before it")
    assert.strictEqual(stepper.prompt, there)
    type("back 3")
    assert.isUndefined(stepper.ended)
    assert.include(type("show steps"), "{ advance: 60d }")
    assert.include(type("drop 1"), "1 step discarded, 10 left")
    type("until 18")
    assert.isUndefined(stepper.ended)
  })

  it("show and rows print requests, trace, names and rows, redacted", () => {
    const { stepper, type } = startWalk(first)
    type("next 3")
    type("do { as: dana, do: signIn }")
    type("until LOCKED")
    assert.include(type("show request"), "courier: POST /api/agents/v1/projects/delivery_")
    const events = type("show events").split("\n")
    assert.strictEqual(events[0], "  2026-03-02 09:00:00  courier  step 8 courier respond")
    assert.include(events, "  2026-03-02 09:00:00  courier  200 LOCKED to respond")
    assert.include(stepper.completions("show "), "show events")
    const trace = type("show trace").split("\n")
    assert.include(trace[0], '"kind":"step"')
    assert.include(trace.at(-1), '"kind":"expectation"')
    assert.match(type("show names"), /project: delivery_/)
    assert.match(type("show state"), /eventCount: 1 → 2/)
    assert.include(type("rows"), "projects: 1")
    assert.strictEqual(type("rows projects").split("\n").length, 1)
    type("back 99")
    type("back 8")
    type("next")
    assert.include(type("show response"), "{token of scout}")
    assert.include(stepper.prompt, "step 1 of 18")
  })

  it("A refused command is recorded, except after a failed step", () => {
    const after = (...lines: ReadonlyArray<string>) => {
      const { stepper, type } = startWalk(first)
      for (const line of lines) type(line)
      return stepper.hasRefused
    }
    assert.isFalse(after("next 7", "until 8", "choose", "# words", "", "show trace"))
    assert.isFalse(after("do { advance: 60d }", "next 99", "next"))
    assert.isTrue(after("netx"))
    assert.isTrue(after("next", "save walked.yml"))
    assert.isTrue(after("until SIGN_IN_FAILED"))
    assert.isTrue(after("do { as: nobody, do: me }"))
  })

  it("Branches are separate worlds", () => {
    const { stepper, type } = startWalk(first)
    type("next 7")
    type("branch later")
    type("do { advance: 60d }")
    assert.strictEqual(
      type("branches"),
      "  main: step 7 of 17, 2026-03-02 09:00:00\n* later: step 8 of 18, 2026-05-01 09:00:00"
    )
    assert.include(type("branch main"), "branch main already exists")
    type("switch main")
    type("until 17")
    assert.isUndefined(stepper.ended)
    type("switch later")
    assert.include(type("next 5"), "unexpected response")
    assert.deepStrictEqual(stepper.completions("switch l"), ["switch later"])
    assert.deepStrictEqual(stepper.completions("ba"), ["back"])
  })

  it("choose sets the schedule of the next step, one choice point after the other", () => {
    const { stepper, type } = startWalk(crashes)
    type("until 2026-10-05T09:00:29.999Z")
    type("next")
    const output = type("choose")
    assert.match(
      output,
      /^choice 1 of \d+: which goes first\?\n {2}1 {2}worker-2:timer\n {2}2 {2}worker-2:timer#2\n {2}3 {2}world:timer\n/
    )
    assert.include(type("choose world:timr"), "did you mean world:timer?")
    assert.match(type("choose 3"), /^chosen: world:timer\nchoice 2 of/)
    assert.match(type("choose worker-2:timer#2"), /^chosen: world:timer, then worker-2:timer#2\n/)
    assert.match(type("next"), /advance/)
    assert.include(type("show trace"), '"chosen":"world:timer"')
    assert.isUndefined(stepper.ended)
    type("back")
    assert.match(type("choose nothing"), /^choices cleared\nchoice 1 of/)
    type("next")
    assert.notInclude(type("show trace"), '"kind":"choice"')
  })

  it("save writes a scenario with the same trace, and does not overwrite a file", () => {
    const text = readFileSync(crashes, "utf8").replace("  - { as: sam, do: signIn }", "  # Sam is in, too.\n$&")
    const file = join(folder, "commented.yaml")
    writeFileSync(file, `# What this is.\n${text}`)
    const { stepper, type } = startWalk(file)
    assert.include(type(`save ${join(folder, "none.yaml")}`), "no executed steps")
    type("until 2026-10-05T09:00:29.999Z")
    type("next")
    type("choose 3")
    type("next")
    type("say And so on.")
    type("do { advance: 2h }")
    const saved = join(folder, "saved.yaml")
    assert.include(type(`save ${saved}`), "steps saved in")
    const written = readFileSync(saved, "utf8")
    assert.match(
      written,
      /^# What this is\.\n# Branch main of .*commented\.yaml, \d+ steps\.\nscenario: A worker crashes\n/
    )
    assert.include(written, "  # Sam is in, too.\n  - { as: sam, do: signIn }\n")
    assert.include(written, "choose: [world:timer]")
    const again = startWalk(saved)
    again.type("next 999")
    assert.isUndefined(again.stepper.ended)
    assert.strictEqual(again.stepper.prompt.split(",")[2], stepper.prompt.split(",")[2])
    assert.include(type(`save ${saved}`), "already exists; save! ")
    assert.strictEqual(readFileSync(saved, "utf8"), written)
    type("back")
    assert.include(type(`save! ${saved}`), "steps saved")
    assert.notStrictEqual(readFileSync(saved, "utf8"), written)
    assert.include(type("save here.txt"), "ends with .yaml: save here.txt.yaml")
    type("quit")
    assert.isTrue(stepper.hasQuit)
  })

  it.each([crashes, "scenarios/agreements/concern/scenario.yaml"])(
    "A saved walk of %s replays with the same bytes",
    (file) => {
      const walk = new Walk(read(file))
      const isAtAdvance = () => walk.branch.future[0]?.step.kind === "advance"
      while (!isAtAdvance()) assert.isUndefined(walk.next()?.ended)
      walk.choose(
        walk
          .rehearse()
          .choices.slice(0, 1)
          .map(({ options }) => options.at(-1) ?? "")
      )
      assert.isUndefined(walk.next()?.ended)
      walk.do({ advance: "90m" })
      walk.back(2)
      walk.next()
      walk.next()
      const saved = join(folder, "walked.yaml")
      Result.getOrThrow(saveBranch(saved, true, walk.branch, { file, text: "" }))
      const { verdict, steps } = replayed(saved)
      assert.strictEqual(verdict, "PASSED")
      assert.deepStrictEqual(steps, stepsOf(walk.branch.world.trace))
    }
  )
})
