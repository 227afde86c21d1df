/** Pauses and resumes the agents of a proposal. */
import { Effect, Layer, Result, Schema } from "effect"
import { pauseProposal, resumeProposal } from "../../proposals/automation.ts"
import { limits } from "../../vocabulary/limits.ts"
import { pathId } from "../address.ts"
import { decodeForm } from "../form.ts"
import { lines } from "../form-values.ts"
import { showProposalRefused } from "../proposal-act-refused.ts"
import { proposalPath } from "../proposal-identity.ts"
import { orNeedsOrganization } from "../proposal-outside.ts"
import { requestOf, takeRequestId } from "../request-form.ts"
import { pageResponse, seeOther } from "../response.ts"
import { signedInForm } from "../signed-in.ts"
import { showProposal } from "./proposals-detail.ts"

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
          Effect.catchTag("Refused", showProposalRefused(titles[name], visitor, proposalId, form.fields))
        )
      }).pipe(orNeedsOrganization(visitor))
  )

const titles = { pause: "Pause agents", resume: "Resume agents" }

const changes = { pause: pauseProposal, resume: resumeProposal }

export const proposalAutomation = Layer.mergeAll(change("pause"), change("resume"))
