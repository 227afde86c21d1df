/** The program of the simulator. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { runSimulator } from "./commands/simulator.ts"

runSimulator.pipe(Effect.provide(NodeServices.layer), NodeRuntime.runMain)
