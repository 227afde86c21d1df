/** The contract of every store: one suite, run on each of them. */
import { describe } from "@effect/vitest"
import { claimContract } from "./storage/claims.ts"
import { failureContract } from "./storage/failures.ts"
import { lockContract } from "./storage/locks.ts"
import { misuseContract } from "./storage/misuse.ts"
import type { EmptyStore } from "./storage/processes.ts"
import { partitionContract } from "./storage/partitions.ts"
import { rangeContract } from "./storage/ranges.ts"
import { combinedStatementsContract } from "./storage/combined-statements.ts"
import { transactionContract } from "./storage/transactions.ts"
import { valueContract } from "./storage/values.ts"
import { afterCommitContract } from "./storage/after-commit.ts"

export const storageContract = (name: string, fresh: EmptyStore): void => {
  describe(`Storage on ${name}`, () => {
    describe("transactions", () => transactionContract(fresh))
    describe("locks", () => lockContract(fresh))
    describe("misuse", () => misuseContract(fresh))
    describe("ranges", () => rangeContract(fresh))
    describe("partitions", () => partitionContract(fresh))
    describe("combined reads and writes", () => combinedStatementsContract(fresh))
    describe("values", () => valueContract(fresh))
    describe("claims", () => claimContract(fresh))
    describe("failures", () => failureContract(fresh))
    describe("after-commit actions", () => afterCommitContract(fresh))
  })
}
