#!/usr/bin/env node
/** The production composition root and command line. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { runCountersign } from "./command-line/countersign.ts"
import { installShutdown, Shutdown } from "./command-line/shutdown.ts"

const { shutdown, teardown } = installShutdown()
runCountersign.pipe(Effect.provideService(Shutdown, shutdown), Effect.provide(NodeServices.layer), (program) =>
  NodeRuntime.runMain(program, { teardown })
)
