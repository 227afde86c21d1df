/** Creates agreements on pages: form values, and the two steps. */
import { Effect } from "effect"
import { addMilliseconds, now, type Instant } from "../../src/vocabulary/instant.ts"
import { readProjectForPages } from "../../src/projects/project-for-pages.ts"
import { formOn, readPage, submit, type Values } from "./page-forms.ts"
import type { Answer } from "./service.ts"
import type { SignedInPerson } from "./sessions.ts"

const day = 86_400_000

export const newPath = "/workspace/projects/new"
export const revisePath = (projectId: string) => `/workspace/projects/${projectId}/revise`

/** The date in the format of the form, so many days from `today`. */
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

/** The first step: submits the form from its page. */
export const preview = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, path = newPath) {
  return yield* submit(by, formOn(yield* readPage(by, path), path), values)
})

/** Both steps. */
export const createOnPages = Effect.fnUntraced(function* (by: SignedInPerson, values: Values, path = newPath) {
  const shown = yield* preview(by, values, path)
  const done = yield* commitPreview(by, shown, path)
  if (done.status !== 303) throw new Error(`the agreement was not created: ${done.status} ${done.text}`)
  return projectIn(done.headers["location"])
})

/** The second step: submits every hidden field of the preview, also repeated names. */
export const commitPreview = (by: SignedInPerson, shown: Answer, path = newPath) => {
  const form = formOn(shown, path)
  const [, inside = ""] = shown.text.split(`action="${path}"`)
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
