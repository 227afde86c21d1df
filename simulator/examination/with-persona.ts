/** A lesson with a persona: its acts are done in a manner, or a course takes their place. It is written as a lesson. */
import * as path from "node:path"
import { Result } from "effect"
import type { PropertyForm } from "../scenario/format/property-form.ts"
import { readScenario } from "../scenario/format/read.ts"
import { unrollSteps } from "../scenario/format/unroll.ts"
import { writeForm, writeScenario } from "../scenario/format/write.ts"
import { type Lesson, lessonFile, lessonIn, readLesson, worldFile } from "./lesson.ts"
import type { LessonForm } from "./lesson-form.ts"
import { inManner } from "./manner.ts"
import { type Persona, readPersona } from "./persona.ts"
import type { CourseForm } from "./persona-form.ts"

/** True for a manner, which every lesson can have, and for a course that names the lesson. */
export const fits = ({ form: { course } }: Persona, { folder }: Lesson): boolean =>
  course === undefined || course.lessons.includes(path.basename(folder))

export const withPersona = (lesson: Lesson, persona: Persona): Result.Result<Lesson, string> => {
  const { manner, course } = persona.form
  const { given } = lesson.scenario
  const acted = {
    form: course === undefined ? lesson.form : onCourse(lesson.form, course),
    steps: unrollSteps(lesson.scenario.steps)
  }
  const { form, steps } = manner === undefined ? acted : inManner(manner, given, acted)
  const name = `${lesson.name}+${persona.name}`
  const world = writeScenario(lesson.scenario, steps)
  const text = writeForm(withRule(form, persona), {
    heading: `The lesson ${lesson.name} with the persona ${persona.name}`
  })
  return Result.flatMap(readScenario(path.join(name, worldFile), world), (scenario) =>
    Result.map(lessonIn(path.join(name, lessonFile), text, scenario), (read) => ({
      ...read,
      folder: lesson.folder,
      persona
    }))
  )
}

/** The same lesson with the same persona, after a change of every file. */
export const reread = (
  { folder, persona }: Lesson,
  varied: (text: string) => string
): Result.Result<Lesson, string> => {
  const read = readLesson(folder, varied)
  return persona === undefined
    ? read
    : Result.flatMap(read, (lesson) =>
        Result.flatMap(readPersona(persona.folder, varied), (other) => withPersona(lesson, other))
      )
}

/** What always and never has to hold stays. */
const onCourse = (form: LessonForm, { acts, point = form.point, eventually, budget }: CourseForm): LessonForm => ({
  ...form,
  acts,
  point,
  eventually,
  ...(budget === undefined ? {} : { budget })
})

/** The rule and the conditions of a persona beside those of the lesson; those of a course in place of them. */
const withRule = (form: LessonForm, { name, form: persona }: Persona): LessonForm => {
  const beside = (own: string, other: string): string => (persona.course === undefined ? `${own} ${other}` : other)
  const named = (condition: PropertyForm): PropertyForm => ({ ...condition, name: `${name}: ${condition.name}` })
  const conditions = (kind: "always" | "never") => {
    const all = [...(form[kind] ?? []), ...(persona[kind] ?? []).map(named)].map(forAgent(form.agent))
    return all.length === 0 ? {} : { [kind]: all }
  }
  return {
    ...form,
    lesson: `${form.lesson}. ${persona.persona}`,
    section: persona.course === undefined ? `${form.section}, ${persona.section}` : persona.section,
    rule: beside(form.rule, persona.rule),
    hint: beside(form.hint, persona.hint),
    point: form.point.map(forAgent(form.agent)),
    eventually: form.eventually.map(forAgent(form.agent)),
    ...conditions("always"),
    ...conditions("never")
  }
}

/** The conditions of a persona name the agent under examination `agent`. */
const forAgent =
  (agent: string) =>
  (form: PropertyForm): PropertyForm => {
    const { answers, requests, tells } = form
    return {
      ...form,
      ...(answers?.as === placeholder ? { answers: { ...answers, as: agent } } : {}),
      ...(requests?.as === placeholder ? { requests: { ...requests, as: agent } } : {}),
      ...(tells?.as === placeholder ? { tells: { ...tells, as: agent } } : {})
    }
  }

const placeholder = "agent"
