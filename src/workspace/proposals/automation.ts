/** Pauses and resumes the agents of a proposal. */
import { Effect, Layer, Result, Schema } from "effect"
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import { limits } from "../../vocabulary/limits.ts"
import { pathId } from "../kit/url-parameters.ts"
import { decodeForm } from "../kit/form.ts"
import { lines } from "../kit/form-values.ts"
import { showRefusedProposalCommand } from "./command-refused.ts"
import { proposalPath } from "./identity.ts"
import { explainMissingOrganization } from "./missing-organization.ts"
import { requestOf, takeRequestId } from "../kit/idempotent-form.ts"
import { pageResponse, seeOther } from "../kit/response.ts"
import { signedInForm } from "../kit/signed-in.ts"
import { showProposal } from "./detail.ts"

const ReasonForm = Schema.Struct({ reason: lines("The reason", limits.textCharacters) })

const change = (name: "pause" | "resume") =>
  signedInForm(
    { path: `/workspace/proposals/:proposalId/${name}`, shownAt: "/workspace/proposals/:proposalId" },
    (visitor, sent) =>
      Effect.gen(function* () {
        const proposalId = yield* pathId("proposalId", "proposal")
        const { requestId, form } = yield* takeRequestId(sent)
        const decoded = yield* decodeForm(ReasonForm, form)
        if (Result.isFailure(decoded)) {
          const failed = { state: decoded.failure, requestId }
          return pageResponse(yield* showProposal(visitor, proposalId, { failed }), 400)
        }
        const { reason } = decoded.success
        const request = requestOf(visitor, requestId, `${name}Proposal`, { pathIds: [proposalId], values: { reason } })
        return yield* changes[name](visitor.person, request, { proposalId, reason }).pipe(
          Effect.as(seeOther(proposalPath(proposalId))),
          Effect.catchTag("Refusal", showRefusedProposalCommand(titles[name], visitor, proposalId, form.fields))
        )
      }).pipe(explainMissingOrganization(visitor))
  )

const titles = { pause: "Pause agents", resume: "Resume agents" }

const changes = { pause: pauseProposal, resume: resumeProposal }

export const proposalAutomation = Layer.mergeAll(change("pause"), change("resume"))
