/** Coverage points that cannot be covered, each with its reason, from a file beside the scenarios. */
import { Result, Schema } from "effect"
import { parse, YAMLParseError } from "yaml"
import { sections, type CoveragePoint, type Section } from "./point.ts"

export interface Exception {
  readonly section: Section
  readonly name: string
  readonly reason: string
}

const Reason = Schema.String.check(Schema.isMinLength(1, { expected: "a reason" }))
const Form = Schema.NullOr(
  Schema.Record(Schema.Literals(sections), Schema.optionalKey(Schema.Record(Schema.String, Reason)))
)

const decode = Schema.decodeUnknownResult(Form, { errors: "all", onExcessProperty: "error" })

/** Reads sections of names with reasons; an unknown name is an error. */
export const readExceptions = (
  text: string,
  known: ReadonlyArray<CoveragePoint>
): Result.Result<ReadonlyArray<Exception>, string> => {
  const parsed = parseYaml(text)
  if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
  const decoded = decode(parsed.success)
  if (Result.isFailure(decoded)) return Result.fail(decoded.failure.message)
  const names = new Set(known.map(({ section, name }) => `${section}: ${name}`))
  const exceptions = sections.flatMap((section) =>
    Object.entries(decoded.success?.[section] ?? {}).map(([name, reason]): Exception => ({ section, name, reason }))
  )
  const unknown = exceptions.map(({ section, name }) => `${section}: ${name}`).filter((name) => !names.has(name))
  return unknown.length === 0
    ? Result.succeed(exceptions)
    : Result.fail(`unknown coverage points: ${unknown.join(", ")}`)
}

const parseYaml = (text: string): Result.Result<unknown, string> => {
  try {
    return Result.succeed(parse(text))
  } catch (error) {
    if (error instanceof YAMLParseError) return Result.fail(error.message)
    throw error
  }
}
