/** A manager of the supplier's members names another member as representative. */
import { Effect } from "effect"
import { listMembersInForce } from "../../people/memberships.ts"
import type { PageContext } from "../commands/subject.ts"
import { choiceField } from "../kit/form-field.ts"
import { untrusted } from "../kit/html.ts"
import { facts, linkTo, paragraph } from "../kit/parts.ts"
import { organizationPath } from "../organization/own-membership.ts"
import { reasonField, readByBuyer } from "../commands/fields.ts"
import type { ProjectPageModel } from "./read-model.ts"
import { projectCommand } from "./subject.ts"

/** The members of the supplier's organization; empty for the buyer. */
const membersOf = Effect.fnUntraced(function* ({ visitor, model }: PageContext<ProjectPageModel>) {
  return model.side === "SUPPLIER" ? yield* listMembersInForce(visitor.person, model.organizationIds[0]!) : []
})

/** The possible new representatives. */
const candidatesAmong = <M extends { readonly personId: string }>(
  members: ReadonlyArray<M>,
  { project }: ProjectPageModel
): ReadonlyArray<M> => members.filter(({ personId }) => personId !== project.supplier.actorId)

export const changeRepresentativePages = projectCommand({
  acts: ["CHANGE_REPRESENTATIVE"],
  operation: "changeRepresentative",
  acknowledgement: { did: "You named another representative.", next: "That person acts for the supplier from now on." },
  submitLabel: "Name this representative",
  readExtra: membersOf,
  fields: ({ model, extra: members = [] }) => ({
    supplierActorId: choiceField({
      what: "the representative",
      // The command itself refuses a person who became the representative meanwhile.
      values: members.map(({ personId }) => personId),
      legend: "Who represents the supplier?",
      choices: candidatesAmong(members, model).map(({ personId, name }) => ({
        value: personId,
        label: untrusted(name),
        hint: personId
      }))
    }),
    reason: reasonField(readByBuyer)
  }),
  show: ({ model, extra: members }, { supplierActorId, reason }) => {
    const { actorId } = model.project.supplier
    const hasCandidates = candidatesAmong(members, model).length > 0
    return {
      before: [
        facts([["Current representative", actorId === null ? "none" : untrusted(model.nameOf(actorId))]]),
        "The new representative answers, signs and delivers for the supplier from now on. Agents of the previous one stop at once on this project.",
        hasCandidates
          ? null
          : paragraph(
              "The supplier’s organization has no other member. ",
              linkTo(organizationPath(model.organizationIds[0]!, "members"), "Invite a member"),
              " first."
            )
      ],
      ...(hasCandidates ? { fields: [supplierActorId, reason] } : {})
    }
  },
  command: ({ requestId, model }, { supplierActorId, reason }) => ({
    kind: "CHANGE_REPRESENTATIVE",
    input: { requestId, agreementDigest: model.project.agreementDigest, supplierActorId, reason }
  }),
  refusedAt: { UNKNOWN_SUPPLIER: "supplierActorId", SAME_PARTY: "supplierActorId" }
})
