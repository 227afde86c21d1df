/** Reads, refusals and replays change nothing (spec 1, 4.3): all that they may leave behind is listed here. */
import { Connections } from "../../src/access/store.ts"
import { valueAt } from "../script/json.ts"
import { askedBy, broken, invariant, type RequestSeen } from "./invariant.ts"
import { type CommitSeen, isNote, isNumbering } from "./support/commits.ts"

export const readsWriteNothing = invariant<ReadonlyArray<string>>({
  name: "reads write nothing",
  kind: "always",
  says: "What is refused, read or replayed leaves nothing behind but what is listed here.",
  // Requests that nobody has answered yet and that wrote something else: who sent each, and in which step.
  begins: [],
  sees: (wrote, { observed, request }) => {
    if (request === undefined) return wrote
    const place = askedBy(request)
    if (observed.kind === "commit") {
      return isListed(observed, request) || wrote.includes(place) ? wrote : [...wrote, place].sort()
    }
    if (!wrote.includes(place)) return wrote
    if (observed.kind === "response") {
      const { status, body } = observed
      const became = isRefused(status) ? "refused" : isRead(request) ? "only read" : "replayed"
      if (became !== "replayed" || valueAt(body ?? null, "replayed") === true) {
        return broken(`${request.method} ${request.path} was ${became}, and wrote something all the same`)
      }
    }
    return wrote.filter((one) => one !== place)
  }
})

/** Where the service cannot tell whether it committed, it answers 503; that is no refusal. */
const isRefused = (status: number): boolean => status >= 400 && status < 500

/** Beside every GET, what asks with a body and changes nothing. */
const isRead = ({ method, path }: RequestSeen): boolean => method === "GET" || readingPaths.test(path)

const readingPaths = /\/(status|verify|confirmation-preview|invitations\/read|exports\/[a-z-]+)$/

const isListed = (commit: CommitSeen, { method, path }: RequestSeen): boolean =>
  // When a credential or a session was used, and how often somebody guessed at a code, whatever came of it.
  commit.writes.every(isNote) ||
  // A reader of the history numbers what was queued before, as a worker would a moment later.
  (method === "GET" && isNumbering(commit)) ||
  // A poll that is refused counts as one: the next has to wait longer.
  (path.endsWith("/connections/poll") && commit.writes.every(({ table }) => table === Connections.name)) ||
  // Subscriptions whose authority is gone make room, though there may be no room yet.
  (path.endsWith("webhooks") && commit.writes.every(({ change }) => change !== "insert"))
