/** Starts a draft from a public specification for an organization and role; each selection is used once. */
import { Effect, Layer, Result, Schema } from "effect"
import { roles, type Role } from "../../access/actions.ts"
import { readSpecification } from "../../discovery/read.ts"
import { draftAuthorities } from "../../drafts/draft.ts"
import { createDraftFromHandoff, type Handoff } from "../../drafts/handoff.ts"
import { clearCookie } from "../../http/cookies.ts"
import { refusals } from "../../vocabulary/refusal-rules.ts"
import { refusal, refuse } from "../../vocabulary/refusals.ts"
import { emptyForm, form, hidden, type FormState } from "../kit/fields.ts"
import { decodeForm, foreignFormDetail } from "../kit/form.ts"
import { oneOf } from "../kit/form-values.ts"
import { untrusted } from "../kit/html.ts"
import { page, type Viewer } from "../kit/page.ts"
import { linkTo, nextStep, notice, paragraph, section } from "../kit/parts.ts"
import { pageResponse, redirectTo, refusedResponse } from "../kit/response.ts"
import { signedInForm, signedInPage } from "../kit/signed-in.ts"
import type { Visitor } from "../kit/visitor.ts"
import { organizationRadios, roleRadios } from "../organization/choices.ts"
import { readMemberships, type Membership } from "../organization/own-membership.ts"
import { fromSpecificationPath, storedHandoff } from "./handoff.ts"
import { specificationPath, specificationsPath } from "./path.ts"
import { identityFacts } from "./version.ts"

const show = signedInPage(fromSpecificationPath, function* (visitor) {
  const handoff = yield* storedHandoff
  return handoff === undefined ? endedPage(visitor.viewer) : yield* choice(visitor, handoff, emptyForm)
})

const take = signedInForm(fromSpecificationPath, function* (visitor, sent) {
  const handoff = yield* storedHandoff
  if (handoff === undefined) return endedPage(visitor.viewer)
  const { handoffId, ...fields } = sent.fields
  if (typeof handoffId !== "string") return yield* refuse("INVALID_REQUEST", { detail: foreignFormDetail })
  // Another tab selected another specification than the one shown here.
  if (handoffId !== handoff.handoffId) return yield* choice(visitor, handoff, emptyForm, 409)
  const makers = yield* readMakers(visitor)
  if (makers.length === 0) return yield* choice(visitor, handoff, emptyForm, 403)
  const decoded = yield* decodeForm(schemaFor(makers), { ...sent, fields })
  if (Result.isFailure(decoded)) return yield* choice(visitor, handoff, decoded.failure, 400)
  return yield* createDraftFromHandoff(visitor.person, handoff, decoded.success).pipe(
    Effect.map(({ humanUrl }) => redirectTo(humanUrl).pipe(clearCookie("specification"))),
    Effect.catchTag("Refusal", (refused) =>
      refused.code === "HANDOFF_ENDED"
        ? Effect.succeed(endedPage(visitor.viewer, handoff).pipe(clearCookie("specification")))
        : refused.code === "FORBIDDEN"
          ? choice(visitor, handoff, { sent: fields, problems: [{ field: "role", message: roleNotPermitted }] }, 403)
          : Effect.fail(refused)
    )
  )
})

const roleNotPermitted = "You may not start a draft in this role for this organization."

const mayTake = ({ authorities }: Membership, role: Role): boolean =>
  draftAuthorities(role).some((one) => authorities.includes(one))

/** The memberships that permit starting a draft. */
const readMakers = ({ person }: Visitor) =>
  Effect.map(readMemberships(person), (memberships) =>
    memberships.filter((one) => roles.some((role) => mayTake(one, role)))
  )

type Makers = ReadonlyArray<Membership>

/** The roles permitted in at least one of the organizations. */
const sidesOf = (makers: Makers): ReadonlyArray<Role> =>
  roles.filter((role) => makers.some((one) => mayTake(one, role)))

const schemaFor = (makers: Makers) =>
  Schema.Struct({
    organizationId: oneOf(
      "the organization",
      makers.map(({ organizationId }) => organizationId)
    ),
    role: oneOf("the role", sidesOf(makers))
  })

const choice = Effect.fnUntraced(function* (visitor: Visitor, handoff: Handoff, state: FormState, status = 200) {
  const { id, version } = handoff.specification
  const found = yield* readSpecification(id, version)
  const makers = yield* readMakers(visitor)
  return pageResponse(
    page(
      {
        title: "Start a draft from a specification",
        viewer: visitor.viewer,
        problems: makers.length === 0 ? [] : state.problems
      },
      status === 409
        ? notice("warning", "Another specification has been selected in this browser since. Nothing was done.")
        : null,
      section(
        "The specification",
        paragraph(linkTo(specificationPath(id, version), untrusted(found.document.title))),
        identityFacts(found)
      ),
      makers.length === 0 ? withoutMembership : choiceForm(visitor, handoff, makers, state),
      paragraph(linkTo(specificationsPath, "Choose another specification"))
    ),
    status
  )
})

const withoutMembership = section(
  "You cannot start a draft",
  "This requires a membership with the authority to prepare drafts. Ask a manager of your organization, or create your own workspace.",
  paragraph(
    "This browser stores your selection for 24 hours: once you have that membership, return to ",
    linkTo(fromSpecificationPath, "this page"),
    "."
  ),
  nextStep("/workspace/account", "Go to your account")
)

const choiceForm = ({ viewer }: Visitor, { handoffId }: Handoff, makers: Makers, state: FormState) =>
  section(
    "Organization and role",
    form(
      { action: fromSpecificationPath, formToken: viewer.formToken, submitLabel: "Start the draft" },
      hidden("handoffId", handoffId),
      organizationRadios(state, { legend: "For which organization?", memberships: makers, choosesOnly: true }),
      roleRadios(state, { legend: "In which role?", roles: sidesOf(makers), hints: roleHints, choosesOnly: true })
    )
  )

const roleHints: { readonly [R in Role]: string } = {
  BUYER: "You receive and review. Finished, the draft becomes an agreement that waits for the supplier.",
  SUPPLIER: "You deliver. Finished, the draft becomes a proposal to a buyer."
}

/** No valid selection: links back to the specification where it is known. */
const endedPage = (viewer: Viewer, handoff?: Handoff) =>
  refusedResponse(
    page(
      { title: "This cannot be started from here", viewer },
      paragraph(
        handoff === undefined
          ? "This browser has no selected specification: none was selected, a draft was already started from it, or it was selected more than 24 hours ago."
          : refusals.HANDOFF_ENDED.detail
      ),
      "Nothing was done. Open the specification again and start the draft from there.",
      handoff === undefined
        ? nextStep(specificationsPath, "Search public specifications")
        : nextStep(
            specificationPath(handoff.specification.id, handoff.specification.version),
            "Open the specification again"
          )
    ),
    refusal("HANDOFF_ENDED")
  )

export const specificationDraft = Layer.merge(show, take)
