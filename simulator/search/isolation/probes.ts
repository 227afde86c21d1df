/** Every probe, in report order. */
import { withNames } from "../../properties/support/names.ts"
import type { Probe } from "./probe.ts"
import { availableActionsAreAccurate } from "./available-actions-are-accurate.ts"
import { everyPackageVerifies } from "./every-package-verifies.ts"
import { tenantIsolation } from "./tenant-isolation.ts"
import { stopIsAlwaysAvailable } from "./stop-is-always-available.ts"

export const probes: ReadonlyArray<Probe> = [
  stopIsAlwaysAvailable,
  availableActionsAreAccurate,
  everyPackageVerifies,
  tenantIsolation
].map((probe) => ({
  ...probe,
  findViolation: (prepared, attempted) => {
    const words = probe.findViolation(prepared, attempted)
    const { directory } = attempted.context ?? prepared.from.context
    return words === undefined ? undefined : withNames(words, directory)
  }
}))
