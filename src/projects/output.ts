/** Responses to agents: the view of a project (2.4) and the legal preparation (4.2). */
import { Schema } from "effect"
import { roles } from "../access/actions.ts"
import { OrganizationId } from "../people/wire.ts"
import { acts } from "./acts.ts"
import { nextActionDescription } from "./awaited-step.ts"
import { concernKinds, datePurposes } from "./event.ts"
import { states } from "./project.ts"
import { Criterion, LegalDocument, signingMethods } from "./terms.ts"

export const Confirmation = Schema.Struct({
  operation: Schema.String,
  effect: Schema.String,
  documents: Schema.Array(LegalDocument),
  digest: Schema.String
}).annotate({ identifier: "Confirmation" })

const Party = Schema.Struct({
  organizationId: Schema.NullOr(Schema.String),
  actorId: Schema.NullOr(Schema.String),
  name: Schema.String
})

const Event = Schema.Struct({
  sequence: Schema.Int,
  hash: Schema.String,
  previous: Schema.String,
  kind: Schema.String,
  requestId: Schema.String,
  actor: Schema.Struct({
    id: Schema.String,
    organizationId: Schema.String,
    role: Schema.Literals(roles),
    execution: Schema.NullOr(
      Schema.Struct({ grantId: Schema.String, agentId: Schema.String, authorityHead: Schema.String })
    )
  }),
  payload: Schema.Record(Schema.String, Schema.Unknown),
  occurredAt: Schema.String
}).annotate({ identifier: "ProjectEvent" })

const Open = Schema.Record(Schema.String, Schema.Unknown)

export const Automation = Schema.Struct({
  revision: Schema.Int,
  paused: Schema.Boolean,
  pausedBy: Schema.Array(
    Schema.Struct({ side: Schema.Literals(roles), by: Schema.String, at: Schema.String, reason: Schema.String })
  )
})

/** The actions that the viewer could take, but for a step before them. */
export const blockedActionsOf = <const Names extends ReadonlyArray<string>>(names: Names) =>
  Schema.Array(
    Schema.Struct({
      action: Schema.Literals(names),
      code: Schema.String.annotate({ description: "The code with which the command would be refused." }),
      reason: Schema.String.annotate({ description: "One sentence: the step that makes this possible." }),
      nextAction: Schema.String.annotate({ description: nextActionDescription }),
      requiredHumanAction: Schema.NullOr(Schema.String).annotate({
        description: "The required action of a person of the viewer's side if `nextAction` is `WAIT_FOR_HUMAN`."
      }),
      humanUrl: Schema.String
    })
  )

export const ProjectView = Schema.Struct({
  project: Schema.Struct({
    taskId: Schema.String,
    state: Schema.Literals(states),
    title: Schema.String,
    scope: Schema.String,
    agreement: Schema.StructWithRest(Schema.Struct({ digest: Schema.String, version: Schema.Int }), [Open]),
    parties: Schema.Struct({ buyer: Party, supplier: Party }),
    criteria: Schema.Array(Criterion),
    headEventHash: Schema.String,
    submission: Schema.NullOr(
      Schema.StructWithRest(Schema.Struct({ id: Schema.String, requestId: Schema.String }), [Open])
    ),
    review: Schema.NullOr(
      Schema.StructWithRest(Schema.Struct({ id: Schema.String, requestId: Schema.String }), [Open])
    ),
    confirmation: Schema.NullOr(
      Schema.Struct({
        id: Schema.String,
        reviewId: Schema.String,
        submissionId: Schema.String,
        occurredAt: Schema.String
      })
    ),
    confirmations: Schema.Struct({
      respond: Schema.optionalKey(Confirmation),
      acceptance: Schema.optionalKey(Confirmation),
      issuance: Schema.optionalKey(Confirmation)
    }),
    events: Schema.Array(Event),
    nextAction: Schema.Struct({
      party: Schema.Literals([...roles, "NONE"]),
      viewer: Schema.Literals(["NEEDS_YOU", "WAITING", "NONE"]),
      action: Schema.String,
      agentAction: Schema.NullOr(Schema.String),
      reason: Schema.String,
      dueAt: Schema.NullOr(Schema.String),
      agreementVersion: Schema.Int,
      expectedHeadEventHash: Schema.String
    }),
    recordIssuance: Schema.Struct({
      ready: Schema.Boolean,
      coverage: Schema.Literals(["AVAILABLE", "MISSING"]),
      status: Schema.Literals(["NOT_REQUESTED", "PENDING", "ISSUED", "STOPPED"]),
      continuation: Schema.NullOr(Schema.Literals(["WAITING_COVERAGE", "NEEDS_REVIEW"])),
      recordId: Schema.NullOr(Schema.String),
      fundingUrl: Schema.String
    }),
    signatures: Schema.Array(
      Schema.StructWithRest(
        Schema.Struct({
          subject: Schema.Literals(["AGREEMENT", "ACCEPTANCE"]),
          party: Schema.Literals(roles),
          occurredAt: Schema.String,
          method: Schema.Literals(signingMethods),
          digest: Schema.String
        }),
        [Open]
      )
    ),
    hold: Schema.NullOr(
      Schema.Struct({
        purpose: Schema.Literals(datePurposes),
        requestedBy: Schema.Literals(roles),
        reason: Schema.String
      })
    ),
    concern: Schema.NullOr(
      Schema.Struct({
        kind: Schema.Literals(concernKinds),
        raisedBy: Schema.Literals(roles),
        reason: Schema.String,
        occurredAt: Schema.String
      })
    ),
    successor: Schema.NullOr(Schema.Struct({ projectId: Schema.String, digest: Schema.String }))
  }),
  automation: Automation,
  humanUrl: Schema.String,
  availableActions: Schema.Array(Schema.Literals(acts)),
  blockedActions: blockedActionsOf(acts),
  decisionActions: Schema.Array(
    Schema.Struct({
      action: Schema.Literals(acts),
      decision: Schema.String,
      allowed: Schema.Boolean,
      code: Schema.NullOr(Schema.String).annotate({
        description: "The code with which it would be refused, or `NOT_GRANTED`; null if it is allowed."
      }),
      reason: Schema.NullOr(Schema.String).annotate({
        description: "One sentence: the step that makes this possible; null if it is allowed."
      }),
      nextAction: Schema.String.annotate({ description: nextActionDescription }),
      humanUrl: Schema.String
    })
  ),
  note: Schema.String,
  replayed: Schema.optionalKey(Schema.Literal(true)),
  emailUpdate: Schema.optionalKey(Schema.Literals(["FAILED", "DISABLED"]))
}).annotate({ identifier: "ProjectView" })

export const LegalConfig = Schema.Struct({
  documents: Schema.Array(
    Schema.Struct({ kind: Schema.String, version: Schema.String, digest: Schema.String, url: Schema.String })
  ),
  issuer: Schema.Struct({ name: Schema.String, keysUrl: Schema.String }),
  prerequisites: Schema.Array(Schema.Struct({ id: Schema.String, statement: Schema.String, met: Schema.Boolean }))
}).annotate({ identifier: "LegalConfig" })

/** The project view of agents with the person's side and available actions. */
export const PersonProjectView = Schema.Struct({
  role: Schema.Literals(roles),
  organizationId: OrganizationId,
  ...ProjectView.fields
}).annotate({ identifier: "PersonProjectView" })
