/** Reads what a form sent: within its bounds, then by the schema of its page, with every problem at its field. */
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Load } from "../http/load.ts"
import { type BodyBounds, readBody } from "../http/read-body.ts"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse, type Refused } from "../vocabulary/refusals.ts"
import { formTokenName, type FormState, type Problem } from "./fields.ts"
import { readUrlEncoded, type Fields } from "./urlencoded.ts"

export interface SentForm {
  /** Everything but the token. */
  readonly fields: Fields
  readonly formToken: string | undefined
}

type ReadForm = Effect.Effect<SentForm, Refused, HttpServerRequest.HttpServerRequest | Load>

const readFormWithin = (bounds: BodyBounds): ReadForm =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const tooLarge = refusal("REQUEST_TOO_LARGE", { detail: howLarge(bounds.bytes) })
    if (!contentType.test(headers["content-type"] ?? "")) return yield* refuse("INVALID_REQUEST")
    if (Number(headers["content-length"] ?? 0) > bounds.bytes) return yield* Effect.fail(tooLarge)
    const bytes = yield* Effect.mapError(readBody(bounds), (refused) =>
      refused.code === "REQUEST_TOO_LARGE" ? tooLarge : refused
    )
    const read = readUrlEncoded(bytes)
    if (read === undefined) return yield* refuse("INVALID_REQUEST")
    const { [formTokenName]: formToken, ...fields } = read
    return { fields, formToken: typeof formToken === "string" ? formToken : undefined }
  })

/** The body of this request; 400 where it is no form, 413 where it is larger than anyone may send. */
export const readForm: ReadForm = readFormWithin({ bytes: limits.formBytes, isAnonymous: true })

/** The same with room for the longest terms in any script; for those who have opened their session. */
export const readSignedInForm: ReadForm = readFormWithin({ bytes: limits.signedInFormBytes, isAnonymous: false })

const contentType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

const howLarge = (formBytes: number): string =>
  `What was entered is too much for one form. All fields together take at most ${formBytes.toLocaleString("en")} bytes as a browser sends them, in which a plain letter is one byte, an accented one six, and a Chinese character nine.`

/** A struct whose members are the fields of one form. */
type FormSchema = Schema.ConstraintDecoder<unknown> & { readonly fields: Readonly<Record<string, unknown>> }

/**
 * What the fields mean, or the state with which the page shows its form again. A field that the form does not have is no
 * mistake of a person: the whole request is refused.
 */
export const decodeForm = <S extends FormSchema>(
  schema: S,
  { fields }: SentForm
): Effect.Effect<Result.Result<S["Type"], FormState>, Refused> => {
  if (Object.keys(fields).some((name) => !Object.hasOwn(schema.fields, name))) return refuse("INVALID_REQUEST")
  return Effect.succeed(
    Schema.decodeUnknownResult(schema)(fields, { errors: "all" }).pipe(
      Result.mapError(({ issue }) => ({ sent: fields, problems: problemsOf(issue) }))
    )
  )
}

/** The first problem of each field. */
const problemsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Problem> => {
  const problems = format(issue).issues.map(({ path = [], message }) => ({
    field: String(path[0] ?? ""),
    message: isRaw(message) ? answerOnce : message
  }))
  return problems.filter(({ field }, index) => problems.findIndex((other) => other.field === field) === index)
}

/** How a schema says what it was given no sentence for: to those who write schemas, and to nobody at a page. */
const isRaw = (message: string): boolean => /^(?:Expected |Invalid data |Missing key$)/.test(message)

const answerOnce = "Answer this once, as the page asks for it."

const format = SchemaIssue.makeFormatterStandardSchemaV1()
