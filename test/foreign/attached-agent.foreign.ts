/** An agent that takes part in an examination from a shell of its own. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { afterEach, assert, it } from "vitest"
import { node } from "../support/server.ts"

const root = path.resolve(import.meta.dirname, "../..")
const lessons = ["first-delivery", "answer-lost"]

const cleanups: Array<() => unknown> = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

const start = (command: string, parameters: ReadonlyArray<string>) => {
  const child = spawn(command, parameters, { cwd: root, stdio: ["ignore", "pipe", "inherit"] })
  cleanups.push(() => child.kill())
  return child
}

/** Sources the printed lines, runs the agent, and takes it out of the examination. */
const takeLesson = async (lines: string): Promise<void> => {
  const agent = `${lines}\npython3 test/simulator/agent.py > /dev/null && curl -fsS -X DELETE "$COUNTERSIGN_CLOCK"`
  const [code] = (await once(start("bash", ["-euc", agent]), "close")) as [number]
  assert.strictEqual(code, 0)
}

it("An attached agent passes lessons with the printed lines, which a shell can source.", async () => {
  const folders = lessons.map((name) => `scenarios/lessons/${name}`)
  const saved = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-attached-"))
  cleanups.push(() => fs.rmSync(saved, { recursive: true }))
  const exam = start(node, ["simulator/main.ts", "exam", ...folders, "--attach", "--save", saved])
  const ended = once(exam, "close") as Promise<[number]>
  let printed = ""
  const taken: Array<Promise<void>> = []
  exam.stdout.on("data", (chunk: Buffer) => {
    printed += String(chunk)
    const blocks = [...printed.matchAll(/^# [^\n]*\n(?:(?:export|unset) [^\n]*\n)+# Waiting for [^\n]*\n/gm)]
    for (const [lines] of blocks.slice(taken.length)) taken.push(takeLesson(lines))
  })
  const [code] = await ended
  await Promise.all(taken)
  assert.strictEqual(code, 0, printed)
  assert.deepStrictEqual(
    [...printed.matchAll(/^PASS +([a-z-]+):/gm)].map(([, name]) => name),
    lessons
  )
  for (const name of lessons) {
    const run = JSON.parse(fs.readFileSync(path.join(saved, name, "run.json"), "utf8")) as { readonly ended: string }
    assert.strictEqual(run.ended, "the agent no longer takes part")
  }
})
