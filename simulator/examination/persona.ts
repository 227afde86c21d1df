/** Reads a persona: a scripted counterpart with which lessons are given, in a folder with `persona.yaml`. */
import * as path from "node:path"
import { Result, Schema } from "effect"
import { didYouMean } from "../../src/vocabulary/suggest.ts"
import { readText } from "../scenario/files.ts"
import { renderProblems } from "../scenario/format/problem.ts"
import { problemsOfIssue } from "../scenario/format/schema-problems.ts"
import { readSource } from "../scenario/format/yaml-source.ts"
import { foldersWith } from "./lesson.ts"
import { PersonaForm } from "./persona-form.ts"

export interface Persona {
  /** The name of its folder. */
  readonly name: string
  readonly folder: string
  readonly form: PersonaForm
}

const personaFile = "persona.yaml"

/** `varied` changes the text of the file. */
export const readPersona = (
  folder: string,
  varied: (text: string) => string = (text) => text
): Result.Result<Persona, string> => {
  const file = path.join(folder, personaFile)
  return Result.flatMap(readText(file), (text) =>
    Result.map(formIn(file, varied(text)), (form) => ({ name: path.basename(folder), folder, form }))
  )
}

const formIn = (file: string, text: string): Result.Result<PersonaForm, string> => {
  const source = readSource(text)
  if (source.problems.length > 0) return Result.fail(renderProblems(file, text, source.problems))
  return Result.mapError(
    Schema.decodeUnknownResult(PersonaForm)(source.value, { errors: "all", onExcessProperty: "error" }),
    ({ issue }) => renderProblems(file, text, problemsOfIssue(issue, source.value).map(source.place))
  )
}

/** The personas with these names below a folder, or in folders of their own; `all` names all below it. */
export const readPersonas = (
  names: ReadonlyArray<string>,
  shipped: string
): Result.Result<ReadonlyArray<Persona>, string> => {
  const below = foldersWith(personaFile, shipped)
  const known = below.map((folder) => path.basename(folder))
  const foldersOf = (name: string): ReadonlyArray<string> => {
    if (name === "all") return below
    return known.includes(name) ? [path.join(shipped, name)] : foldersWith(personaFile, name)
  }
  const unknown = names.find((name) => foldersOf(name).length === 0)
  if (unknown !== undefined) {
    return Result.fail(`unknown persona ${unknown}${didYouMean(unknown, known)}; personas: ${known.join(", ")}`)
  }
  return Result.all([...new Set(names.flatMap(foldersOf))].map((folder) => readPersona(folder)))
}
