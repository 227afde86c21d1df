/** The next step after a refusal, as a sentence for a person. */
import type { refusals, RefusalCode } from "../../vocabulary/refusal-rules.ts"
import { errorBody, type Refusal } from "../../vocabulary/refusals.ts"

type NextActionOf<Code extends RefusalCode> = (typeof refusals)[Code] extends { readonly nextAction: infer Name }
  ? Name
  : never

/** Those of the table, and those that only single refusals name instead of their code's. */
export type NextAction =
  | { [Code in RefusalCode]: NextActionOf<Code> }[RefusalCode]
  | "OPEN_RECIPIENT_ACCOUNT"
  | "END_MEMBERSHIP"
  | "REMOVE_CONTACT"

/** The next step that a refusal names, which can differ from that of others with its code; undefined for none. */
export const nextStepOf = (refused: Refusal): string | undefined => {
  const { nextAction } = errorBody(refused)
  return nextAction !== undefined && isNextAction(nextAction) ? nextSteps[nextAction] : undefined
}

const isNextAction = (name: string): name is NextAction => Object.hasOwn(nextSteps, name)

export const nextSteps: Record<NextAction, string> = {
  CORRECT_REQUEST: "Go back, correct what you entered, and send it again.",
  USE_HTTPS: "Open this site over HTTPS.",
  SIGN_IN: "Sign in; you return to this page afterwards.",
  SIGN_IN_AGAIN: "Sign in again to confirm your identity; you return to this page afterwards.",
  OPEN_AGAIN:
    "The form became invalid because of a new sign-in in this browser, possibly in another tab or window. Open the page again.",
  ASK_OWNER: "Ask the person who granted this to you.",
  ASK_OWNER_TO_REAUTHORIZE: "Ask the person who granted this authority to grant it again.",
  ASK_OPERATOR: "Ask the operator of this site.",
  ASK_FOR_NEW_INVITATION:
    "Compare the code with the one that you received, or ask the person who invited you for a new invitation.",
  CHECK_CODE: "Compare the code with the one that the agent shows, or let the agent request a new code.",
  START_NEW_CONNECTION: "Let the agent start a new connection; it shows you a new code.",
  CREATE_NEW_GRANT: "Give the agent a new grant.",
  CREATE_NEW_ONE: "Create a new one; the previous secret cannot be shown again.",
  REREAD_GRANT: "Open the agent again to see the current state of its grant.",
  REREAD_PROPOSAL: "Open the proposal again to see its current state.",
  REREAD_SPECIFICATION: "Open the specification again, and use the version and digest that it shows.",
  REREAD_PUBLICATION: "Open the project again, and read the publication as it is now.",
  REREAD_PUBLICATIONS: "Open the results of the supplier again, and choose among those that are public now.",
  SHARE_RECORD: "Share the record with single persons from the page of the project.",
  REREAD_DRAFT: "Open the draft again to see its current state.",
  OPEN_SPECIFICATION_AGAIN: "Open the specification again, and start the draft from there.",
  REREAD_ORDER: "Open the Result Order again to see its current state.",
  ASK_FOR_NEW_ORDER: "Ask the supplier to withdraw this Result Order and to offer a new one.",
  AGREE_OUTSIDE: "Agree on the payment with the other party outside of this service.",
  OPEN_RECIPIENT_ACCOUNT: "Open the recipient account of your organization, and complete it at the payment provider.",
  END_MEMBERSHIP: "Ask a member who manages members to end a membership first.",
  REMOVE_CONTACT: "Remove a contact of your organization first.",
  EXPORT_COMMERCE_RECORD: "Export the Commerce Record of this payment attempt.",
  USE_EARLIER_EXPORT: "Use the Commerce Record that was exported before the limit was reached.",
  REREAD_PROJECT: "Open the project again to see its current state.",
  USE_NEW_REQUEST_ID: "Open the form again and send it once.",
  RETRY_SAVED_REQUEST: "Wait a moment, and try again.",
  WAIT: "Wait, then try again.",
  WAIT_FOR_HUMAN: "A person has to decide this first.",
  WAIT_FOR_OTHER_PARTY: "The other party has to act first.",
  REQUEST_DATE_CHANGE: "Agree on another date with the other party.",
  PREVIEW_CONFIRMATION: "Open the form again, and read what it asks you to confirm.",
  RESTART_DELIVERY_HISTORY: "Open the history again from its beginning.",
  USE_RETURNED_CHECKPOINT: "Open the history again from its beginning.",
  DISCARD_CALLBACK: "Discard the message: its signature is invalid, or it is too old.",
  READ_LEGAL_CONFIG: "Open the form again, and read the current documents."
}
