/** What follows a consent: what the agent does next, or that it got nothing, or that the person signs in once more. */
import { Effect } from "effect"
import { isExpired } from "../../access/connection.ts"
import { readOwnGrant } from "../../access/grants.ts"
import { now as currentTime, type Instant } from "../../vocabulary/instant.ts"
import { signInAgainPath } from "../local-path.ts"
import { page, type Viewer } from "../page.ts"
import { untrusted } from "../html.ts"
import { linkTo, list, nextStep, notice, paragraph } from "../parts.ts"
import type { Visitor } from "../visitor.ts"
import { agentPath, grantFacts, grantRequirements, readNames } from "./agents-grant.ts"
import type { Asking } from "./consent-request.ts"

/** Undefined while the connection still waits for an answer. */
export const outcomePage = Effect.fnUntraced(function* (visitor: Visitor, asking: Asking) {
  if (asking.state === "DENIED") return deniedPage(visitor.viewer)
  const now = yield* currentTime
  const grantId = grantBehind(asking, now)
  if (grantId !== null) return yield* approvedPage(visitor, asking, grantId)
  return asking.state === "ENDED" || isExpired(asking, now) ? endedPage(visitor.viewer, asking) : undefined
})

/** What the agent was given and has collected, or still can. */
export const grantBehind = (asking: Asking, now: Instant): string | null =>
  asking.state === "COLLECTED" || (asking.state === "APPROVED" && !isExpired(asking, now)) ? asking.grantId : null

export interface Approval {
  /** True where this answer came after another one, and changed nothing. */
  readonly isLate: boolean
}

/** What the grant has, whichever tab it was chosen in. */
export const approvedPage = Effect.fnUntraced(function* (
  visitor: Visitor,
  { state, agentName }: Asking,
  grantId: string,
  { isLate }: Approval = { isLate: false }
) {
  const seen = yield* readOwnGrant(visitor.person, grantId)
  const names = yield* readNames(visitor, seen.proposalIds)
  return page(
    { title: isLate ? "It was approved already" : "You approved the agent", viewer: visitor.viewer, place: "connect" },
    isLate
      ? notice(
          "warning",
          paragraph(
            untrusted(agentName),
            " was approved already; what you sent now changed nothing. It was given this:"
          )
        )
      : notice("done", paragraph(untrusted(agentName), " was given this access, and nothing else.")),
    grantFacts(seen, names),
    grantRequirements(seen),
    list([
      state === "COLLECTED"
        ? "It has collected its credential."
        : "It collects its credential by itself within seconds; ten minutes after it asked, this is taken back if it did not.",
      "You find it among your agents: what it reaches, when it was last used, and when it ends.",
      "You can revoke it there at any time. Signing out does not stop it."
    ]),
    nextStep(agentPath(grantId), "Go to the agent")
  )
})

const endedPage = (viewer: Viewer, { grantId }: Asking) =>
  page(
    { title: "This connection has ended", viewer, place: "connect" },
    grantId === null
      ? paragraph("Nobody answered within ten minutes: the agent got nothing.")
      : [
          paragraph(
            "The agent did not collect what you gave it in time. It was taken back, unless you renewed it meanwhile."
          ),
          paragraph(linkTo(agentPath(grantId), "See what became of it"))
        ],
    nextStep("/workspace/connect", "Connect an agent")
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
      "Accepting and issuing need a sign-in within the last five minutes, and yours is older. Sign in again: you come back to the same page, and choose once more."
    ),
    nextStep(signInAgainPath(returnTo), "Sign in again")
  )
