/** Rejects a date that has passed when its form arrives. */
import { Effect, Result } from "effect"
import { now as currentTime, type Instant } from "../../vocabulary/instant.ts"
import type { FormState } from "./fields.ts"
import type { FormSubmission } from "./form.ts"

/** The decoded values, or a problem at the date field where that day has passed. */
export const rejectPastDate = <Field extends string, A extends { readonly [Name in Field]: Instant | undefined }>(
  decoded: Result.Result<A, FormState>,
  { fields }: FormSubmission,
  [field, what]: readonly [field: Field, what: string]
): Effect.Effect<Result.Result<A, FormState>> =>
  Effect.map(currentTime, (now) =>
    Result.flatMap(decoded, (values) => {
      const day = values[field]
      if (day === undefined || day > now) return Result.succeed(values)
      return Result.fail({ sent: fields, problems: [{ field, message: `${what} has already passed.` }] })
    })
  )
