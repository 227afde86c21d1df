/** The service on both stores, for tests whose promises hold on each. */
import { memoryTestService } from "./memory-service.ts"
import { freshTestService } from "./service.ts"

export const bothStores = [
  ["in memory", memoryTestService],
  ["on Postgres", freshTestService]
] as const
