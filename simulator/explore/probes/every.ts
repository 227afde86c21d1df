/** Every probe, in report order. */
import { withNames } from "../../invariants/support/names.ts"
import type { Probe } from "../probe.ts"
import { availableActionsTellTheTruth } from "./available-actions-tell-the-truth.ts"
import { everyPackageVerifies } from "./every-package-verifies.ts"
import { othersChangeNothing } from "./others-change-nothing.ts"
import { theBrakeAlwaysWorks } from "./the-brake-always-works.ts"

export const probes: ReadonlyArray<Probe> = [
  theBrakeAlwaysWorks,
  availableActionsTellTheTruth,
  everyPackageVerifies,
  othersChangeNothing
].map((probe) => ({
  ...probe,
  tries: (prepared, attempted) => {
    const words = probe.tries(prepared, attempted)
    const { directory } = attempted.journey ?? prepared.from.journey
    return words === undefined ? undefined : withNames(words, directory)
  }
}))
