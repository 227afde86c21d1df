/** Creates agreements on pages: form values, the steps of a draft, and the preview. */
import { Effect } from "effect"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { readProjectForPages } from "../../src/projects/project-for-pages.ts"
import { draftSteps, stepOf } from "../../src/workspace/drafts/steps.ts"
import { formOn, formsOn, readPage, submit, type Values } from "./page-forms.ts"
import type { Answer } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"

const day = 86_400_000

export const newPath = "/workspace/projects/new"
export const revisePath = (projectId: string) => `/workspace/projects/${projectId}/revise`

/** The date as a person types it, so many days from `today`. */
export const dayFrom = (today: Instant, days: number): string =>
  addMilliseconds(today, days * day)
    .slice(0, 16)
    .replace("T", " ")

/** Every field of the form, with one criterion and without optional values. */
export const termsFor = Effect.fnUntraced(function* (supplier: SignedInPerson, changes: Values = {}) {
  const today = yield* now
  return {
    title: "Logo",
    scope: "One logo.\nIn colour.",
    baselineStatement: "None yet.",
    buyerName: "Dana Ltd",
    supplierName: "Sam Studio",
    supplierReference: "Offer 7",
    supplierBy: "PERSON",
    supplierActorId: supplier.personId,
    criterion1Id: "vector",
    criterion1Title: "Vector files",
    criterion1Requirement: "An SVG.",
    deadline: dayFrom(today, 7),
    reviewDeadline: dayFrom(today, 14),
    retainUntil: "",
    purpose: "Record",
    contractBasis: "THIS_AGREEMENT",
    contractReference: "",
    contractClauses: "",
    sharing: "Both sides",
    sharingRecipients: "",
    custodian: "Sam",
    location: "Folder",
    access: "Both sides",
    signing: "OFF",
    principal: "",
    counterparty: "",
    signingContact: "",
    agreementSignBy: "",
    acceptanceSignBy: "",
    ...changes
  } satisfies Values
})

/** The form of terms on a page: of a step or of the preview of a draft, or the one at this path. */
export const termsFormOn = (shown: Answer, path = newPath) => {
  const found = formsOn(shown.text).find(({ action }) => action === path || action.startsWith(`${path}/draft_`))
  if (found === undefined) throw new Error(`no form of terms at ${path}, status ${shown.status}: ${shown.text}`)
  return found
}

/** The values of one step of a draft; a button is pressed in the first one. */
export const valuesIn = (step: string, values: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([name]) => stepOf(name).path === step))

/** Fills in every step of a draft, from the page of the first one; the first answer that leads to no next page ends it. */
export const throughSteps = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, path: string) {
  let shown = yield* readPage(by, path)
  for (const { path: step } of draftSteps) {
    const answer = yield* submit(by, termsFormOn(shown, path.replace(/\/draft_.*|\?.*/, "")), valuesIn(step, values))
    if (answer.status !== 303) return answer
    shown = yield* readPage(by, answer.headers["location"]!)
  }
  return shown
})

/** Saves one step of a draft, complete or not. */
export const saveStep = Effect.fnUntraced(function* (by: SignedInPerson, address: string, values: Values) {
  return yield* submit(by, formOn(yield* readPage(by, address), address), { ...values, step: "SAVE" })
})

/** The address of a step of a draft. */
export const stepPath = (draftId: string, step: string, path = newPath) => `${path}/${draftId}/${step}`

/** The id of the draft that an answer leads to or shows. */
export const draftIn = ({ headers, text }: Pick<Answer, "headers" | "text">): string =>
  /draft_[0-9a-f-]{36}/.exec(headers["location"] ?? text)?.[0] ?? "no draft"

/** The preview after the steps of a new draft, or after the one form at another path. */
export const preview = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, path = newPath) {
  if (path.startsWith(newPath)) return yield* throughSteps(by, values, path)
  return yield* submit(by, formOn(yield* readPage(by, path), path), values)
})

/** From the form to the committed agreement. */
export const createOnPages = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, path = newPath) {
  const shown = yield* preview(by, values, path)
  const done = yield* commitPreview(by, shown, path)
  if (done.status !== 303) throw new Error(`the agreement was not created: ${done.status} ${done.text}`)
  return projectIn(done.headers["location"])
})

/** Submits every hidden field of the preview, also repeated names. */
export const commitPreview = (by: SignedInPerson, shown: Answer, path = newPath) => {
  const form = termsFormOn(shown, path)
  const [, inside = ""] = shown.text.split(`action="${form.action}"`)
  const carried = [...inside.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(([, name]) => name!)
  const several = Object.keys(form.hidden).filter((name) => carried.indexOf(name) !== carried.lastIndexOf(name))
  const values = several.map((name) => [name, valuesOf(inside, name)] as const)
  return submit(by, form, Object.fromEntries(values))
}

const valuesOf = (html: string, name: string): ReadonlyArray<string> =>
  [...html.matchAll(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`, "g"))].map(([, value]) => value!)

export const projectIn = (location: string | undefined): string =>
  /^\/workspace\/projects\/(delivery_[0-9a-f-]{36})$/.exec(location ?? "")?.[1] ?? `nothing at ${location}`

/** The agreed terms of a project. */
export const termsIn = (by: SignedInPerson, projectId: string) =>
  Effect.map(readProjectForPages(by, projectId), ({ project }) => project.agreement.terms)
