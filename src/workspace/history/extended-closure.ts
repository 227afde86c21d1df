/** The page from which a person downloads a closure with the history that a next agreement recorded. */
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { h } from "preact"
import { exportClosureWithHistory } from "../../closure/export.ts"
import { readNextAgreements, type NextAgreements } from "../../closure/page-reading.ts"
import { jsonFile } from "../../http/json-file.ts"
import { limits } from "../../vocabulary/limits.ts"
import { form, type FormState } from "../kit/fields.ts"
import { choiceField, controlsOf, decodeFields } from "../kit/form-field.ts"
import { formPage } from "../kit/form-page.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { roleLabels } from "../kit/labels.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, list, paragraph, section } from "../kit/parts.ts"
import { pageHeaders } from "../kit/response.ts"
import { verifierLink } from "../kit/verifier-link.ts"
import { orderPath, requestedOrder } from "../orders/path.ts"
import { lineageFaultTexts, problemIn } from "./fault-texts.ts"
import { passportFile } from "./passport-field.ts"
import { extendedClosurePath, extendedClosureRoute } from "./path.ts"

const fieldsFor = ({ agreements }: NextAgreements) => ({
  nextTaskId: choiceField({
    what: "the next agreement",
    values: agreements.map(({ projectId }) => projectId),
    legend: "Which agreement rests on this transaction?",
    choices: agreements.map(({ projectId, title, role, buyerName }) => ({
      value: projectId,
      label: untrusted(title),
      hint: [
        `My role: ${roleLabels[role].toLowerCase()}. Buyer: `,
        untrusted(buyerName),
        ". ",
        h("code", null, projectId)
      ]
    }))
  }),
  passport: passportFile("The same file with which the buyer of that agreement recorded the history.")
})

export const extendedClosurePage = formPage(extendedClosureRoute, {
  hasFile: true,
  read: ({ person }) => Effect.flatMap(requestedOrder, (orderId) => readNextAgreements(person, orderId)),
  decode: (sent, subject) => decodeFields(fieldsFor(subject), sent),
  show: ({ viewer }, subject, { state }) => Effect.succeed(showForm(subject, viewer, state)),
  run: ({ visitor: { person }, subject: { resultOrderId }, values }) =>
    Effect.map(exportClosureWithHistory(person, resultOrderId, values), (text) =>
      HttpServerResponse.setHeaders(jsonFile("transaction-records-with-history.json", text), pageHeaders)
    ),
  refusedAt: { CLOSURE_LINEAGE_INVALID: problemIn(lineageFaultTexts) }
})

const showForm = (subject: NextAgreements, viewer: Viewer, state: FormState): string =>
  page(
    { title: "The closure with its history", viewer, place: "projects", problems: state.problems },
    paragraph("Result Order of: ", linkTo(orderPath(subject.resultOrderId), untrusted(subject.title))),
    "The buyer of a later agreement with this supplier may have recorded that it rests on this result. The closure can then carry that record, for readers who should see both.",
    section(
      "What the file holds",
      list([
        "everything that the closure of this transaction holds;",
        "the passport, and the signed record of why the supplier was chosen;",
        "the whole text of the later agreement, as it was confirmed, and its present state."
      ])
    ),
    section("Download", download(subject, viewer, state))
  )

const download = (subject: NextAgreements, viewer: Viewer, state: FormState): Content => {
  if (subject.agreements.length === 0) {
    return "You can copy no other agreement with this supplier. Ask a person who may copy both transactions."
  }
  const { nextTaskId, passport } = controlsOf(fieldsFor(subject), state)
  return [
    `Offered are the agreements with this supplier that you may copy whole, among your newest ${limits.projectsListed.toLocaleString("en")} projects.`,
    form(
      {
        action: extendedClosurePath(subject.resultOrderId),
        formToken: viewer.formToken,
        submitLabel: "Download the closure with its history",
        hasFile: true
      },
      nextTaskId,
      passport
    ),
    verifierLink()
  ]
}
