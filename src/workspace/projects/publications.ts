/** The forms of a project's page that decide on the public summary of its result. */
import { Effect, Layer } from "effect"
import { approvePublication, proposePublication, withdrawPublication } from "../../publications/operations.ts"
import { sectionForm } from "../commands/section-form.ts"
import { requestOf, type PageForm } from "../kit/idempotent-form.ts"
import { pathId } from "../kit/url-parameters.ts"
import type { Visitor } from "../kit/visitor.ts"
import { showProject } from "./detail.ts"
import { approvalFields, proposalFields, withdrawalFields } from "./publication-fields.ts"
import type { PublicationForms } from "./publication-section.ts"
import { projects } from "./subject.ts"

const showAgain = (name: keyof PublicationForms) => (visitor: Visitor, id: string, failed: PageForm) =>
  showProject(visitor, id, { name, ...failed })

const requestedPublication = pathId("publicationId", "pub")

const propose = sectionForm(projects, {
  path: "/publications",
  name: "Propose the summary",
  fields: proposalFields,
  showAgain: showAgain("proposal"),
  run: ({ visitor, id: projectId, requestId, values: { publicTitle: title, publicSummary: summary, namesBuyer } }) => {
    const values = { title, summary, namesBuyer }
    const request = requestOf(visitor, requestId, "proposePublication", { pathIds: [projectId], values })
    return Effect.as(proposePublication(visitor.person, request, { projectId, ...values }), {
      did: "You proposed the summary.",
      next: "It becomes public once the buyer approves exactly this text."
    })
  }
})

const approve = sectionForm(projects, {
  path: "/publications/:publicationId/approve",
  name: "Approve the summary",
  fields: approvalFields,
  showAgain: showAgain("approval"),
  run: ({ visitor, id: projectId, requestId, values: { publicationDigest = "" } }) =>
    Effect.gen(function* () {
      const publicationId = yield* requestedPublication
      const pathIds = [projectId, publicationId]
      const request = requestOf(visitor, requestId, "approvePublication", { pathIds, values: { publicationDigest } })
      yield* approvePublication(visitor.person, request, { projectId, publicationId, publicationDigest })
      return { did: "You approved the summary.", next: "It is public from now on, until one party withdraws it." }
    })
})

const withdraw = sectionForm(projects, {
  path: "/publications/:publicationId/withdraw",
  name: "Withdraw the summary",
  fields: withdrawalFields,
  showAgain: showAgain("withdrawal"),
  run: ({ visitor, id: projectId, requestId, values: { withdrawalReason: reason } }) =>
    Effect.gen(function* () {
      const publicationId = yield* requestedPublication
      const pathIds = [projectId, publicationId]
      const request = requestOf(visitor, requestId, "withdrawPublication", { pathIds, values: { reason } })
      yield* withdrawPublication(visitor.person, request, { projectId, publicationId, reason })
      return { did: "You withdrew the summary.", next: "It is no longer public." }
    })
})

export const projectPublications = Layer.mergeAll(propose, approve, withdraw)
