/** Reads the keys again in every server and worker. */
import { Effect } from "effect"
import { type ReloadReport, requestReload } from "../../adapters/reload-requests.ts"
import { limits } from "../../vocabulary/limits.ts"
import { CommandFailure } from "../production.ts"
import { act } from "./act.ts"

export const reloadKeysCommand = act(
  "reload-keys",
  {},
  {
    description:
      "Read the issuer keys, the secret key and the TLS files again in every server and worker on this database; " +
      "exits with 1 unless all of them use the new ones",
    changes: "FILES",
    run: () => Effect.flatMap(requestReload, requireAllReloaded)
  }
)

const requireAllReloaded = (report: ReloadReport) => {
  const { reloaded, refused, unanswered } = report
  if (refused.length + unanswered.length > 0) {
    const parts = [
      ...refused.map(({ process, reason }) => `${process} keeps its keys: ${reason}`),
      ...unanswered.map((process) => `${process} did not answer within ${limits.keyReloadAnswers / 1000} seconds`),
      ...(reloaded.length === 0 ? [] : [`reloaded: ${reloaded.join(", ")}`])
    ]
    return Effect.fail(new CommandFailure({ message: parts.join("; ") }))
  }
  return reloaded.length === 0
    ? Effect.fail(
        new CommandFailure({ message: "no server or worker listens on this database: start one, or ask again" })
      )
    : Effect.succeed(report)
}
