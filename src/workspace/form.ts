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

/** The body of this request; 400 where it is no form, 413 where it is too large. */
export const readForm: Effect.Effect<SentForm, Refused, HttpServerRequest.HttpServerRequest> = Effect.gen(function* () {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!contentType.test(request.headers["content-type"] ?? "")) return yield* refuse("INVALID_REQUEST")
  if (Number(request.headers["content-length"] ?? 0) > limits.formBytes) return yield* refuse("REQUEST_TOO_LARGE")
  const bytes = yield* request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(limits.formBytes)),
    Effect.mapError(unreadable)
  )
  if (bytes.byteLength > limits.formBytes) return yield* refuse("REQUEST_TOO_LARGE")
  const read = readUrlEncoded(new Uint8Array(bytes))
  if (read === undefined) return yield* refuse("INVALID_REQUEST")
  const { [formTokenName]: formToken, ...fields } = read
  return { fields, formToken: typeof formToken === "string" ? formToken : undefined }
})

const contentType = /^application\/x-www-form-urlencoded(?:; ?charset=utf-8)?$/i

const unreadable = (error: HttpServerError.HttpServerError): Refused =>
  refusal(
    error.reason._tag === "RequestParseError" && error.reason.reason === "BodyTooLarge"
      ? "REQUEST_TOO_LARGE"
      : "INVALID_REQUEST"
  )

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
  const problems = format(issue).issues.map(({ path = [], message }) => ({ field: String(path[0] ?? ""), message }))
  return problems.filter(({ field }, index) => problems.findIndex((other) => other.field === field) === index)
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()
