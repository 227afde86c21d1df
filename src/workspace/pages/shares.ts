/** With whom the sides of a project share its issued record, when it was opened, and taking a share back. */
import { Effect, Layer, Result, Schema } from "effect"
import { h } from "preact"
import { listContacts } from "../../people/contacts.ts"
import { readStanding } from "../../people/standing.ts"
import { listShares, revokeShare, shareRecord } from "../../records/sharing.ts"
import { PersonId } from "../../vocabulary/ids.ts"
import { limits } from "../../vocabulary/limits.ts"
import { errorBody, refuse, statusOf } from "../../vocabulary/refusals.ts"
import { pathId } from "../address.ts"
import { buttonForm } from "../button-form.ts"
import { radioGroup } from "../choices.ts"
import { emptyForm, form, select, textField, type FormState } from "../fields.ts"
import { decodeForm, type SentForm } from "../form.ts"
import { oneOf, optionalLine } from "../form-values.ts"
import { untrusted, visible, type Content, type Element } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, list, paragraph, section, table, time } from "../parts.ts"
import { titledIdentity } from "../project-identity.ts"
import { readSeenProject, type SeenProject } from "../project-seen.ts"
import { newRequestId, requestIdField, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { roleWords, stateWords } from "../words.ts"

const address = "/workspace/projects/:projectId/shares"

const pathOf = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}/shares`

const show = signedInPage(address, (visitor) =>
  Effect.gen(function* () {
    const seen = yield* readSeenProject(visitor, yield* pathId("projectId", "delivery"))
    return pageResponse(yield* showShares(visitor, seen, emptyForm, yield* newRequestId))
  })
)

const showShares = Effect.fnUntraced(function* (
  visitor: Visitor,
  seen: SeenProject,
  state: FormState,
  requestId: string
) {
  const { projectId } = seen
  const shares = yield* listShares(visitor.person, projectId)
  const { memberships } = yield* readStanding(visitor.person)
  const own = memberships.find((one) => one.isInForce && one.organizationId === seen.organizationIds[0])
  const mayPublish = own?.authorities.includes("PUBLICATION_MANAGE") === true && speaks(visitor, seen)
  const rows = yield* Effect.forEach(shares, (share) => shareRow(visitor, seen, share, mayPublish))
  const obstacle = mayPublish ? whyNot(seen) : notYours
  return page(
    { title: "Share the record", viewer: visitor.viewer, place: "projects", problems: state.problems },
    titledIdentity(seen.named),
    section(
      "Shares",
      table({
        caption: "With whom both sides share the record",
        columns: ["Recipient", "Opened by", "Shared", "Openings", "Newest openings", "Stands"],
        rows,
        empty: "The record is shared with nobody."
      })
    ),
    section(
      "Share it with a recipient",
      obstacle === undefined
        ? shareForm(visitor, seen, yield* readContacts(visitor, seen), state, requestId)
        : paragraph(obstacle)
    ),
    paragraph(linkTo(`/workspace/projects/${projectId}`, "Go to the project"))
  )
})

const notYours =
  "This is for a person of this side whose membership lets them publish results; for the supplier, for its representative."

/** The supplier shares through its named representative alone. */
const speaks = ({ person }: Visitor, { side, project }: SeenProject): boolean =>
  side === "BUYER" || project.supplier.actorId === person.personId

type Share = Effect.Success<ReturnType<typeof listShares>>[number]

const shareRow = Effect.fnUntraced(function* (
  { viewer }: Visitor,
  { projectId, side }: SeenProject,
  share: Share,
  mayPublish: boolean
) {
  const { shareId, recipient, recipientName, recipientActorId, sharerName, sharedAt, revokedAt } = share
  return [
    untrusted(recipient),
    [untrusted(recipientName), h("br", null), h("code", null, recipientActorId)],
    [time(sharedAt), " by ", untrusted(sharerName), ` for the ${roleWords[share.side].toLowerCase()}`],
    String(share.openingCount),
    share.openings.length === 0
      ? "never"
      : list(share.openings.map(({ at, state }) => [time(at), `, ${stateWords[state].name}`])),
    revokedAt !== null
      ? ["Taken back ", time(revokedAt)]
      : mayPublish && share.side === side
        ? revokeButton(`${pathOf(projectId)}/${shareId}/revoke`, viewer.formToken, recipientName, yield* newRequestId)
        : "open"
  ] satisfies ReadonlyArray<Content>
})

const revokeButton = (action: `/workspace/${string}`, formToken: string, name: string, requestId: string): Element =>
  buttonForm({
    action,
    formToken,
    label: "Take back",
    about: `Take back the share of ${visible(name)}`,
    fields: { requestId }
  })

const whyNot = ({ project }: SeenProject): string | undefined => {
  if (project.recordId === null) return "No record was issued yet."
  if (project.state !== "BUYER_CONFIRMED")
    return "The acceptance does not stand as it was recorded: nothing more is shared."
  return recipientsOf(project).length === 0
    ? "The agreement names no recipient, so the record is shared with nobody."
    : undefined
}

const recipientsOf = ({ agreement }: SeenProject["project"]) => agreement.terms.termsPolicy.sharingRecipients

/** The people whom the person's own organization knows. */
const readContacts = ({ person }: Visitor, { organizationIds }: SeenProject) =>
  listContacts(person, organizationIds[0]!)

type Contacts = Effect.Success<ReturnType<typeof listContacts>>

const shareForm = (
  { viewer }: Visitor,
  { projectId, project }: SeenProject,
  contacts: Contacts,
  state: FormState,
  requestId: string
): Element =>
  form(
    { action: pathOf(projectId), formToken: viewer.formToken, submitLabel: "Share the record" },
    requestIdField(requestId),
    radioGroup(state, {
      name: "recipient",
      legend: "For which recipient of the agreement?",
      choices: recipientsOf(project).map((recipient, index) => ({
        value: String(index + 1),
        label: untrusted(recipient)
      }))
    }),
    contacts.length === 0
      ? null
      : select(state, {
          name: "contact",
          label: "The contact who opens it",
          isOptional: true,
          choices: [
            { value: "", label: "No contact" },
            ...contacts.map(({ contactId, name, reference }) => ({
              value: contactId,
              label: `${visible(name)} (${visible(reference)})`
            }))
          ]
        }),
    textField(state, {
      name: "personId",
      label: contacts.length === 0 ? "The person who opens it" : "Or another person",
      hint: "The person’s id, as their account page shows it. Only this person can open the record, after signing in.",
      isOptional: contacts.length > 0,
      maxLength: limits.titleCharacters,
      autoCapitalize: "none"
    })
  )

const share = signedInForm(address, (visitor, sent) =>
  Effect.gen(function* () {
    const seen = yield* readSeenProject(visitor, yield* pathId("projectId", "delivery"))
    const { requestId, form } = yield* takeRequestId(sent)
    const again = (state: FormState, status: number) =>
      Effect.map(showShares(visitor, seen, state, requestId), (html) => pageResponse(html, status))
    const chosen = yield* decodeShare(visitor, seen, form)
    if (Result.isFailure(chosen)) return yield* again(chosen.failure, 400)
    const { projectId } = seen
    const request = requestOf(visitor, requestId, "shareRecord", { pathIds: [projectId], values: chosen.success })
    return yield* shareRecord(visitor.person, request, { projectId, ...chosen.success }).pipe(
      Effect.as(seeOther(pathOf(projectId))),
      Effect.catchTag("Refused", (refused) => {
        const field = refusedFields[refused.code]
        if (field === undefined) return Effect.fail(refused)
        const problems = [{ field, message: errorBody(refused).detail }]
        return again({ sent: form.fields, problems }, statusOf(refused))
      })
    )
  })
)

const refusedFields: { readonly [code: string]: string } = {
  RECIPIENT_NOT_NAMED: "recipient",
  ALREADY_EXISTS: "personId",
  UNKNOWN_PARTY: "personId"
}

const decodeShare = Effect.fnUntraced(function* (visitor: Visitor, seen: SeenProject, sent: SentForm) {
  const recipients = recipientsOf(seen.project)
  const contacts = yield* readContacts(visitor, seen)
  const schema = Schema.Struct({
    recipient: oneOf(
      "the recipient",
      recipients.map((_, index) => String(index + 1))
    ),
    contact: optionalLine("The contact", limits.titleCharacters).pipe(
      Schema.withDecodingDefaultKey(Effect.succeed(""))
    ),
    personId: optionalLine("The person’s id", limits.titleCharacters)
  })
  return Result.flatMap(yield* decodeForm(schema, sent), ({ recipient, contact, personId }) => {
    const known = contacts.find(({ contactId }) => contactId === contact)?.personId
    const recipientActorId = personId === "" ? known : personId
    const message = personProblem({ contact, known, personId, recipientActorId })
    return recipientActorId === undefined || message !== undefined
      ? Result.fail<FormState>({ sent: sent.fields, problems: [{ field: "personId", message: message ?? needed }] })
      : Result.succeed({ recipient: recipients[Number(recipient) - 1]!, recipientActorId })
  })
})

const needed = "Say who opens it."

interface ChosenPerson {
  readonly contact: string
  readonly known: string | undefined
  readonly personId: string
  readonly recipientActorId: string | undefined
}

const personProblem = ({ contact, known, personId, recipientActorId }: ChosenPerson): string | undefined => {
  if (contact !== "" && known === undefined) return "This contact is gone: choose again."
  if (contact !== "" && personId !== "" && known !== personId) return "Choose a contact or another person, not both."
  if (recipientActorId === undefined) return needed
  return isPersonId(recipientActorId)
    ? undefined
    : "The person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."
}

const isPersonId = Schema.is(PersonId)

const revoke = signedInForm({ path: `${address}/:shareId/revoke`, shownAt: address }, (visitor, sent) =>
  Effect.gen(function* () {
    const projectId = yield* pathId("projectId", "delivery")
    const shareId = yield* pathId("shareId", "share")
    const { requestId, form } = yield* takeRequestId(sent)
    if (Object.keys(form.fields).length > 0) return yield* refuse("INVALID_REQUEST")
    const request = requestOf(visitor, requestId, "revokeShare", { pathIds: [projectId, shareId] })
    yield* revokeShare(visitor.person, request, { projectId, shareId })
    return seeOther(pathOf(projectId))
  })
)

export const sharePages = Layer.mergeAll(show, share, revoke)
