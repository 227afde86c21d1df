/** Acts of people, performed through an operator, each as a request of its own. */
import { Effect } from "effect"
import { isGuarded } from "../../src/access/actions.ts"
import type { GrantInput } from "../../src/access/grant.ts"
import { createGrant, renewGrant, type RenewalInput } from "../../src/access/grants.ts"
import { onBehalfOf } from "../../src/people/acting-person.ts"
import { pauseProject, resumeProject, type AutomationInput } from "../../src/projects/automation.ts"
import { nonIdempotentRequest } from "../../src/replay/idempotency.ts"

export interface PersonGrantInput extends Omit<GrantInput, "consents"> {
  readonly personId: string
}

export const grantAgent = ({ personId, ...input }: PersonGrantInput) =>
  Effect.flatMap(nonIdempotentRequest(personId), (request) =>
    createGrant(onBehalfOf(personId), request, { ...input, consents: input.actions.filter(isGuarded) })
  )

export const renewAs = ({ personId, ...input }: RenewalInput & { readonly personId: string }) =>
  Effect.flatMap(nonIdempotentRequest(personId), (request) => renewGrant(onBehalfOf(personId), request, input))

interface AutomationByPerson extends AutomationInput {
  readonly personId: string
}

export const pauseAs = ({ personId, ...input }: AutomationByPerson) =>
  Effect.flatMap(nonIdempotentRequest(personId), (request) => pauseProject(onBehalfOf(personId), request, input))

export const resumeAs = ({ personId, ...input }: AutomationByPerson) =>
  Effect.flatMap(nonIdempotentRequest(personId), (request) => resumeProject(onBehalfOf(personId), request, input))
