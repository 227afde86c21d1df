/** What follows a consent: what the agent does next, or that it got nothing, or that the person signs in once more. */
import { signInAgainPath } from "../local-path.ts"
import { page, type Viewer } from "../page.ts"
import { untrusted } from "../html.ts"
import { linkTo, list, nextStep, notice, paragraph } from "../parts.ts"
import type { Asking } from "./consent-request.ts"

/** Undefined while the connection still waits for an answer. */
export const outcomePage = (viewer: Viewer, { state, agentName, grantId }: Asking): string | undefined => {
  if (state === "PENDING") return undefined
  if (state === "APPROVED" || state === "COLLECTED") return approvedPage(viewer, agentName, grantId, state)
  if (state === "DENIED") return deniedPage(viewer)
  return page(
    { title: "This connection has ended", viewer, place: "connect" },
    paragraph("The agent did not collect what you gave it in time, and it was taken back."),
    nextStep("/workspace/connect", "Connect an agent")
  )
}

const approvedPage = (viewer: Viewer, agentName: string, grantId: string | null, state: "APPROVED" | "COLLECTED") =>
  page(
    { title: "You approved the agent", viewer, place: "connect" },
    notice("done", paragraph(untrusted(agentName), " has the access that you chose, and nothing else.")),
    list([
      state === "COLLECTED"
        ? "It has collected its credential."
        : "It collects its credential by itself within seconds; ten minutes after it asked, this is taken back if it did not.",
      "You find it among your agents: what it reaches, when it was last used, and when it ends.",
      "You can revoke it there at any time. Signing out does not stop it."
    ]),
    grantId === null
      ? nextStep("/workspace/agents", "Go to your agents")
      : nextStep(`/workspace/agents/${grantId}`, "See what it has")
  )

const deniedPage = (viewer: Viewer) =>
  page(
    { title: "You denied the agent", viewer, place: "connect" },
    notice("done", paragraph("The agent got nothing, and its code opens nothing any more.")),
    paragraph("If you did not start it, whoever did learns only that it was denied."),
    paragraph(linkTo("/workspace/", "Go to the start page"))
  )

/** The sign-in grew too old while the form was filled in. */
export const signInAgainPage = (viewer: Viewer, returnTo: string) =>
  page(
    { title: "Sign in again", viewer, place: "connect" },
    notice("warning", paragraph("Nothing was approved yet, and what you entered is not kept.")),
    paragraph(
      "Final decisions need a sign-in within the last five minutes, and yours is older. Sign in again: you come back to the same page, and choose once more."
    ),
    nextStep(signInAgainPath(returnTo), "Sign in again")
  )
