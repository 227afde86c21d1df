/** A person makes an agreement for one of their organizations. */
import { Effect, Layer, Schema } from "effect"
import { createProjectAsPerson } from "../../projects/person-operations.ts"
import { idOf } from "../../vocabulary/ids.ts"
import { refuse } from "../../vocabulary/refusals.ts"
import { queryOf } from "../address.ts"
import { emptyForm } from "../fields.ts"
import { untrusted } from "../html.ts"
import { page } from "../page.ts"
import { linkTo, list, paragraph } from "../parts.ts"
import { entered, newRequestId, requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse } from "../response.ts"
import { signedInForm, signedInPage } from "../signed-in.ts"
import type { Visitor } from "../visitor.ts"
import { readAgreementChoices, readAgreementMakers, type AgreementChoices } from "./agreements-choices.ts"
import { answerDone } from "../project-done.ts"
import { notAsShown } from "./agreements-rows.ts"
import { showForm, takeStep, type Drafting } from "./agreements-steps.ts"

const path = "/workspace/projects/new"
const title = "Make an agreement"

const show = signedInPage(path, (visitor) =>
  Effect.gen(function* () {
    const query = yield* queryOf
    const asked = query("organizationId")
    const makers = yield* readAgreementMakers(visitor.person)
    const only = makers.length === 1 ? makers[0]!.organizationId : undefined
    const organizationId = isOrganization(asked) ? asked : only
    if (organizationId === undefined) return pageResponse(choicePage(visitor, makers))
    const choices = yield* readAgreementChoices(visitor.person, organizationId)
    return pageResponse(showForm(draftingFor(visitor, choices), emptyForm, yield* newRequestId))
  })
)

const isOrganization = Schema.is(idOf("organization"))

const choicePage = ({ viewer }: Visitor, makers: Effect.Success<ReturnType<typeof readAgreementMakers>>): string =>
  page(
    { title, viewer, place: "projects" },
    makers.length === 0
      ? paragraph("You are in no organization for which you may make agreements.")
      : [
          paragraph("For which of your organizations?"),
          list(
            makers.map(({ organizationId, organizationName }) =>
              linkTo(`${path}?organizationId=${organizationId}`, untrusted(organizationName))
            )
          )
        ]
  )

const draftingFor = (visitor: Visitor, choices: AgreementChoices): Drafting => ({
  visitor,
  path,
  title,
  choices,
  isRevision: false,
  carried: { organizationId: choices.organizationId },
  before: [
    paragraph(
      "You make it as buyer for ",
      untrusted(choices.organizationName),
      ". ",
      linkTo("/workspace/projects", "My projects")
    ),
    paragraph("Nothing happens before you have read the preview and committed it there.")
  ],
  firstFields: () => null,
  effect: [
    paragraph(
      "It is made at once, as your organization’s agreement, and waits for the supplier’s answer. The supplier accepts these exact terms, asks for others, or declines."
    ),
    paragraph("Your agents reach it only with a new grant.")
  ],
  commitLabel: "Make this agreement"
})

const take = signedInForm(path, (visitor, sent) =>
  Effect.gen(function* () {
    const { requestId, form } = yield* takeRequestId(sent)
    const { organizationId, ...fields } = form.fields
    if (!isOrganization(organizationId)) return yield* refuse("INVALID_REQUEST", { detail: notAsShown })
    const choices = yield* readAgreementChoices(visitor.person, organizationId)
    return yield* takeStep(draftingFor(visitor, choices), { requestId, form: { ...form, fields } }, ({ terms }) =>
      Effect.flatMap(
        createProjectAsPerson(
          visitor.person,
          requestOf(visitor, requestId, "createOwnProject", { values: entered(form) }),
          { organizationId, requestId, ...terms }
        ),
        (done) => answerDone(visitor, done)
      )
    )
  })
)

export const agreementCreation = Layer.merge(show, take)
