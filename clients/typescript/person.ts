/** The person an agent acts for, and what waits for a person. */
import type { components } from "./openapi.ts"

export type ProjectView = components["schemas"]["ProjectView"]

export interface Person {
  /** Shows a text, and a link where the person can act. Never put a token into the text. */
  tell(text: string, humanUrl?: string): Promise<void>
  /** The bearer token that the person gave the agent last; undefined if there is no way to ask. */
  credential(): Promise<string | undefined>
}

/** Prints to standard error; a renewed token comes with the next start. */
export const printingPerson: Person = {
  tell: async (text, humanUrl) => console.error(humanUrl === undefined ? text : `${text} ${humanUrl}`),
  credential: async () => undefined
}

/** What a person has to do before an action of the agent can take effect. */
export interface PersonStep {
  /** The action of the grant that waits, such as `SUBMIT_MATERIALS`. */
  readonly action: string
  /** The decision that waits, such as `ACCEPT`; any decision of the action where absent. */
  readonly decision?: string
  readonly reason: string
  readonly humanUrl: string
}

/**
 * Why this action waits for a person of either side: agents are paused, a signature or a decision is reserved for people,
 * or a date is being revised. Undefined if it does not.
 */
export const personStep = (view: ProjectView, action: string, decision?: string): PersonStep | undefined => {
  const waiting = { action, ...(decision === undefined ? {} : { decision }) }
  if (view.automation.paused) {
    const reasons = view.automation.pausedBy.map(({ side, reason }) => `${side}: ${reason}`)
    return { ...waiting, reason: ["Agents are paused here.", ...reasons].join(" "), humanUrl: view.humanUrl }
  }
  const step =
    view.blockedActions.find((one) => one.action === action) ??
    view.decisionActions.find((one) => one.action === action && one.decision === decision && !one.allowed)
  if (step === undefined || !waits.has(step.nextAction)) return undefined
  return { ...waiting, reason: step.reason ?? "A person has to decide first.", humanUrl: step.humanUrl }
}

/** Values of `nextAction`: a person of the agent's own side must act, or the other side. */
const waits: ReadonlySet<string> = new Set(["WAIT_FOR_HUMAN", "WAIT_FOR_OTHER_PARTY"])
