/** Grants of agents. */
import { Effect, Option, Schema } from "effect"
import { Flag } from "effect/cli"
import { actions, isGuarded, roles } from "../../access/actions.ts"
import { createGrant, revokeGrant } from "../../access/grants.ts"
import { SubjectRequirement } from "../../access/wire.ts"
import { onBehalfOf } from "../../people/acting-person.ts"
import { nonIdempotentRequest } from "../../replay/idempotency.ts"
import { act } from "./act.ts"
import { id, organization, person, project, until } from "./flags.ts"

const createGrantCommand = act(
  "create-grant",
  {
    person,
    organization,
    role: Flag.Literals("role", roles).pipe(Flag.withDescription("The side the agent acts for")),
    agent: Flag.String("agent").pipe(Flag.withDescription("The agent's name")),
    action: Flag.Literals("action", actions).pipe(
      Flag.atLeast(0),
      Flag.withDescription("An action of the grant; repeat for several, none for read only")
    ),
    requirements: Flag.FileSchema("requirements", Schema.Array(SubjectRequirement), { format: "json" }).pipe(
      Flag.withDescription("A JSON file of subject requirements that bind the agent's agreements"),
      Flag.optional
    ),
    project: project.pipe(Flag.atLeast(0), Flag.withDescription("A project it reaches; repeat for several")),
    proposal: id("proposal", "A proposal it reaches; repeat for several").pipe(Flag.atLeast(0)),
    until
  },
  {
    description: "Give an agent a grant; its token is printed once, here",
    changes: "DATABASE",
    run: ({ person, organization, role, agent, action, project, proposal, requirements, until }) =>
      Effect.flatMap(nonIdempotentRequest(person), (request) =>
        createGrant(onBehalfOf(person), request, {
          organizationId: organization,
          role,
          agentName: agent,
          actions: action,
          consents: action.filter(isGuarded),
          projectIds: project,
          proposalIds: proposal,
          subjectRequirements: Option.getOrElse(requirements, () => []),
          ...(Option.isSome(until) ? { expiresAt: until.value } : {})
        })
      )
  }
)

const revokeGrantCommand = act(
  "revoke-grant",
  { grant: id("grant", "The grant's id") },
  {
    description: "End a grant at once",
    changes: "DATABASE",
    run: ({ grant }) => revokeGrant("OPERATOR", { grantId: grant })
  }
)

export const grantActs = [createGrantCommand, revokeGrantCommand] as const
