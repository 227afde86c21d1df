/** `simulate exam`: how an agent is chosen, and what is refused before a lesson begins. */
import { assert, describe, it } from "vitest"
import { runSimulate } from "../../support/run-simulator.ts"

const lessonFolder = (name: string): string => `scenarios/lessons/${name}`

describe("the agent of simulate exam", () => {
  it.each([
    { agent: "neither --command nor --attach", flags: [] },
    { agent: "both --command and --attach", flags: ["--command", "true", "--attach"] }
  ])("An examination with $agent is refused.", async ({ flags }) => {
    const { status, stderr } = await runSimulate(["exam", lessonFolder("answer-lost"), ...flags])
    assert.deepStrictEqual([status, stderr.trim()], [2, "Give either --command or --attach"])
  })

  it("A lesson that restarts the agent is not given to an attached agent.", async () => {
    const { status, stdout, stderr } = await runSimulate(["exam", lessonFolder("process-ended"), "--attach"])
    assert.include(stdout, "process-ended is left out: it restarts the agent, which --attach cannot")
    assert.deepStrictEqual([status, stderr.trim()], [2, "No lesson is left"])
  })

  it("A signed result of an attached agent needs the agent's name.", async () => {
    const signing = ["--sign", "package.json", "--result", "result.jws"]
    const { status, stderr } = await runSimulate(["exam", lessonFolder("answer-lost"), "--attach", ...signing])
    assert.deepStrictEqual([status, stderr.trim()], [2, "--result with --attach needs --agent-name"])
  })

  it("An attached agent that sends nothing gets its variables, and the verdict UNKNOWN.", async () => {
    const { status, stdout } = await runSimulate(["exam", lessonFolder("answer-lost"), "--attach", "--silence", "1"])
    const printed = ["# answer-lost: ", "export COUNTERSIGN_TASK='{", "# Waiting for requests of courier", "UNKNOWN"]
    for (const words of printed) assert.include(stdout, words)
    assert.strictEqual(status, 4)
  })
})
