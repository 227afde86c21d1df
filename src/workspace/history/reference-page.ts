/** What the pages of a history reference show: the reference, or the form that begins one, and the choice of a result. */
import { Schema } from "effect"
import { h } from "preact"
import type { PassportResult, ReferenceForPage } from "../../closure/page-reading.ts"
import { limits } from "../../vocabulary/limits.ts"
import { radioGroup } from "../kit/choices.ts"
import { form, type FormState } from "../kit/fields.ts"
import { controlsOf } from "../kit/form-field.ts"
import { line } from "../kit/form-values.ts"
import { untrusted, untrustedLines, type Content } from "../kit/html.ts"
import { requestIdField, type PageForm } from "../kit/idempotent-form.ts"
import { page, type Viewer } from "../kit/page.ts"
import { facts, linkTo, list, paragraph, section, time } from "../kit/parts.ts"
import { reasonField } from "../commands/fields.ts"
import { projectPath } from "../projects/path.ts"
import { providerPath } from "../providers/path.ts"
import { passedPassport, passportFile } from "./passport-field.ts"
import { referencePath } from "./path.ts"

/** The form that takes the passport. */
export const fileFields = {
  passport: passportFile(
    "It is read to show its results to you. It is stored only in parts: its digest, and the result that you choose."
  )
}

/** The form that records the reference: `results` are those of the passport, whose text the page passes on. */
export const referenceFields = (results: ReadonlyArray<PassportResult> = [], passport?: string) => ({
  passport: passedPassport(passport),
  resultId: {
    // The command refuses a result that is not in the passport, or has been withdrawn meanwhile.
    schema: line("The result", limits.textCharacters).pipe(
      Schema.annotateKey({ messageMissingKey: "Choose one: the result." })
    ),
    control: (state: FormState, name: string): Content =>
      radioGroup(state, {
        name,
        legend: "On which result does this agreement rest?",
        choices: results.filter(({ isSelectable }) => isSelectable).map(choiceOf)
      })
  },
  reason: reasonField("Why the supplier was chosen. It is signed with the rest, and every reader of the file sees it.")
})

const choiceOf = ({ resultId, title, completionTime }: PassportResult) => ({
  value: resultId,
  label: untrusted(title),
  hint: ["Accepted by its buyer on ", time(completionTime), ". Record ", h("code", null, resultId)]
})

export const referencePage = (subject: ReferenceForPage, viewer: Viewer, state: FormState): string =>
  page(
    { title: pageTitle, viewer, place: "projects", problems: state.problems },
    paragraph("Agreement: ", linkTo(projectPath(subject.projectId), untrusted(subject.title))),
    subject.reference === undefined ? beginning(subject, viewer, state) : recorded(subject.reference)
  )

const pageTitle = "The history that this agreement rests on"

const recorded = ({ payload, digest, madeBy }: NonNullable<ReferenceForPage["reference"]>): Content => {
  const { issuedAt, references, passport, reason, referenceId } = payload
  const [reference] = references
  return [
    section(
      "The history reference",
      "The buyer recorded that the supplier was chosen because of this result. The reference is signed, and cannot be changed or taken back.",
      facts([
        ["Result", h("code", null, reference!.resultId)],
        ["Reason", untrustedLines(reason)],
        ["Recorded", [untrusted(madeBy), ", ", time(issuedAt)]],
        [
          "Public results of the supplier",
          linkTo(providerPath(passport.subjectId), h("code", null, passport.subjectId))
        ],
        ["Id of the public summary", h("code", null, reference!.publicationId)],
        ["Digest of the passport’s manifest", h("code", null, passport.digest)],
        ["Id of the reference", h("code", null, referenceId)],
        ["Digest of the reference", h("code", null, digest)]
      ])
    ),
    section(
      "Who learns of it",
      "It is in no history and in no message. It leaves the service only inside of a closure of the earlier transaction, which a person of that transaction downloads. That person needs access to both agreements, and the same file passport.json: keep it."
    )
  ]
}

const beginning = (subject: ReferenceForPage, viewer: Viewer, state: FormState): Content => {
  if (!subject.isConfirmed) {
    return "The agreement has ended, or the supplier has not confirmed it. Nothing can be recorded for it now."
  }
  if (!subject.mayRefer) {
    return "The buyer has recorded none. Recording one requires a membership that permits making agreements."
  }
  const { passport } = controlsOf(fileFields, state)
  return [
    "If you chose this supplier because of a public result, you can record which one. The record is signed once, and cannot be changed or taken back.",
    section(
      "Choose the passport",
      subject.subjectId === undefined
        ? "The supplier has no public results now."
        : paragraph(
            "You get its file from the ",
            linkTo(providerPath(subject.subjectId), "public results of the supplier"),
            ": select the result there, and download passport.json."
          ),
      form(
        {
          action: `${referencePath(subject.projectId)}/passport`,
          formToken: viewer.formToken,
          submitLabel: "Show the results of the passport",
          hasFile: true
        },
        passport
      )
    )
  ]
}

interface ChoicePage extends PageForm {
  readonly subject: ReferenceForPage
  readonly viewer: Viewer
  readonly results: ReadonlyArray<PassportResult>
  /** The canonical text of the passport. */
  readonly passport: string
}

export const choicePage = ({ subject, viewer, results, passport, requestId, state }: ChoicePage): string => {
  const closed = results.filter(({ isSelectable }) => !isSelectable)
  return page(
    { title: "Choose the result", viewer, place: "projects", problems: state.problems },
    paragraph("Agreement: ", linkTo(projectPath(subject.projectId), untrusted(subject.title))),
    closed.length === results.length
      ? "No result of this passport can be chosen."
      : form(
          {
            action: `${referencePath(subject.projectId)}/record`,
            formToken: viewer.formToken,
            submitLabel: "Record the reference"
          },
          requestIdField(requestId),
          Object.values(controlsOf(referenceFields(results, passport), state))
        ),
    closed.length === 0
      ? null
      : section(
          "Results that cannot be chosen",
          "They are not public now, or are the result of this agreement itself.",
          list(closed.map(({ title, resultId }) => [untrusted(title), " ", h("code", null, resultId)]))
        ),
    paragraph(linkTo(referencePath(subject.projectId), "Choose another passport"))
  )
}
