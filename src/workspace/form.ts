/** Reads what a form sent: within its bounds, then by the schema of its page, with every problem at its field. */
import { ByteSize, Effect, Result, Schema, SchemaIssue } from "effect"
import { HttpIncomingMessage, HttpServerError, HttpServerRequest } from "effect/http"
import { limits } from "../vocabulary/limits.ts"
import { refusal, refuse, type Refused } from "../vocabulary/refusals.ts"
import { formTokenName, type FormState, type Problem } from "./fields.ts"
import { readUrlEncoded, type Fields } from "./urlencoded.ts"

export interface SentForm {
  /** Everything but the token. */
  readonly fields: Fields
  readonly formToken: string | undefined
}

type ReadForm = Effect.Effect<SentForm, Refused, HttpServerRequest.HttpServerRequest>

const readFormWithin = (formBytes: number): ReadForm =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const tooLarge = refusal("REQUEST_TOO_LARGE", { detail: howLarge(formBytes) })
    if (!contentType.test(request.headers["content-type"] ?? "")) return yield* refuse("INVALID_REQUEST")
    if (Number(request.headers["content-length"] ?? 0) > formBytes) return yield* Effect.fail(tooLarge)
    const bytes = yield* request.arrayBuffer.pipe(
      Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(formBytes)),
      Effect.mapError((error) => (isTooLarge(error) ? tooLarge : refusal("INVALID_REQUEST")))
    )
    if (bytes.byteLength > formBytes) return yield* Effect.fail(tooLarge)
    const read = readUrlEncoded(new Uint8Array(bytes))
    if (read === undefined) return yield* refuse("INVALID_REQUEST")
    const { [formTokenName]: formToken, ...fields } = read
    return { fields, formToken: typeof formToken === "string" ? formToken : undefined }
  })

/** The body of this request; 400 where it is no form, 413 where it is larger than anyone may send. */
export const readForm: ReadForm = readFormWithin(limits.formBytes)

/** The same with room for the longest terms in any script; for those who have opened their session. */
export const readSignedInForm: ReadForm = readFormWithin(limits.signedInFormBytes)

const contentType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

const isTooLarge = ({ reason }: HttpServerError.HttpServerError): boolean =>
  reason._tag === "RequestParseError" && reason.reason === "BodyTooLarge"

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
