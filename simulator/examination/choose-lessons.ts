/** Which lessons an examination gives: each as it is, and with each persona that fits it. */
import * as path from "node:path"
import { Result } from "effect"
import type { Lesson } from "./lesson.ts"
import type { Persona } from "./persona.ts"
import { fits, withPersona } from "./with-persona.ts"

interface Choice {
  readonly lessons: ReadonlyArray<Lesson>
  /** False where no lesson is named: then only lessons that a persona fits are given with personas. */
  readonly areLessonsNamed: boolean
  readonly personas: ReadonlyArray<Persona>
  /** False for all personas: then those that fit no lesson are left out. */
  readonly arePersonasNamed: boolean
}

export const chooseLessons = ({
  lessons,
  areLessonsNamed,
  personas,
  arePersonasNamed
}: Choice): Result.Result<ReadonlyArray<Lesson>, string> => {
  const unfit = personas.find((persona) => !lessons.some((lesson) => fits(persona, lesson)))
  if (unfit !== undefined && arePersonasNamed) return Result.fail(noneFits(unfit, lessons))
  const chosen = lessons.flatMap((lesson) => {
    const fitting = personas.filter((persona) => fits(persona, lesson))
    if (!areLessonsNamed && personas.length > 0 && fitting.length === 0) return []
    return [Result.succeed(lesson), ...fitting.map((persona) => withPersona(lesson, persona))]
  })
  return Result.all(chosen)
}

const noneFits = ({ name, form }: Persona, lessons: ReadonlyArray<Lesson>): string => {
  const given = lessons.map(({ folder }) => path.basename(folder)).join(", ")
  return `--with ${name} fits ${(form.course?.lessons ?? []).join(", ")}, not ${given}`
}
