/** The page of a supplier's public results, for everyone: its form answers with the selected ones as a file. */
import { Effect, Layer, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { h } from "preact"
import { passportFile } from "../../publications/passport-file.ts"
import { exportPassport, listDisclosedPublications } from "../../publications/public-operations.ts"
import { limits } from "../../vocabulary/limits.ts"
import type { RefusalCode } from "../../vocabulary/refusal-rules.ts"
import type { Refusal } from "../../vocabulary/refusals.ts"
import { checkboxGroup, radioGroup } from "../kit/choices.ts"
import { emptyForm, form, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { untrusted, type Content, type Element } from "../kit/html.ts"
import { page } from "../kit/page.ts"
import { code, facts, linkTo, list, paragraph, section, time } from "../kit/parts.ts"
import { pageHeaders, pageResponse, refusedResponse } from "../kit/response.ts"
import { publicForm, publicPage } from "../kit/signed-in.ts"
import { pathId, readQueryParameters } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { verifierLink } from "../kit/verifier-link.ts"
import { providerPath, providerRoute } from "./path.ts"
import { selectionSchema, selectionValue } from "./selection.ts"

const requestedSubject = pathId("subjectId", "provider")

const show = publicPage(providerRoute, (visitor) =>
  Effect.flatMap(requestedSubject, (subjectId) => showResults(visitor, subjectId, emptyForm))
)

const take = publicForm(providerRoute, function* (visitor, sent) {
  const subjectId = yield* requestedSubject
  const decoded = yield* decodeForm(selectionSchema, sent)
  if (Result.isFailure(decoded)) {
    return pageResponse(yield* showResults(visitor, subjectId, decoded.failure), 400)
  }
  const { selection: selections, format } = decoded.success
  return yield* exportPassport({ subjectId, selections }, format).pipe(
    Effect.map((passport) => HttpServerResponse.setHeaders(passportFile(passport), pageHeaders)),
    Effect.catchTag("Refusal", (refused: Refusal) => {
      const message = selectionProblems[refused.code]
      if (message === undefined) return Effect.fail(refused)
      const state = { sent: sent.fields, problems: [{ field: "selection", message }] }
      return Effect.map(showResults(visitor, subjectId, state), (html) => refusedResponse(html, refused))
    })
  )
})

/** The refusals that the person corrects in the selection. */
const selectionProblems: { readonly [C in RefusalCode]?: string } = {
  PASSPORT_SELECTION_INVALID: "Select each result once.",
  PASSPORT_SELECTION_UNAVAILABLE:
    "At least one of the selected results is no longer public as it was shown. The results below are current: read the selection again, then send it again.",
  EXPORT_TOO_LARGE: `The file would be larger than ${limits.canonicalExportBytes.toLocaleString("en")} bytes. Select fewer results.`
}

type Listed = Effect.Success<ReturnType<typeof listDisclosedPublications>>

const showResults = Effect.fnUntraced(function* (visitor: Visitor | undefined, subjectId: string, state: FormState) {
  const after = (yield* readQueryParameters)("after")
  const listed = yield* listDisclosedPublications(subjectId, { after })
  const { subject, publications } = listed
  return page(
    { title: `Public results of ${subject.name}`, viewer: visitor?.viewer, problems: state.problems },
    "The supplier and the buyer of each result agreed to show it to everyone. The supplier may have other results. It chose its name itself; this service has not verified it.",
    facts([
      ["Supplier", untrusted(subject.name)],
      ["Id", code(subject.id)],
      ["For programs", h("a", { href: `/api/public/providers/${subject.id}/publications` }, "These results as JSON")]
    ]),
    section(
      after === undefined ? "Results" : "Earlier results",
      publications.length > 0
        ? selectionForm(visitor, providerPath(subjectId, after), publications, state)
        : emptyPage(listed, after),
      otherPages(listed, after)
    ),
    aboutFile
  )
})

const emptyPage = ({ next }: Listed, after: string | undefined): string => {
  if (next !== null) return "No result on this page is public now."
  return after === undefined ? "No result is public now." : "There are no earlier results."
}

const selectionForm = (
  visitor: Visitor | undefined,
  action: string,
  publications: Listed["publications"],
  state: FormState
): Element =>
  form(
    { action, formToken: visitor?.viewer.formToken, submitLabel: "Get the selected results as a file" },
    checkboxGroup(state, {
      name: "selection",
      legend: `Select ${limits.passportSelectionMin} to ${limits.passportSelectionMax} results`,
      hint: "The latest ones come first.",
      choices: publications.map((publication) => ({
        value: selectionValue(publication),
        label: untrusted(publication.title),
        hint: [
          "Accepted by the buyer on ",
          time(publication.completionTime),
          ". Record ",
          h("code", null, publication.resultId)
        ]
      }))
    }),
    radioGroup(state, {
      name: "format",
      legend: "Which file?",
      chosen: ["json"],
      choices: [
        { value: "json", label: "passport.json", hint: "For programs, and for verification." },
        { value: "zip", label: "passport.zip", hint: "The same file, with a text that explains it." }
      ]
    })
  )

const otherPages = ({ subject, next }: Listed, after: string | undefined): Content => [
  after === undefined ? null : paragraph(linkTo(providerPath(subject.id), "Latest results")),
  next === null
    ? null
    : [
        `A page has at most ${limits.publicationsOnPage} results, and a file takes its results from one page.`,
        paragraph(linkTo(providerPath(subject.id, next), "Earlier results"))
      ]
]

const aboutFile = section(
  "About the file",
  list([
    "It contains the signed summary of each selected result, and a signed statement that the result is public now.",
    "You select the results: neither the supplier nor a buyer endorses the selection. The original results are not in it.",
    "A statement is valid for five minutes; the summaries stay valid. A result can become unavailable later."
  ]),
  paragraph(
    "The file can be verified offline: ",
    h("code", null, "verify-result"),
    " reads ",
    h("code", null, "passport.json"),
    " unchanged, together with the keys file from ",
    h("code", null, "/.well-known/service-issuer-keys.json"),
    ", which the verifying person must obtain separately from the file."
  ),
  verifierLink()
)

export const providerPages = Layer.merge(show, take)
