/** The load: clients that send commands to a server, or single statements to Postgres, and the CPU time that it takes. */
import { Effect, Redacted } from "effect"
import { openWriter } from "./bare-writes.ts"
import { lanesFor, runClients, turnsOn, type Spread, type Tally } from "./clients.ts"
import { cpuOfProcess, cpuOfTree } from "./cpu.ts"
import { sendCommands, type HttpLane } from "./http-commands.ts"

export interface LoadRequest extends Spread {
  readonly turns: number
  readonly target:
    | { readonly kind: "HTTP"; readonly origin: string; readonly lanes: ReadonlyArray<HttpLane> }
    | { readonly kind: "BARE"; readonly url: string }
  /** The processes whose CPU time is measured beside the client's own. */
  readonly serverPid: number | undefined
  readonly postmasterPid: number
}

/** The tally of a round, with the CPU time of each part in milliseconds. */
export interface LoadResult extends Tally {
  readonly server: number
  readonly postgres: number
  readonly client: number
}

const measure = async (request: LoadRequest, turn: (client: number) => Promise<"done" | "refused">) => {
  const { serverPid, postmasterPid } = request
  const read = () => ({
    server: serverPid === undefined ? 0 : cpuOfProcess(serverPid),
    postgres: cpuOfTree(postmasterPid)
  })
  const before = read()
  const own = process.cpuUsage()
  const tally = await runClients(request.clients, request.turns, turn)
  const { user, system } = process.cpuUsage(own)
  const after = read()
  return {
    ...tally,
    server: after.server - before.server,
    postgres: after.postgres - before.postgres,
    client: (user + system) / 1000
  } satisfies LoadResult
}

const sendOverHttp = (request: LoadRequest, origin: string, lanes: ReadonlyArray<HttpLane>) => {
  const { take, close } = sendCommands(origin, request.clients)
  return measure(request, turnsOn(request, [...lanes], take)).finally(close)
}

const writeBare = (request: LoadRequest, url: string) =>
  Effect.gen(function* () {
    const { take, clone } = yield* openWriter({ url: Redacted.make(url) }, request.clients)
    const lanes = yield* clone(lanesFor(request, request.turns))
    return yield* Effect.promise(() => measure(request, turnsOn(request, [...lanes], take)))
  }).pipe(Effect.scoped, Effect.runPromise)

export const runLoad = (request: LoadRequest): Promise<LoadResult> => {
  const { target } = request
  return target.kind === "HTTP" ? sendOverHttp(request, target.origin, target.lanes) : writeBare(request, target.url)
}
