/** Asserts that every refusal in a test is declared for its operation in the API documents. */
import { assert } from "@effect/vitest"
import { HttpApi, type HttpApiGroup } from "effect/http-api"
import { Api } from "../../src/api/agents.ts"
import { refusalsOf } from "../../src/documents/operation.ts"
import { PublicApi } from "../../src/api/public.ts"
import type { RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { WorkspaceApi } from "../../src/api/people.ts"

interface Operation {
  readonly name: string
  readonly method: string
  readonly pattern: RegExp
  readonly codes: ReadonlyArray<RefusalCode>
}

const operationsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(api: HttpApi.HttpApi<Id, Groups>) => {
  const codesOf = refusalsOf(api)
  const found: Array<Operation> = []
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint: { identifier, method, path } }) => {
      const pattern = new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)
      found.push({ name: identifier, method, pattern, codes: codesOf.get(identifier)! })
    }
  })
  return found
}

const operations = [...operationsOf(Api), ...operationsOf(PublicApi), ...operationsOf(WorkspaceApi)]

/** Asserts that the operation declares the refusal; a path that is no operation, such as a page, declares none. */
export const assertDeclared = (method: string, path: string, code: unknown): void => {
  const operation = operations.find((one) => one.method === method && one.pattern.test(path.replace(/\?.*/, "")))
  if (operation === undefined) return
  assert.isTrue(
    operation.codes.includes(code as RefusalCode),
    `${operation.name} gave ${String(code)}, which its endpoint does not declare`
  )
}
