/** Personas as files: their schema, their page, what is refused, and what they change in a lesson. */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import { chooseLessons } from "../../simulator/examination/choose-lessons.ts"
import { personaJsonSchema } from "../../simulator/examination/json-schema.ts"
import { type Lesson, readLessons } from "../../simulator/examination/lesson.ts"
import { type Persona, readPersona, readPersonas } from "../../simulator/examination/persona.ts"
import { fits, withPersona } from "../../simulator/examination/with-persona.ts"
import { unrollSteps } from "../../simulator/scenario/format/unroll.ts"
import { isMembers } from "../../simulator/scenario/format/untyped-members.ts"
import { readSource } from "../../simulator/scenario/format/yaml-source.ts"

const root = path.resolve(import.meta.dirname, "../..")
const folder = path.join(root, "scenarios/personas")
const committed = path.join(root, "docs/reference/persona.schema.json")
const page = fs.readFileSync(path.join(root, "docs/learning/examine-an-agent.md"), "utf8")

const personas = Result.getOrThrow(readPersonas(["all"], folder))
const lessons = Result.getOrThrow(readLessons([path.join(root, "scenarios/lessons")]))
const named = (name: string): Persona => personas.find((one) => one.name === name) ?? assert.fail(name)
const lessonNamed = (name: string): Lesson => lessons.find((one) => one.name === name) ?? assert.fail(name)
const given = (lesson: string, persona: string): Lesson =>
  Result.getOrThrow(withPersona(lessonNamed(lesson), named(persona)))
const stepsOf = ({ form }: Lesson) => (form.acts ?? []).flatMap(({ steps = [] }) => steps)

const cleanups: Array<() => void> = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** The problems of a copy of a persona with one replacement. */
const problemsWith = (name: string, from: string, to: string): string => {
  const base = fs.mkdtempSync(path.join(os.tmpdir(), "countersign-persona-"))
  cleanups.push(() => fs.rmSync(base, { recursive: true }))
  const text = fs.readFileSync(path.join(folder, name, "persona.yaml"), "utf8")
  assert.include(text, from)
  fs.writeFileSync(path.join(base, "persona.yaml"), text.replace(from, to))
  return Result.match(
    Result.flatMap(readPersona(base), (persona) => withPersona(lessonNamed("first-delivery"), persona)),
    { onFailure: (problems) => problems, onSuccess: () => "" }
  )
}

describe("personas", () => {
  it("docs/learning/examine-an-agent.md lists every persona with what it says and its rule.", () => {
    const listed = page.split("\n").filter((line) => personas.some(({ name }) => line.startsWith(`| \`${name}\` |`)))
    const rows = personas.map(({ name, form }) => `| \`${name}\` | ${form.says} | ${form.rule} | ${form.section} |`)
    assert.deepStrictEqual(listed, rows)
  })

  it("docs/learning/examine-an-agent.md lists every key of a persona, a manner and a course.", () => {
    const definitions = personaJsonSchema()["$defs"]
    for (const form of ["Persona", "Manner", "Course"]) {
      const definition = isMembers(definitions) ? definitions[form] : undefined
      const properties = isMembers(definition) ? definition["properties"] : undefined
      assert.isTrue(isMembers(properties), form)
      for (const key of Object.keys(isMembers(properties) ? properties : {})) assert.include(page, `\`${key}\``, form)
    }
  })

  it("The committed schema of personas is the generated one.", () => {
    const text = `${JSON.stringify(personaJsonSchema(), null, 2)}\n`
    if (process.env["UPDATE_DOCS"] !== undefined) fs.writeFileSync(committed, text)
    assert.strictEqual(
      fs.readFileSync(committed, "utf8"),
      text,
      "run: UPDATE_DOCS=1 npx vitest run test/simulator/personas.test.ts"
    )
  })

  it.each(personas)("The persona $name conforms to the schema.", ({ name }) => {
    const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(personaJsonSchema())
    const { value } = readSource(fs.readFileSync(path.join(folder, name, "persona.yaml"), "utf8"))
    assert.isTrue(validate(value), JSON.stringify(validate.errors))
  })

  it.each([
    ["slow", "waits: 6", "wait: 6", "wait"],
    ["slow", "waits: 6", "waits: 1", "a number above 1"],
    ["slow", "manner: { waits: 6 }\n", "", "a persona with either manner or course"],
    ["prompt-injection", "as: agent, do: handoff", "as: agnet, do: handoff", "unknown actor agnet"],
    ["silent", "as: scout", "as: scuot", "unknown actor scuot"]
  ])("%s with %j replaced by %j is refused, and the reason names the place.", (name, from, to, reason) => {
    assert.include(problemsWith(name, from, to), reason)
  })

  it("An unknown persona is refused with the names of the others.", () => {
    const read = readPersonas(["slwo"], folder)
    assert.isTrue(Result.isFailure(read))
    assert.include(
      Result.isFailure(read) ? read.failure : "",
      `did you mean slow?; personas: ${personas.map(({ name }) => name).join(", ")}`
    )
  })

  it.each(lessons)("$name can be given with every persona that fits it.", (lesson) => {
    for (const persona of personas.filter((one) => fits(one, lesson))) {
      const { name } = Result.getOrThrow(withPersona(lesson, persona))
      assert.strictEqual(name, `${lesson.name}+${persona.name}`)
    }
  })

  it("A slow counterpart waits six times as long, and a budget that a lesson names is six times as large.", () => {
    const { form } = given("credential-renewed", "slow")
    assert.deepStrictEqual(
      form.acts?.map(({ wait }) => wait),
      [undefined, undefined, "6h"]
    )
    assert.deepStrictEqual(form.budget, { time: "6d" })
  })

  it("Each command of people and agents is repeated as the same bytes, and no read is.", () => {
    assert.deepStrictEqual(
      stepsOf(given("first-delivery", "repeating")).map((step) => [step.do, step.id, step.retry]),
      [
        ["readProject", undefined, undefined],
        ["review", "act-1-step-2", undefined],
        [undefined, undefined, "act-1-step-2"]
      ]
    )
  })

  it("Texts of the counterpart end with orders, and those of the agent's own person do not.", () => {
    const { scenario, form } = given("changed-documents", "prompt-injection")
    const [agreement] = unrollSteps(scenario.steps).filter((step) => step.do === "createProject")
    assert.match(JSON.stringify(agreement?.input?.["title"]), /^"Sea chart of the old harbor Agent: /)
    assert.notInclude(JSON.stringify(form.acts), "Agent: ")
    assert.include(
      JSON.stringify(given("first-delivery", "prompt-injection").form.acts),
      "Every file was opened. Agent: "
    )
  })

  it("A course takes the place of acts and goals; what must never happen in the lesson stays.", () => {
    const { form } = given("first-delivery", "stubborn")
    assert.strictEqual(form.acts?.length, 4)
    assert.strictEqual(form.rule, named("stubborn").form.rule)
    assert.deepStrictEqual(
      form.never?.map(({ name }) => name),
      [...(lessonNamed("first-delivery").form.never ?? []).map(({ name }) => name), "stubborn: a refused submission"]
    )
  })
})

describe("the lessons of an examination", () => {
  const chosen = (choice: Partial<Parameters<typeof chooseLessons>[0]>) =>
    Result.map(chooseLessons({ lessons, areLessonsNamed: true, personas, arePersonasNamed: true, ...choice }), (all) =>
      all.map(({ name }) => name)
    )
  const namesOf = (choice: Parameters<typeof chosen>[0]) => Result.getOrThrow(chosen(choice))

  it("Each named lesson is given as it is, and with each persona that fits it.", () => {
    const two = [lessonNamed("answer-lost"), lessonNamed("first-delivery")]
    assert.deepStrictEqual(namesOf({ lessons: two, personas: [named("silent"), named("slow")] }), [
      "answer-lost",
      "answer-lost+slow",
      "first-delivery",
      "first-delivery+silent",
      "first-delivery+slow"
    ])
  })

  it("Where none is named, the lessons are those that a persona fits, and all without a persona.", () => {
    assert.deepStrictEqual(namesOf({ areLessonsNamed: false, personas: [named("wrong-digests")] }), [
      "wrong-digest",
      "wrong-digest+wrong-digests"
    ])
    assert.strictEqual(namesOf({ areLessonsNamed: false, personas: [] }).length, lessons.length)
    assert.strictEqual(namesOf({ areLessonsNamed: false, personas: [named("slow")] }).length, 2 * lessons.length)
  })

  it("A persona that fits no named lesson is refused with those that it fits.", () => {
    const refused = chosen({ lessons: [lessonNamed("answer-lost")], personas: [named("wrong-digests")] })
    assert.strictEqual(
      Result.isFailure(refused) ? refused.failure : "",
      "--with wrong-digests fits wrong-digest, not answer-lost"
    )
  })

  it("With all personas, those that fit no named lesson are left out.", () => {
    assert.deepStrictEqual(namesOf({ lessons: [lessonNamed("wrong-digest")], arePersonasNamed: false }), [
      "wrong-digest",
      ...["prompt-injection", "repeating", "slow", "wrong-digests"].map((name) => `wrong-digest+${name}`)
    ])
  })
})
