/** The OpenAPI documents compared with the exchanges of the scenarios: responses, refusals and examples. */
import { assert, describe, it } from "@effect/vitest"
import { existsSync, readFileSync } from "node:fs"
import { Api } from "../../src/api/agents.ts"
import { WorkspaceApi } from "../../src/api/people.ts"
import { PublicApi } from "../../src/api/public.ts"
import { documentFor, documentPaths } from "../../src/documents/document.ts"
import { refusalsOf } from "../../src/documents/operation.ts"
import * as sharedChecks from "../../src/vocabulary/shared-checks.ts"
import { tagDescriptions } from "../../src/documents/tags.ts"
import { refusals, type RefusalCode } from "../../src/vocabulary/refusal-rules.ts"
import { objectsIn, operationAt, operationsOf, validator } from "../support/openapi.ts"
import { examplesFile, examplesText, recordedExchanges } from "./examples.ts"
import { coveringTests } from "./covering-tests.ts"

const siteUrl = "https://countersign.test"
const documents: ReadonlyArray<any> = documentPaths.map((path) => documentFor(path, siteUrl))
const exchanges = recordedExchanges()

interface DeclaredOperation {
  readonly operation: string
  readonly document: any
  readonly codes: ReadonlyArray<RefusalCode>
}

const codesOf = new Map([...refusalsOf(Api), ...refusalsOf(WorkspaceApi), ...refusalsOf(PublicApi)])

const declared: ReadonlyArray<DeclaredOperation> = documents.flatMap((document) =>
  operationsOf(document).map(({ operationId }) => ({
    operation: operationId,
    document,
    codes: codesOf.get(operationId)!
  }))
)
const declaredOf = new Map(declared.map((one) => [one.operation, one]))

describe("the refusals that the documents declare", () => {
  /** The refusals in the scenarios, by operation. */
  const observed = new Map<string, Set<string>>()
  for (const { operation, status, response } of exchanges) {
    if (status >= 400) observed.set(operation, (observed.get(operation) ?? new Set()).add((response as any)?.error))
  }

  it("Refusals are declared for exactly the operations of the documents.", () => {
    assert.sameMembers(
      [...codesOf.keys()],
      declared.map(({ operation }) => operation)
    )
  })

  it("Every refusal in a scenario is declared by its operation.", () => {
    const undeclared = [...observed].flatMap(([operation, codes]) =>
      [...codes]
        .filter((code) => !declaredOf.get(operation)!.codes.includes(code as RefusalCode))
        .map((code) => `${operation} ${code}`)
    )
    assert.deepStrictEqual(undeclared, [])
  })

  it("Every declared refusal occurs in a scenario or a named test, at the operation or at another with the same shared check.", () => {
    const occurs = (operation: string, code: RefusalCode): boolean =>
      observed.get(operation)?.has(code) === true || coveringTests[operation]?.[code] !== undefined
    const checks: ReadonlyArray<ReadonlyArray<RefusalCode>> = Object.values(sharedChecks)
    const isShared = (codes: ReadonlyArray<RefusalCode>, code: RefusalCode): boolean =>
      checks.some(
        (check) =>
          check.includes(code) &&
          check.every((one) => codes.includes(one)) &&
          declared.some((other) => check.every((one) => other.codes.includes(one)) && occurs(other.operation, code))
      )
    const untested = declared.flatMap(({ operation, codes }) =>
      codes.filter((code) => !occurs(operation, code) && !isShared(codes, code)).map((code) => `${operation} ${code}`)
    )
    assert.deepStrictEqual(untested, [])
  })

  it("Every named test exists, and every named refusal is declared.", () => {
    for (const [operation, codes] of Object.entries(coveringTests)) {
      for (const [code, file] of Object.entries(codes)) {
        assert.isTrue(existsSync(new URL(`../../${file}`, import.meta.url)), `${operation} ${code} ${file}`)
        assert.isTrue(declaredOf.get(operation)?.codes.includes(code as RefusalCode), `${operation} ${code}`)
      }
    }
  })

  it("Each operation documents its refusals under their statuses.", () => {
    for (const { operation, document, codes } of declared) {
      const { responses } = operationsOf(document).find(({ operationId }) => operationId === operation)
      const shown = Object.entries<any>(responses)
        .filter(([status]) => Number(status) >= 400)
        .map(([status, { content }]) => [status, content["application/json"].schema.allOf[1].properties.error.enum])
      const statuses = [...new Set(codes.map((code) => refusals[code].status))]
      assert.deepStrictEqual(
        shown,
        statuses.map((status) => [String(status), codes.filter((code) => refusals[code].status === status)]),
        operation
      )
    }
  })
})

/** A response, or the JSON file of one that is a ZIP file. */
const jsonOf = (response: any) =>
  response?.files?.find(({ name }: { readonly name: string }) => name.endsWith(".json"))?.content ?? response

describe("the OpenAPI documents", () => {
  it.each(documentPaths)(
    "The document %s names the servers of the installation, a contact, a licence and every tag.",
    (path) => {
      for (const url of [siteUrl, "https://elsewhere.example"]) {
        const { servers, info, tags } = documentFor(path, url) as any
        assert.deepStrictEqual(servers, [{ url, description: "This installation." }])
        assert.strictEqual(info.contact.url, url)
        assert.isNotEmpty(info.license.name)
        for (const { name, description } of tags) assert.strictEqual(description, tagDescriptions[name], name)
      }
    }
  )

  it("The documents describe every tag and every operation.", () => {
    const tags = documents.flatMap((document) => document.tags.map(({ name }: { readonly name: string }) => name))
    assert.sameMembers(Object.keys(tagDescriptions), tags)
    for (const document of documents) {
      for (const { operationId, description } of operationsOf(document)) {
        assert.match(description, /^[A-Z].*\.$/, operationId)
        assert.notInclude(description, "undefined", operationId)
      }
    }
  })

  it("The documents bound every list of a response, and no `anyOf` has a single alternative.", () => {
    for (const document of documents) {
      for (const schema of objectsIn({ paths: document.paths, components: document.components })) {
        if (Array.isArray(schema.anyOf)) assert.isAtLeast(schema.anyOf.length, 2, JSON.stringify(schema))
        const isList = schema.type === "array" && schema.items !== undefined
        if (isList) assert.isDefined(schema.maxItems, JSON.stringify(schema).slice(0, 200))
      }
    }
  })

  it("The documents type the whole agreement of a project.", () => {
    for (const [index, name] of [
      [0, "ProjectView"],
      [1, "PersonProjectView"]
    ] as const) {
      const { agreement } = documents[index].components.schemas[name].properties.project.properties
      assert.isFalse(agreement.additionalProperties)
      assert.includeMembers(Object.keys(agreement.properties), ["digest", "version", "criteria", "deadline", "signing"])
    }
  })

  it("Every response in a scenario matches its document, including ids, digests and instants.", () => {
    const problemsIn = new Map(documents.map((document) => [document, validator(document)]))
    const problems = exchanges.flatMap(({ operation, template, method, status, response }) => {
      const { document } = declaredOf.get(operation)!
      const content = operationAt(document, template, method.toLowerCase()).responses[status]?.content
      if (content === undefined) return response === undefined ? [] : [`${operation} ${status} is not documented`]
      const [[, media]] = Object.entries<any>(content) as [[string, any]]
      const shown = JSON.parse(JSON.stringify(jsonOf(response)).replaceAll(/"\{user code [^}]*\}"/g, '"BCDF-GHJK"'))
      return problemsIn.get(document)!(media.schema, shown).map((problem) => `${operation} ${status} ${problem}`)
    })
    assert.deepStrictEqual([...new Set(problems)].slice(0, 20), [])
  })
})

describe("the examples", () => {
  it("The examples equal those generated from the committed traces by npm run examples.", () => {
    const [committed, recorded] = [readFileSync(examplesFile, "utf8"), examplesText(exchanges)].map((text) =>
      text.split("\n")
    )
    const stale = recorded!.filter((line, index) => line !== committed![index]).map((line) => line.slice(0, 60))
    assert.deepStrictEqual(stale, [])
    assert.lengthOf(committed!, recorded!.length)
  })

  it("Every response body and every request body has an example.", () => {
    for (const document of documents) {
      for (const { operationId, requestBody, responses } of operationsOf(document)) {
        const shown = Object.entries<any>(responses).filter(([status]) => Number(status) < 400)
        const media = shown.flatMap(([, { content }]) => Object.values<any>(content ?? {}))
        assert.isTrue(media.length === 0 || media.some(({ example }) => example !== undefined), operationId)
        const [sent] = Object.values<any>(requestBody?.content ?? {})
        if (sent !== undefined) assert.isDefined(sent.example, operationId)
      }
    }
  })

  it("The examples contain no token, code or secret, only its name in braces.", () => {
    const text = readFileSync(examplesFile, "utf8")
    assert.notMatch(text, /d[dp]a_[0-9A-Za-z]{8}/)
    for (const name of ["token", "deviceCode", "secret"]) {
      for (const [, value] of text.matchAll(new RegExp(`"${name}":"([^"]*)"`, "g"))) assert.match(value!, /^\{.*\}$/)
    }
  })
})
