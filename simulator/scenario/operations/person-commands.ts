/**
 * Script commands of people, which refer to agents, people and organizations by their script names: each maps to the
 * workspace operation that the browser of a signed-in person calls.
 */
import { Schema } from "effect"
import { isGuarded } from "../../../src/access/actions.ts"
import type { NameRegistry } from "../../clients/name-registry.ts"
import { asJson, type JsonObject } from "../../vocabulary/json.ts"
import { EndMembership, GrantAgent, RenewGrant, RevokeGrant } from "./operation-forms.ts"

export interface WorkspaceCall {
  readonly operation: string
  readonly on: string | undefined
  readonly input: JsonObject
  /** The agent that receives the token in the answer. */
  readonly tokenRecipient?: string
}

export const personCommands: {
  readonly [word: string]: (input: JsonObject, directory: NameRegistry) => WorkspaceCall
} = {
  grantAgent: (input, directory) => {
    const { agent, organization, projects, proposals, ...terms } = Schema.decodeUnknownSync(GrantAgent)(input)
    const organizationId = organization === undefined ? undefined : directory.organizations.get(organization)
    return {
      operation: "createGrant",
      on: undefined,
      input: asJson({
        agentName: agent,
        organizationId,
        projectIds: projects,
        proposalIds: proposals,
        consents: terms.actions.filter(isGuarded),
        ...terms
      }),
      tokenRecipient: agent
    }
  },
  renewGrant: (input, directory) => {
    const { agent, ...terms } = Schema.decodeUnknownSync(RenewGrant)(input)
    return { operation: "renewGrant", on: directory.agents.get(agent)?.grantId, input: terms, tokenRecipient: agent }
  },
  revokeGrant: (input, directory) => {
    const { agent } = Schema.decodeUnknownSync(RevokeGrant)(input)
    return { operation: "revokeGrant", on: directory.agents.get(agent)?.grantId, input: {} }
  },
  endMembership: (input, directory) => {
    const { person, organization } = Schema.decodeUnknownSync(EndMembership)(input)
    const on = directory.people.get(person)?.memberships.get(organization)
    return { operation: "endMembership", on, input: {} }
  }
}
