/** Acts on agreements by pages: opens the form and submits it with its values. */
import { Effect } from "effect"
import { authorities, type Authority } from "../../src/people/membership.ts"
import { createMembership } from "../../src/people/memberships.ts"
import { addMilliseconds, now } from "../../src/vocabulary/instant.ts"
import { formOn, readPage, submit, type PageForm, type Values } from "./page-forms.ts"
import { readProjectAsPerson } from "./person-commands.ts"
import { sha } from "./parties.ts"
import type { SignedInPerson } from "./sessions.ts"
import type { Answer } from "./service.ts"

export const projectPage = (projectId: string, path = "") =>
  `/workspace/projects/${projectId}${path === "" ? "" : `/${path}`}`

/** The form of an act on its current page. */
export const openAct = (by: SignedInPerson, projectId: string, path: string) =>
  Effect.map(readPage(by, projectPage(projectId, path)), (page) => formOn(page, projectPage(projectId, path)))

/** Opens the form and submits it. */
export const actOnPage = (by: SignedInPerson, projectId: string, path: string, values: Values = {}) =>
  Effect.flatMap(openAct(by, projectId, path), (form) => submit(by, form, values))

/** The same; asserts that the response is the page of the project. */
export const actSuccessfully = Effect.fnUntraced(function* (
  by: SignedInPerson,
  projectId: string,
  path: string,
  values: Values = {}
) {
  const answer = yield* actOnPage(by, projectId, path, values)
  if (answer.status !== 303) throw new Error(`${path} was answered with ${answer.status}: ${answer.text}`)
  return yield* readPage(by, projectPage(projectId))
})

export const stateOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(readProjectAsPerson(by, projectId), (view) => view.project.state as string)

export const eventsOf = (by: SignedInPerson, projectId: string) =>
  Effect.map(readProjectAsPerson(by, projectId), (view) => view.project.events.length as number)

/** Another form of the same page, with a new request id. */
export const withNewRequestId = (form: PageForm, requestId: string): PageForm => ({
  ...form,
  hidden: { ...form.hidden, requestId }
})

/** A new member of that person's organization for a day, with every authority unless others are given. */
export const addMember = Effect.fnUntraced(function* (
  person: SignedInPerson,
  organizationId: string,
  given: ReadonlyArray<Authority> = authorities
) {
  const validUntil = addMilliseconds(yield* now, 86_400_000)
  return yield* createMembership({ personId: person.personId, organizationId, authorities: given, validUntil })
})

/** A person's input, by page. */
export const pageInputs = {
  respond: { action: "ACCEPT", reason: "Agreed.", attested: "on" },
  submit: {
    summary: "The logo.",
    summary1: "One SVG.",
    files1: `logo.svg | folder/logo.svg | 41 | ${sha}`,
    references1: ""
  },
  review: { decision1: "MET", note1: "", action: "ACCEPT", reason: "Looked at it.", nextAction: "", checked: "1-1" },
  changes: {
    decision1: "NOT_MET",
    note1: "It has no layers.",
    action: "REQUEST_CHANGES",
    reason: "Looked at it.",
    nextAction: "Add layers."
  },
  reasoned: { reason: "It is needed." },
  concern: { kind: "MATERIALS", reason: "It was another file." },
  final: { reason: "It was another file.", confirmed: "on" },
  evidence: {
    provider: "Pen & Paper",
    evidence: "case 7",
    fileName: "agreement.pdf",
    fileDigest: sha.toUpperCase(),
    signedAt: "2026-01-31 09:30"
  }
} as const

/** The text of a page without its tags. */
export const textOn = ({ text }: Answer): string => text.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ")
