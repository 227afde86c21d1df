/**
 * Idempotent forms: each carries a request id from the moment its page is shown, so that submitting it twice has one
 * effect and one answer.
 */
import { Effect, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import type { Json } from "../../canonical/json.ts"
import { fingerprint, type IdempotentRequest } from "../../replay/idempotency.ts"
import { UuidV4 } from "../../vocabulary/ids.ts"
import { refuse, type Refusal } from "../../vocabulary/refusals.ts"
import { emptyForm, hidden, type FormState } from "./fields.ts"
import { foreignFormDetail, type FormSubmission } from "./form.ts"
import type { Element } from "./html.ts"
import type { Visitor } from "./visitor.ts"

const requestIdName = "requestId"

export const newRequestId: Effect.Effect<string, never, SecureRandom.SecureRandom> = Effect.flatMap(
  SecureRandom.SecureRandom,
  (random) => random.uuidV4()
)

/** A form of a page: empty, or as it was submitted. */
export interface PageForm {
  readonly state: FormState
  readonly requestId: string
}

export const requestIdField = (requestId: string): Element => hidden(requestIdName, requestId)

/** An empty form. */
export const newForm = Effect.map(newRequestId, (requestId): PageForm => ({ state: emptyForm, requestId }))

/** The forms of a page by name: each is empty, but for the one that was submitted. */
export const pageForms = <Name extends string>(
  names: ReadonlyArray<Name>,
  submitted: (PageForm & { readonly name: Name }) | undefined
) =>
  Effect.map(
    Effect.forEach(names, (name) => (submitted?.name === name ? Effect.succeed(submitted) : newForm)),
    (forms) =>
      Object.fromEntries(names.map((name, index) => [name, forms[index]])) as { readonly [N in Name]: PageForm }
  )

/** A submission, with the request id apart. */
export interface FormWithRequestId {
  readonly requestId: string
  /** The form without its request id. */
  readonly form: FormSubmission
}

/** Extracts the request id; a form without one was not rendered by this service. */
export const takeRequestId = (sent: FormSubmission): Effect.Effect<FormWithRequestId, Refusal> => {
  const { [requestIdName]: requestId, ...fields } = sent.fields
  return isRequestId(requestId)
    ? Effect.succeed({ requestId, form: { ...sent, fields } })
    : refuse("INVALID_REQUEST", { detail: foreignFormDetail })
}

const isRequestId = Schema.is(UuidV4)

/** The idempotent request of an operation; `values` are the decoded inputs. */
export const requestOf = (
  { person }: Visitor,
  requestId: string,
  operation: string,
  { pathIds = [], values = null }: { readonly pathIds?: ReadonlyArray<string>; readonly values?: Json } = {}
): IdempotentRequest => ({ owner: person.personId, requestId, fingerprint: fingerprint(operation, pathIds, values) })

/** All submitted fields, for the fingerprint: a replay has the same values, whatever has changed since. */
export const submittedFields = ({ fields }: FormSubmission) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, typeof value === "string" ? value : [...value]])
  )
