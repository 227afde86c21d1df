/** The next step of a refusal in words for a person at a page. */
import type { refusals, RefusalCode } from "../vocabulary/refusal-rules.ts"

type NextActionOf<Code extends RefusalCode> = (typeof refusals)[Code] extends { readonly nextAction: infer Name }
  ? Name
  : never

export type NextAction = { [Code in RefusalCode]: NextActionOf<Code> }[RefusalCode]

export const nextSteps: Record<NextAction, string> = {
  CORRECT_REQUEST: "Go back, correct what you entered, and send it again.",
  USE_HTTPS: "Open this site over HTTPS.",
  SIGN_IN: "Sign in, and you come back here.",
  SIGN_IN_AGAIN: "Sign in once more to show that it is you; then you come back here.",
  OPEN_AGAIN: "That is so after a new sign-in in this browser, also in another tab or window.",
  ASK_OWNER: "Ask the person who gave this to you.",
  ASK_OWNER_TO_REAUTHORIZE: "Ask the person who gave this authority to give it anew.",
  ASK_OPERATOR: "Ask the operator of this site.",
  ASK_FOR_NEW_INVITATION: "Compare it with what you were sent, or ask who invited you for a new invitation.",
  CHECK_CODE: "Compare the code with the one that the agent shows, or let the agent ask for a new one.",
  START_NEW_CONNECTION: "Let the agent start a new connection; it shows you a new code.",
  CREATE_NEW_GRANT: "Give the agent a new grant.",
  CREATE_NEW_ONE: "Make a new one; what was shown before cannot be shown again.",
  REREAD_GRANT: "Open the agent again to see how its grant stands now.",
  REREAD_PROPOSAL: "Open the proposal again to see how it stands now.",
  REREAD_SPECIFICATION: "Open the specification again, and use the version and digest that it shows.",
  REREAD_DRAFT: "Open the draft again to see how it stands now.",
  OPEN_SPECIFICATION_AGAIN: "Open the specification again, and start the draft from there.",
  REREAD_PROJECT: "Open the project again to see how it stands now.",
  USE_NEW_REQUEST_ID: "Open the form again, and send it once.",
  RETRY_SAVED_REQUEST: "Wait a moment, and try again.",
  WAIT: "Wait, and try again then.",
  WAIT_FOR_HUMAN: "A person has to decide this first.",
  REQUEST_DATE_CHANGE: "Agree on another date with the other side.",
  PREVIEW_CONFIRMATION: "Open the form again, and read what it asks you to confirm.",
  RESTART_DELIVERY_HISTORY: "Open the history again from its beginning.",
  USE_RETURNED_CHECKPOINT: "Open the history again from its beginning.",
  DISCARD_CALLBACK: "Do nothing with what came: it is not from here, or too old.",
  READ_LEGAL_CONFIG: "Open the form again, and read the current documents."
}
