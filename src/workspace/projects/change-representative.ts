/** A manager of the supplier's members names another member as representative. */
import { Effect, Result, Schema } from "effect"
import { listMembers } from "../../people/memberships.ts"
import { limits } from "../../vocabulary/limits.ts"
import { radioGroup } from "../kit/choices.ts"
import { textArea, type FormState } from "../kit/fields.ts"
import { decodeForm } from "../kit/form.ts"
import { lines, oneOf } from "../kit/form-values.ts"
import { untrusted, type Content } from "../kit/html.ts"
import { facts, linkTo, paragraph } from "../kit/parts.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { commandPage, type ProjectPageContext } from "./command-page.ts"

export const changeRepresentativePages = commandPage({
  path: "change-representative",
  title: "Name another representative",
  acts: ["CHANGE_REPRESENTATIVE"],
  operation: "changeRepresentative",
  submitLabel: "Name this representative",
  refusedAt: { UNKNOWN_SUPPLIER: "supplierActorId", SAME_PARTY: "supplierActorId" },
  show: (context, state) =>
    Effect.map(candidates(context), (members) => {
      const { project, nameOf, organizationIds } = context.model
      const { actorId } = project.supplier
      return {
        before: [
          facts([["Current representative", actorId === null ? "none" : untrusted(nameOf(actorId))]]),
          paragraph(
            "The new representative answers, signs and delivers for the supplier from now on. Agents of the previous one stop at once on this project."
          ),
          members.length === 0
            ? paragraph(
                "The supplier’s organization has no other member. ",
                linkTo(organizationPath(organizationIds[0]!, "members"), "Invite a member"),
                " first."
              )
            : null
        ],
        ...(members.length === 0 ? {} : { fields: formFields(members, state) })
      }
    }),
  read: (given, form) =>
    Effect.gen(function* () {
      const { requestId, agreementDigest } = given
      // The command itself refuses a person who became the representative meanwhile.
      const members = yield* membersOf(given)
      const schema = Schema.Struct({
        supplierActorId: oneOf(
          "the representative",
          members.map(({ personId }) => personId)
        ),
        reason: lines("The reason", limits.textCharacters)
      })
      return Result.map(yield* decodeForm(schema, form), ({ supplierActorId, reason }) => ({
        command: {
          kind: "CHANGE_REPRESENTATIVE" as const,
          input: { requestId, agreementDigest, supplierActorId, reason }
        }
      }))
    })
})

const formFields = (members: Effect.Success<ReturnType<typeof candidates>>, state: FormState): Content => [
  radioGroup(state, {
    name: "supplierActorId",
    legend: "Who represents the supplier?",
    choices: members.map(({ personId, name }) => ({ value: personId, label: untrusted(name), hint: personId }))
  }),
  textArea(state, {
    name: "reason",
    label: "Reason",
    hint: "The buyer reads it, and it stays in the history.",
    rows: 3,
    maxLength: limits.textCharacters
  })
]

/** The possible new representatives. */
const candidates = (context: ProjectPageContext) =>
  Effect.map(membersOf(context), (members) =>
    members.filter(({ personId }) => personId !== context.model.project.supplier.actorId)
  )

/** The members of the supplier's organization; empty for the buyer. */
const membersOf = Effect.fnUntraced(function* ({ visitor, model: { side, organizationIds } }: ProjectPageContext) {
  if (side !== "SUPPLIER") return []
  const members = yield* listMembers(visitor.person, organizationIds[0]!)
  return members.filter(({ isInForce }) => isInForce)
})
