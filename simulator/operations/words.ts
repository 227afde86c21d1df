/**
 * A script's own words for what people do, where it names agents, people and organizations as it knows them: each as
 * the operation of the workspace that a signed-in person's browser would ask for.
 */
import { Schema } from "effect"
import { isGuarded } from "../../src/access/actions.ts"
import type { Directory } from "../directory.ts"
import { asJson, type JsonObject } from "../script/json.ts"
import { EndMembership, GrantAgent, RenewGrant, RevokeGrant } from "./forms.ts"

export interface Meant {
  readonly operation: string
  readonly on: string | undefined
  readonly input: JsonObject
  /** The agent that the person hands the token in the answer to. */
  readonly handsTo?: string
}

export const words: { readonly [word: string]: (input: JsonObject, directory: Directory) => Meant } = {
  grantAgent: (input, directory) => {
    const { agent, organization, projects, proposals, ...asked } = Schema.decodeUnknownSync(GrantAgent)(input)
    const organizationId = organization === undefined ? undefined : directory.organizations.get(organization)
    return {
      operation: "createGrant",
      on: undefined,
      input: asJson({
        agentName: agent,
        organizationId,
        projectIds: projects,
        proposalIds: proposals,
        consents: asked.actions.filter(isGuarded),
        ...asked
      }),
      handsTo: agent
    }
  },
  renewGrant: (input, directory) => {
    const { agent, ...asked } = Schema.decodeUnknownSync(RenewGrant)(input)
    return { operation: "renewGrant", on: directory.agents.get(agent)?.grantId, input: asked, handsTo: agent }
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
