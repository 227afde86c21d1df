/** `countersign listen`: forwards the webhooks of a subscription to a program on this machine, without a public address. */
import * as fs from "node:fs"
import { Config, Console, Effect, Option, Redacted } from "effect"
import { Command, Flag } from "effect/cli"
import { isLoopback } from "../../adapters/configuration.ts"
import { replaceFile } from "../../adapters/private-file.ts"
import { CommandFailure, reportFailure } from "../production.ts"
import { longRunning } from "../shutdown.ts"
import { followHistory, type Start } from "./follow.ts"

const optional = (name: string, description: string) =>
  Flag.String(name).pipe(Flag.withDescription(description), Flag.optional)

const flags = {
  forward: Flag.String("forward").pipe(
    Flag.withDescription("The address of your program, such as http://localhost:3000/webhooks")
  ),
  subscription: Flag.String("subscription").pipe(Flag.withDescription("The id of the subscription")),
  service: optional("service", "The address of the service, or COUNTERSIGN_URL; by default http://127.0.0.1:8080"),
  tokenFile: optional("token-file", "A file with the agent's token, in place of COUNTERSIGN_TOKEN"),
  secretFile: optional("secret-file", "A file with the subscription's secret, in place of COUNTERSIGN_WEBHOOK_SECRET"),
  from: optional("from", "A checkpoint, or start for the whole history; by default what is queued from now on"),
  state: optional("state", "A file that keeps the checkpoint, from which the next run continues"),
  allowRemote: Flag.Boolean("allow-remote").pipe(
    Flag.withDefault(false),
    Flag.withDescription("Forward to another machine than this one, too")
  )
}

export const listen = Command.make("listen", flags, (given) =>
  Effect.gen(function* () {
    const url = yield* readForward(given.forward, given.allowRemote)
    const origin = yield* readService(given.service)
    const token = yield* readSecret("COUNTERSIGN_TOKEN", "--token-file", given.tokenFile)
    const secret = yield* readSecret("COUNTERSIGN_WEBHOOK_SECRET", "--secret-file", given.secretFile)
    const start = yield* readStart(given.from, given.state)
    const subscriptionId = given.subscription
    let checkpoint = start.kind === "CHECKPOINT" ? start.checkpoint : undefined
    const save = (now: string) => {
      checkpoint = now
      return Option.isNone(given.state) ? Effect.void : writeState(given.state.value, now)
    }
    const printEnd = Effect.suspend(() =>
      checkpoint === undefined ? Effect.void : Console.log(`continue with --from ${checkpoint}`)
    )
    yield* Console.log(`listening to ${subscriptionId} at ${origin}, forwarding to ${url}`)
    const api = { origin, token }
    return yield* followHistory({ api, subscriptionId, target: { url, secret }, save }, start).pipe(
      Effect.mapError(({ message }) => new CommandFailure({ message })),
      Effect.ensuring(printEnd)
    )
  }).pipe(longRunning, reportFailure)
).pipe(
  Command.withDescription(
    "Forward the webhooks of a subscription to a program on this machine while you develop it: reads the delivery history " +
      "with the agent's token, and posts each event with a valid signature. Ctrl+C ends it and prints the checkpoint"
  )
)

const unusable = (message: string) => Effect.fail(new CommandFailure({ message }))

const readForward = (text: string, allowRemote: boolean) => {
  const url = URL.parse(text)
  if (url === null || !["http:", "https:"].includes(url.protocol) || url.username !== "" || url.password !== "") {
    return unusable("--forward must be an http or https address without a user name, such as http://localhost:3000")
  }
  if (!allowRemote && !isLoopback(url.hostname)) {
    return unusable(`${url.hostname} is not this machine: add --allow-remote to forward events to it`)
  }
  return Effect.succeed(url.href)
}

/** The token goes over https, or to this machine. */
const readService = Effect.fnUntraced(function* (flag: Option.Option<string>) {
  const variable = yield* Config.String("COUNTERSIGN_URL").pipe(Config.withDefault("http://127.0.0.1:8080"))
  const text = Option.getOrElse(flag, () => variable)
  const url = URL.parse(text)
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname))
  if (url === null || !isSafe || url.pathname !== "/" || url.search !== "" || url.username !== "") {
    return yield* unusable(`${text} is no address of a service: https without a path, or http on this machine`)
  }
  return url.origin
})

const readSecret = Effect.fnUntraced(function* (variable: string, flag: string, file: Option.Option<string>) {
  const text = Option.isSome(file)
    ? yield* readText(flag, file.value)
    : Option.match(yield* Config.option(Config.Redacted(variable)), { onNone: () => "", onSome: Redacted.value })
  return text === "" ? yield* unusable(`set ${variable}, or name a file with ${flag}`) : Redacted.make(text)
})

const readStart = Effect.fnUntraced(function* (from: Option.Option<string>, state: Option.Option<string>) {
  const isKept = Option.isSome(state) && fs.existsSync(state.value)
  const text = Option.isNone(from) && isKept ? yield* readText("--state", state.value) : Option.getOrUndefined(from)
  if (text === undefined || text === "") return { kind: "NOW" } satisfies Start
  return text === "start" ? ({ kind: "START" } satisfies Start) : { kind: "CHECKPOINT" as const, checkpoint: text }
})

const readText = (flag: string, file: string) => onFile(flag, () => fs.readFileSync(file, "utf8").trim())

const writeState = (file: string, checkpoint: string) => onFile("--state", () => replaceFile(file, `${checkpoint}\n`))

const onFile = <A>(flag: string, act: () => A): Effect.Effect<A, CommandFailure> =>
  Effect.try({
    try: act,
    catch: (error) =>
      new CommandFailure({ message: `${flag}: ${error instanceof Error ? error.message : String(error)}` })
  })
