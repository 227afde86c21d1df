/** The input of a publication by an operator, and the name of a version. */
import { Schema } from "effect"
import { limits } from "../vocabulary/limits.ts"
import { textUpTo, visibleTextUpTo } from "../vocabulary/text.ts"

const { specificationIdCharacters } = limits

export const SpecificationId = Schema.String.check(
  Schema.isPattern(new RegExp(`^[a-z0-9][a-z0-9-]{0,${specificationIdCharacters - 1}}$`, "u"), {
    expected: `an id of lower-case letters, digits and hyphens, ${specificationIdCharacters} characters at most`
  })
)

export const SpecificationVersion = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))

const Criteria = Schema.Array(
  Schema.Struct({
    id: textUpTo(limits.titleCharacters),
    title: textUpTo(limits.titleCharacters),
    requirement: textUpTo(limits.textCharacters)
  }).annotate({ identifier: "SpecificationCriterion" })
).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(limits.criteria),
  Schema.makeFilter(
    (criteria) => new Set(criteria.map(({ id }) => id)).size === criteria.length || "criterion ids must be unique"
  )
)

export const contentFields = {
  id: SpecificationId,
  title: visibleTextUpTo(limits.titleCharacters),
  summary: visibleTextUpTo(limits.specificationSummaryCharacters),
  scope: textUpTo(limits.scopeCharacters),
  criteria: Criteria,
  baselineStatement: Schema.optionalKey(textUpTo(limits.scopeCharacters)),
  references: Schema.optionalKey(
    Schema.Array(textUpTo(limits.textCharacters)).check(Schema.isMaxLength(limits.specificationReferences))
  )
}

/** A specification without its version, which the service assigns. */
export const SpecificationContent = Schema.Struct(contentFields).annotate({ identifier: "SpecificationContent" })
