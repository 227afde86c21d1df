/** Reads a form submission: within its limits, then by the schema of its page, with each problem at its field. */
import { Effect, Result, Schema, SchemaIssue } from "effect"
import { HttpServerRequest } from "effect/http"
import type { Load } from "../../http/load.ts"
import { type BodyBounds, readBody } from "../../http/read-body.ts"
import { limits } from "../../vocabulary/limits.ts"
import { refusal, refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { formTokenName, firstOfEach, type FormState, type Problem } from "./fields.ts"
import { readMultipart } from "./multipart.ts"
import { readUrlEncoded, type Fields } from "./urlencoded.ts"

/** The detail of a refused form that no page of the service shows: fields are missing, unknown or malformed. */
export const foreignFormDetail = "The form was not sent as its page shows it."

export interface FormSubmission {
  /** All fields except the CSRF token. */
  readonly fields: Fields
  readonly formToken: string | undefined
}

type ReadForm = Effect.Effect<FormSubmission, Refusal, HttpServerRequest.HttpServerRequest | Load>

/** How browsers encode a form. */
interface FormEncoding {
  readonly contentType: RegExp
  readonly read: (bytes: Uint8Array, contentType: string) => Fields | undefined
  /** What the person reads where the form is larger than this number of bytes. */
  readonly tooLarge: (bytesMost: number) => string
}

const urlEncoded: FormEncoding = {
  contentType: /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i,
  read: readUrlEncoded,
  tooLarge: (bytesMost) =>
    `The form is too large. Limit of all fields together: ${bytesMost.toLocaleString("en")} URL-encoded bytes (an ASCII letter takes 1, an accented letter 6, a Chinese character 9). Shorten the texts and send the form again.`
}

const multipart: FormEncoding = {
  contentType: /^multipart\/form-data; ?boundary=/i,
  read: readMultipart,
  tooLarge: (bytesMost) =>
    `The file is too large. Limit of the file with all fields of the form: ${bytesMost.toLocaleString("en")} bytes. Choose a smaller file.`
}

const readFormWithin = (bounds: BodyBounds, encoding: FormEncoding = urlEncoded): ReadForm =>
  Effect.gen(function* () {
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    const contentType = headers["content-type"] ?? ""
    const tooLarge = refusal("REQUEST_TOO_LARGE", { detail: encoding.tooLarge(bounds.bytes) })
    if (!encoding.contentType.test(contentType)) return yield* refuse("INVALID_REQUEST")
    if (Number(headers["content-length"] ?? 0) > bounds.bytes) return yield* Effect.fail(tooLarge)
    const bytes = yield* Effect.mapError(readBody(bounds), (refused) =>
      refused.code === "REQUEST_TOO_LARGE" ? tooLarge : refused
    )
    const read = encoding.read(bytes, contentType)
    if (read === undefined) return yield* refuse("INVALID_REQUEST")
    const { [formTokenName]: formToken, ...fields } = read
    return { fields, formToken: typeof formToken === "string" ? formToken : undefined }
  })

/** The form of this request; 400 where the body is no form, 413 above the limit for unauthenticated forms. */
export const readForm: ReadForm = readFormWithin({ bytes: limits.formBytes, isAnonymous: true })

/** The same with the limit of signed-in sessions, which fits the longest terms in any script. */
export const readSignedInForm: ReadForm = readFormWithin({ bytes: limits.signedInFormBytes, isAnonymous: false })

/** The same for a form with a file, whose text is the value of its field. */
export const readFormWithFile: ReadForm = readFormWithin(
  { bytes: limits.signedInFormBytes, isAnonymous: false },
  multipart
)

/** A struct with one member for each field of a form. */
type FormSchema = Schema.ConstraintDecoder<unknown> & { readonly fields: Readonly<Record<string, unknown>> }

/**
 * The decoded values, or the state with which the page shows its form again. An unknown field is no mistake of a
 * person: the whole request is refused.
 */
export const decodeForm = <S extends FormSchema>(
  schema: S,
  { fields }: FormSubmission
): Effect.Effect<Result.Result<S["Type"], FormState>, Refusal> => {
  if (Object.keys(fields).some((name) => !Object.hasOwn(schema.fields, name))) return refuse("INVALID_REQUEST")
  return Effect.succeed(
    Schema.decodeUnknownResult(schema)(fields, { errors: "all" }).pipe(
      Result.mapError(({ issue }) => ({ sent: fields, problems: problemsOf(issue) }))
    )
  )
}

/** Two parts of one form: both values, or the problems of both. */
export const bothParts = <First, Second>(
  { fields }: FormSubmission,
  first: Result.Result<First, FormState>,
  second: Result.Result<Second, FormState>
): Result.Result<readonly [First, Second], FormState> =>
  Result.isSuccess(first) && Result.isSuccess(second)
    ? Result.succeed([first.success, second.success])
    : Result.fail({ sent: fields, problems: [first, second].flatMap(problemsIn) })

const problemsIn = (decoded: Result.Result<unknown, FormState>): ReadonlyArray<Problem> =>
  Result.isFailure(decoded) ? decoded.failure.problems : []

/** For a form that is only a button: any field is refused. */
export const decodeNoFields = (sent: FormSubmission) => decodeForm(Schema.Struct({}), sent)

/** Only the first problem of each field is reported. */
const problemsOf = (issue: SchemaIssue.Issue): ReadonlyArray<Problem> => {
  const problems = format(issue).issues.map(({ path = [], message }) => ({
    field: String(path[0] ?? ""),
    message: isRaw(message) ? invalidValue : message
  }))
  return firstOfEach(problems)
}

/** True for the schema library's default messages, which are written for developers. */
const isRaw = (message: string): boolean => /^(?:Expected |Invalid data |Missing key$)/.test(message)

const invalidValue = "Fill in this field once, with a value that the page offers."

const format = SchemaIssue.makeFormatterStandardSchemaV1()
