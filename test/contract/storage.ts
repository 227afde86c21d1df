/** What every store must keep: one suite, run on each of them. */
import { describe } from "@effect/vitest"
import { claimContract } from "./storage/claims.ts"
import { failureContract } from "./storage/failures.ts"
import { lockContract } from "./storage/locks.ts"
import { misuseContract } from "./storage/misuse.ts"
import type { Fresh } from "./storage/processes.ts"
import { rangeContract } from "./storage/ranges.ts"
import { togetherContract } from "./storage/together.ts"
import { transactionContract } from "./storage/transactions.ts"
import { valueContract } from "./storage/values.ts"
import { wakeContract } from "./storage/wakes.ts"

export const storageContract = (name: string, fresh: Fresh): void => {
  describe(`Storage on ${name}`, () => {
    describe("transactions", () => transactionContract(fresh))
    describe("locks", () => lockContract(fresh))
    describe("misuse", () => misuseContract(fresh))
    describe("ranges", () => rangeContract(fresh))
    describe("reads and writes together", () => togetherContract(fresh))
    describe("values", () => valueContract(fresh))
    describe("claims", () => claimContract(fresh))
    describe("failures", () => failureContract(fresh))
    describe("what runs after a commit", () => wakeContract(fresh))
  })
}
