/** The pages of an agreement's history reference: its buyer chooses a passport, then one result in it. */
import { Effect, Layer } from "effect"
import { canonicalText } from "../../canonical/jcs.ts"
import { readPassportResults, readReferenceForPage, type ReferenceForPage } from "../../closure/page-reading.ts"
import { recordHistoryReference } from "../../closure/refer.ts"
import type { ResultPassport } from "../../publications/passport.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { emptyForm } from "../kit/fields.ts"
import { decodeFields } from "../kit/form-field.ts"
import { formPage, idempotentFormPage } from "../kit/form-page.ts"
import { requestOf, submittedFields, newForm, type PageForm } from "../kit/idempotent-form.ts"
import { signedInPage } from "../kit/signed-in.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { foreignFormDetail } from "../kit/form.ts"
import { problemIn, referenceFaultTexts } from "./fault-texts.ts"
import { readPassport } from "./passport-field.ts"
import { referenceRoute } from "./path.ts"
import { choicePage, fileFields, referenceFields, referencePage } from "./reference-page.ts"

const readSubject = ({ person }: Visitor) =>
  Effect.flatMap(pathId("projectId", "delivery"), (projectId) => readReferenceForPage(person, projectId))

const show = signedInPage(referenceRoute, (visitor) =>
  Effect.map(readSubject(visitor), (subject) => referencePage(subject, visitor.viewer, emptyForm))
)

const refusedAt = { HISTORY_REFERENCE_INVALID: problemIn(referenceFaultTexts) }

/** Shows the results of a passport; nothing is stored. */
const takePassport = formPage(
  { path: `${referenceRoute}/passport`, shownAt: referenceRoute },
  {
    hasFile: true,
    read: readSubject,
    decode: (sent) => decodeFields(fileFields, sent),
    show: ({ viewer }, subject, { state }) => Effect.succeed(referencePage(subject, viewer, state)),
    run: ({ visitor, subject, values: { passport } }) =>
      Effect.flatMap(newForm, (form) => showChoice(visitor, subject, { passport, ...form })),
    refusedAt
  }
)

interface ShownChoice extends PageForm {
  readonly passport: ResultPassport
}

const showChoice = Effect.fnUntraced(function* (
  { person, viewer }: Visitor,
  subject: ReferenceForPage,
  { passport, requestId, state }: ShownChoice
) {
  const results = yield* readPassportResults(person, subject.projectId, passport)
  return choicePage({ subject, viewer, results, passport: canonicalText(passport), requestId, state })
})

const record = idempotentFormPage(
  { path: `${referenceRoute}/record`, shownAt: referenceRoute },
  {
    read: readSubject,
    decode: (sent) => decodeFields(referenceFields(), sent),
    show: (visitor, subject, { requestId, state }) => {
      const sent = state.sent?.["passport"]
      const passport = typeof sent === "string" ? readPassport(sent) : undefined
      return passport === undefined
        ? refuse("INVALID_REQUEST", { detail: foreignFormDetail })
        : showChoice(visitor, subject, { passport, requestId, state })
    },
    run: ({ visitor, subject: { projectId }, requestId, values, form }) => {
      const request = requestOf(visitor, requestId, "recordHistoryReference", {
        pathIds: [projectId],
        values: submittedFields(form)
      })
      return Effect.as(recordHistoryReference(visitor.person, request, { projectId, ...values }), {
        did: "You recorded the history that this agreement rests on.",
        next: "It is signed, and cannot be changed."
      })
    },
    refusedAt
  }
)

export const referencePages = Layer.mergeAll(show, takePassport, record)
