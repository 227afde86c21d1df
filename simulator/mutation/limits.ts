/** Mutants of limits: one more than permitted. */
import type { Mutant } from "./mutant.ts"

export const limitMutants: ReadonlyArray<Mutant> = [
  {
    name: "one-subscription-too-many",
    says: "An owner at the limit gets one more subscription.",
    file: "src/webhooks/create.ts",
    text: "if (live.length >= limits.subscriptionsPerOwner) {",
    becomes: "if (live.length > limits.subscriptionsPerOwner) {",
    killedBy: ["limits are enforced"],
    scenarios: ["races/last-free-slot"]
  },
  {
    name: "one-agreement-too-many",
    says: "A grant at the limit of its scope takes one more agreement.",
    file: "src/access/grant.ts",
    text: 'if (projectCount >= limits.projectsPerGrant) return yield* refuse("CREATED_PROJECT_LIMIT")',
    becomes: 'if (projectCount > limits.projectsPerGrant) return yield* refuse("CREATED_PROJECT_LIMIT")',
    killedBy: ["limits are enforced"],
    scenarios: ["races/project-limit"]
  }
]
