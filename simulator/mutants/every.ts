/** Every mutant, in report order. */
import type { Mutant } from "./mutant.ts"
import { mutantsOfAuthority } from "./of-authority.ts"
import { mutantsOfCallbacks } from "./of-callbacks.ts"
import { mutantsOfLimits } from "./of-limits.ts"
import { mutantsOfFaults } from "./of-faults.ts"
import { mutantsOfProjects } from "./of-projects.ts"
import { mutantsOfProposals } from "./of-proposals.ts"
import { mutantsOfReceivers } from "./of-receivers.ts"
import { mutantsOfRecords } from "./of-records.ts"
import { mutantsOfRequests } from "./of-requests.ts"
import { mutantsOfSearches } from "./of-searches.ts"
import { mutantsOfSessions } from "./of-sessions.ts"
import { mutantsOfTheStore } from "./of-the-store.ts"
import { mutantsOfWorkers } from "./of-workers.ts"

export const mutants: ReadonlyArray<Mutant> = [
  ...mutantsOfProjects,
  ...mutantsOfAuthority,
  ...mutantsOfRequests,
  ...mutantsOfTheStore,
  ...mutantsOfCallbacks,
  ...mutantsOfWorkers,
  ...mutantsOfReceivers,
  ...mutantsOfRecords,
  ...mutantsOfProposals,
  ...mutantsOfLimits,
  ...mutantsOfSearches,
  ...mutantsOfFaults,
  ...mutantsOfSessions
]
