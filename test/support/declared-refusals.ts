/** Asserts that every refusal in a test is declared for its operation in the API documents. */
import { assert } from "@effect/vitest"
import { HttpApi } from "effect/http-api"
import { Api } from "../../src/api/agents.ts"
import { refusalsOf, type OperationTraits } from "../../src/documents/operation.ts"
import { PublicApi } from "../../src/api/public.ts"
import type { RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { WorkspaceApi } from "../../src/api/people.ts"

/** The authentication of an operation, by the middleware that reads it. */
const openings: ReadonlyArray<readonly [key: string, opening: OperationTraits["credential"]]> = [
  ["countersign/access/Bearer", "bearer"],
  ["countersign/participation/AssistantBearer", "participation"],
  ["countersign/people/SessionAuthentication", "session"]
]

interface Operation {
  readonly name: string
  readonly method: string
  readonly pattern: RegExp
  readonly codes: ReadonlyArray<RefusalCode>
}

const operations: ReadonlyArray<Operation> = (() => {
  const found: Array<Operation> = []
  const onEndpoint = ({ endpoint, middleware }: any) => {
    const keys: ReadonlyArray<string> = [...middleware].map(({ key }) => key)
    const opening = openings.find(([key]) => keys.includes(key))?.[1] ?? "none"
    const operation = {
      name: endpoint.identifier,
      method: endpoint.method.toLowerCase(),
      credential: opening,
      hasPathId: endpoint.path.includes(":")
    }
    const pattern = new RegExp(`^${endpoint.path.replaceAll(/:\w+/g, "[^/]+")}$`)
    found.push({ name: operation.name, method: endpoint.method, pattern, codes: refusalsOf(operation) })
  }
  HttpApi.reflect(Api, { onGroup: () => {}, onEndpoint })
  HttpApi.reflect(PublicApi, { onGroup: () => {}, onEndpoint })
  HttpApi.reflect(WorkspaceApi, { onGroup: () => {}, onEndpoint })
  return found
})()

/** Asserts that the operation declares the refusal; a path that is no operation, such as a page, declares none. */
export const assertDeclared = (method: string, path: string, code: unknown): void => {
  const operation = operations.find((one) => one.method === method && one.pattern.test(path.replace(/\?.*/, "")))
  if (operation === undefined) return
  assert.isTrue(
    operation.codes.includes(code as RefusalCode),
    `${operation.name} gave ${String(code)}, which its table in src/documents does not declare`
  )
}
