/** The pages after a consent: approved, denied, expired, or a sign-in is needed again. */
import { Effect } from "effect"
import { isExpired } from "../../access/connection.ts"
import { readOwnGrant } from "../../access/grants.ts"
import { now as currentTime, type Instant } from "../../vocabulary/instant.ts"
import { signInAgainPath } from "../kit/local-path.ts"
import { page, type Viewer } from "../kit/page.ts"
import { untrusted } from "../kit/html.ts"
import { linkTo, list, nextStep, notice, paragraph } from "../kit/parts.ts"
import type { Visitor } from "../kit/visitor.ts"
import { agentPath, grantFacts, grantRequirements, readGrantNames } from "./grant.ts"
import type { ConnectionRequest } from "./consent-request.ts"

/** Undefined while the connection is pending. */
export const outcomePage = Effect.fnUntraced(function* (visitor: Visitor, connection: ConnectionRequest) {
  if (connection.state === "DENIED") return deniedPage(visitor.viewer)
  const now = yield* currentTime
  const grantId = collectableGrantId(connection, now)
  if (grantId !== null) return yield* approvedPage(visitor, connection, grantId)
  return connection.state === "ENDED" || isExpired(connection, now) ? endedPage(visitor.viewer, connection) : undefined
})

/** The grant that the agent has collected or can still collect. */
export const collectableGrantId = (connection: ConnectionRequest, now: Instant): string | null =>
  connection.state === "COLLECTED" || (connection.state === "APPROVED" && !isExpired(connection, now))
    ? connection.grantId
    : null

export interface Approval {
  /** True where the connection was decided before and this request changed nothing. */
  readonly isLate: boolean
}

/** Shows the actual grant, also where another tab approved it. */
export const approvedPage = Effect.fnUntraced(function* (
  visitor: Visitor,
  { state, agentName }: ConnectionRequest,
  grantId: string,
  { isLate }: Approval = { isLate: false }
) {
  const model = yield* readOwnGrant(visitor.person, grantId)
  const names = yield* readGrantNames(visitor, model.proposalIds)
  return page(
    { title: isLate ? "It was already approved" : "You approved the agent", viewer: visitor.viewer, place: "connect" },
    isLate
      ? notice(
          "warning",
          paragraph(untrusted(agentName), " was already approved; this request changed nothing. It has this access:")
        )
      : notice("done", paragraph(untrusted(agentName), " was given this access, and nothing else.")),
    grantFacts(model, names),
    grantRequirements(model),
    list([
      state === "COLLECTED"
        ? "It has collected its credential."
        : "It collects its credential within seconds. If it does not within ten minutes of its request, the access is withdrawn.",
      "It is listed among your agents, with its scope, its last use and its end.",
      "You can revoke it there at any time. Signing out does not stop it."
    ]),
    nextStep(agentPath(grantId), "Go to the agent")
  )
})

const endedPage = (viewer: Viewer, { grantId }: ConnectionRequest) =>
  page(
    { title: "This connection has ended", viewer, place: "connect" },
    grantId === null
      ? "The request was not answered within ten minutes: the agent got no access."
      : [
          "The agent did not collect its credential in time. Its access was withdrawn, unless you renewed it meanwhile.",
          paragraph(linkTo(agentPath(grantId), "See its current state"))
        ],
    nextStep("/workspace/connect", "Connect an agent")
  )

const deniedPage = (viewer: Viewer) =>
  page(
    { title: "You denied the agent", viewer, place: "connect" },
    notice("done", "The agent got no access, and its code is invalid."),
    "If you did not start the agent, the person who did learns only that it was denied.",
    paragraph(linkTo("/workspace/", "Go to the start page"))
  )

/** The sign-in became too old while the form was filled in. */
export const signInAgainPage = (viewer: Viewer, returnTo: string) =>
  page(
    { title: "Sign in again", viewer, place: "connect" },
    notice("warning", "Nothing was approved, and the entered values were not saved."),
    "Accepting and issuing require a sign-in within the last five minutes, and yours is older. Sign in again; you return to the same page and choose again.",
    nextStep(signInAgainPath(returnTo), "Sign in again")
  )
