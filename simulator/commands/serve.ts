/** `simulate serve [scenario]`: the service over HTTP on this machine, in worlds with controllable virtual time. */
import { Command } from "effect/cli"
import { Effect } from "effect"
import { servingFlags, serveWhile } from "./serve-lifecycle.ts"

export const serve = Command.make(
  "serve",
  servingFlags,
  Effect.fn(function* (input) {
    yield* serveWhile(input, () => Effect.void)
  }, Effect.scoped)
).pipe(
  Command.withDescription(
    "Serve the service over HTTP on 127.0.0.1, in a world whose virtual time advances only on request: by the control API " +
      "below /sim/, or on the page there. Ends with SIGINT, SIGTERM, or POST /sim/stop."
  ),
  Command.withShortDescription("Serve a world over HTTP, with a control API and a page"),
  Command.withExamples([
    { command: "simulate serve", description: "A buyer, a supplier, and a webhook receiver" },
    {
      command: "simulate serve scenarios/first-record/first-record/scenario.yaml --play",
      description: "Start from the end of a scenario"
    },
    {
      command: "simulate serve --program hooks=http://127.0.0.1:9000/callbacks",
      description: "Send webhooks to a real program"
    }
  ])
)
