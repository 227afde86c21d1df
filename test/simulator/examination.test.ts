/** Lessons as files: their schema, their page, and what is refused. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import { type Judgement, type LessonEnd, verdictOf } from "../../simulator/examination/judge.ts"
import { lessonJsonSchema } from "../../simulator/examination/json-schema.ts"
import { readLessons } from "../../simulator/examination/lesson.ts"
import { isMembers } from "../../simulator/scenario/format/untyped-members.ts"
import { readSource } from "../../simulator/scenario/format/yaml-source.ts"

const root = path.resolve(import.meta.dirname, "../..")
const folder = path.join(root, "scenarios/lessons")
const committed = path.join(root, "docs/reference/lesson.schema.json")
const names = fs.readdirSync(folder)

const cleanups: Array<() => void> = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** A copy of a lesson with one replacement, below a folder that has the parts of scenarios. */
const changed = (from: string, to: string): string => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-lesson-"))
  cleanups.push(() => fs.rmSync(base, { recursive: true, force: true }))
  fs.symlinkSync(path.join(root, "scenarios/parts"), path.join(base, "parts"))
  const lesson = path.join(base, "lessons/answer-lost")
  fs.cpSync(path.join(folder, "answer-lost"), lesson, { recursive: true })
  const file = path.join(lesson, "lesson.yaml")
  const text = fs.readFileSync(file, "utf8")
  assert.include(text, from)
  fs.writeFileSync(file, text.replace(from, to))
  return lesson
}

const problemsOf = (lesson: string): string =>
  Result.match(readLessons([lesson]), { onFailure: (problems) => problems, onSuccess: () => "" })

describe("the verdict of a lesson", () => {
  const condition = { label: "a condition", words: "it does not hold", observed: 1 }
  const held: Judgement = { safety: [], progress: [], cameToPoint: true }
  const over: LessonEnd = { hasFailed: false, isBroken: false, isTimedOut: false }
  const unreached = { progress: [condition] }

  it.each<[string, Partial<Judgement>, Partial<LessonEnd>, string]>([
    ["everything was reached and nothing was broken", {}, {}, "PASS"],
    ["everything was reached, and the agent ended with an error", {}, { hasFailed: true }, "PASS"],
    ["everything was reached, and the agent then hung", {}, { isTimedOut: true }, "PASS"],
    ["a rule was broken", { safety: [condition] }, {}, "FAIL"],
    ["a rule was broken before an act of the lesson failed", { safety: [condition] }, { isBroken: true }, "FAIL"],
    ["it reached the point and did not go on", unreached, {}, "FAIL"],
    ["it reached the point and ended with an error", unreached, { hasFailed: true }, "FAIL"],
    ["it reached the point and hung", unreached, { isTimedOut: true }, "UNKNOWN"],
    ["an act of the lesson failed", unreached, { isBroken: true }, "ERROR"],
    [
      "a rule was broken after an answer that came too late",
      { safety: [condition] },
      { isAnswerLate: true },
      "UNKNOWN"
    ],
    ["it did not go on after an answer that came too late", unreached, { isAnswerLate: true }, "UNKNOWN"],
    ["everything was reached in spite of an answer that came too late", {}, { isAnswerLate: true }, "PASS"],
    ["it never reached the point", { cameToPoint: false }, {}, "UNKNOWN"],
    ["it never reached the point and ended with an error", { cameToPoint: false }, { hasFailed: true }, "ERROR"]
  ])("If %s, it is as documented.", (_, judgement, end, verdict) => {
    assert.strictEqual(verdictOf({ ...held, ...judgement }, { ...over, ...end }), verdict)
  })
})

describe("lessons", () => {
  it("docs/learning/examine-an-agent.md lists every lesson with its rule and its sections.", () => {
    const page = fs.readFileSync(path.join(root, "docs/learning/examine-an-agent.md"), "utf8")
    const listed = page.split("\n").filter((line) => names.some((name) => line.startsWith(`| \`${name}\` |`)))
    assert.deepStrictEqual(
      listed,
      Result.getOrThrow(readLessons([folder])).map(
        ({ name, form }) => `| \`${name}\` | ${form.rule} | ${form.section} |`
      )
    )
  })

  it("The committed schema of lessons is the generated one.", () => {
    const text = `${JSON.stringify(lessonJsonSchema(), null, 2)}\n`
    if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(committed, text)
    assert.strictEqual(
      fs.readFileSync(committed, "utf8"),
      text,
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/examination.test.ts"
    )
  })

  it.each(names)("The lesson %s can be read, and conforms to the schema.", (name) => {
    assert.strictEqual(problemsOf(path.join(folder, name)), "")
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(lessonJsonSchema())
    const { value } = readSource(fs.readFileSync(path.join(folder, name, "lesson.yaml"), "utf8"))
    assert.isTrue(validate(value), JSON.stringify(validate.errors))
  })

  it.each([
    ["agent: courier", "agent: 7", "lesson.yaml:5:8"],
    ["to: submit", "to: submti", "did you mean submit"],
    ["{ kind: SUBMIT }, least: 1", "{ knd: SUBMIT }, least: 1", "knd"],
    ["requests: { as: courier", "requests: { as: corier", "unknown actor corier"],
    ["do: readProject", "do: raedProject", "raedProject"],
    ["eventually:", "eventualy:", "eventualy"],
    [
      "  - steps:\n      - { inject: { of: courier, lost: answer, to: submit } }\n",
      "  - wait: 1h\n",
      "an act needs steps, or restarts"
    ]
  ])("A lesson with %s replaced by %s is refused with the place and the reason.", (from, to, reason) => {
    assert.include(problemsOf(changed(from, to)), reason)
  })

  it("docs/learning/examine-an-agent.md lists every key of a lesson and of an act.", () => {
    const page = fs.readFileSync(path.join(root, "docs/learning/examine-an-agent.md"), "utf8")
    const definitions = lessonJsonSchema()["$defs"]
    for (const form of ["Lesson", "Act", "Task", "Budget"]) {
      const definition = isMembers(definitions) ? definitions[form] : undefined
      const properties = isMembers(definition) ? definition["properties"] : undefined
      assert.isTrue(isMembers(properties), form)
      for (const key of Object.keys(isMembers(properties) ? properties : {})) assert.include(page, `\`${key}\``, form)
    }
  })
})
