/** Every probe, in report order. */
import { withNames } from "../../properties/support/names.ts"
import type { Probe } from "./probe.ts"
import { availableActionsAreAccurate } from "./available-actions-are-accurate.ts"
import { everyExportVerifies } from "./every-export-verifies.ts"
import { historyIsolation } from "./history-isolation.ts"
import { tenantIsolation } from "./tenant-isolation.ts"
import { stopIsAlwaysAvailable } from "./stop-is-always-available.ts"

export const probes: ReadonlyArray<Probe> = [
  stopIsAlwaysAvailable,
  availableActionsAreAccurate,
  everyExportVerifies,
  tenantIsolation,
  historyIsolation
].map((probe) => ({
  ...probe,
  findViolation: (root, result) => {
    const words = probe.findViolation(root, result)
    const { directory } = result.context ?? root.from.context
    return words === undefined ? undefined : withNames(words, directory)
  }
}))
