/**
 * Prepares projects for commands, by the operations of one checkout on its own database. Its argument is the root of
 * that checkout, and the variables of the installation are in its environment.
 */
import { createRequire } from "node:module"
import * as path from "node:path"
import { pathToFileURL } from "node:url"
import { answerRequests } from "./child-process.ts"
import { arenaSizes, lanesOf, type HttpLane } from "./http-commands.ts"

export interface LaneRequest {
  readonly projects: number
}

const root = process.argv[2]!
const moduleOf = (file: string) => import(pathToFileURL(path.join(root, file)).href)
const ownEffect = createRequire(path.join(root, "package.json")).resolve("effect")

const { Effect, Layer, ManagedRuntime } = (await import(pathToFileURL(ownEffect).href)) as typeof import("effect")
const { makeArena } = (await moduleOf("test/processes/arena.ts")) as typeof import("../../processes/arena.ts")
const { operator } = (await moduleOf("test/support/installation.ts")) as typeof import("../../support/installation.ts")
const { Service } = (await moduleOf("src/service.ts")) as typeof import("../../../src/service.ts")

const environment = Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? ""]))
const runtime = ManagedRuntime.make(Service.pipe(Layer.provideMerge(operator(environment))))

answerRequests(async ({ projects }: LaneRequest): Promise<ReadonlyArray<HttpLane>> => {
  const arenas = await runtime.runPromise(Effect.forEach(arenaSizes(projects), makeArena, { concurrency: 4 }))
  return arenas.flatMap(lanesOf)
})
