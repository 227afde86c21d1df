/** The tools that are made from the OpenAPI document of the agents' API: their schemas, their requests, and their answers. */
import * as http from "node:http"
import type { AddressInfo } from "node:net"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import { membersOf, type Operation, operationsOf } from "../../../simulator/mcp/operation.ts"
import { requestOf } from "../../../simulator/mcp/operation-request.ts"
import { ServiceClient, type ServiceClientOptions } from "../../../simulator/mcp/service-client.ts"
import { serviceTools } from "../../../simulator/mcp/service-tools.ts"
import { clockTools, Person } from "../../../simulator/mcp/examination-tools.ts"
import { instructionsFor, readTask } from "../../../simulator/mcp/task.ts"
import type { Tool } from "../../../simulator/mcp/tool.ts"
import type { JsonObject } from "../../../simulator/vocabulary/json.ts"
import { documentFor } from "../../../src/documents/document.ts"

const document: JsonObject = documentFor("/api/agents/v1/openapi.json", "https://countersign.example")
const operations = operationsOf(document)
const operationNamed = (name: string): Operation =>
  operations.find((operation) => operation.name === name) ?? assert.fail(name)

const clientOf = (options: Partial<ServiceClientOptions>) =>
  new ServiceClient({
    url: "http://127.0.0.1:1",
    agent: undefined,
    token: undefined,
    person: undefined,
    timeout: 10_000,
    ...options
  })
const tools = serviceTools(document, clientOf({}))
const toolNamed = (all: ReadonlyArray<Tool>, name: string): Tool =>
  all.find((tool) => tool.name === name) ?? assert.fail(name)

const validatorOf = ({ inputSchema }: Tool) => {
  const check = new Ajv2020({ strict: false, allErrors: true }).compile(inputSchema)
  return (input: unknown): string => (check(input) ? "" : JSON.stringify(check.errors))
}

describe("the tools of the service", () => {
  it("There is one tool for each operation, with its summary.", () => {
    const declared = Object.values(membersOf(document["paths"])).flatMap((methods) => Object.values(membersOf(methods)))
    assert.deepStrictEqual(
      tools.map(({ name, description }) => [name, description]),
      declared.map((operation) => [membersOf(operation)["operationId"], membersOf(operation)["summary"]])
    )
  })

  it.each(tools)("The example of $name in the OpenAPI document conforms to its input schema.", (tool) => {
    const { path, method } = operationNamed(tool.name)
    const declared: any = membersOf(membersOf(document["paths"])[path])[method.toLowerCase()]
    const parameters = declared.parameters.flatMap(({ name, example }: any) =>
      example === undefined ? [] : [[name, example]]
    )
    const body = declared.requestBody?.content["application/json"].example
    assert.strictEqual(validatorOf(tool)({ ...Object.fromEntries(parameters), ...body }), "")
  })

  it("An input schema names what is needed, and refuses other members.", () => {
    const problemsWith = validatorOf(toolNamed(tools, "submit"))
    for (const needed of ["id", "expectedEventHash", "automationRevision", "input"]) {
      assert.include(problemsWith({}), `'${needed}'`)
    }
    assert.include(problemsWith({ other: 1 }), '"additionalProperty":"other"')
  })

  it("An input schema has type object at its root, without alternatives, and refers to itself alone.", () => {
    for (const { name, inputSchema } of tools) {
      assert.strictEqual(inputSchema["type"], "object", name)
      assert.notProperty(inputSchema, "anyOf", name)
      assert.notInclude(JSON.stringify(inputSchema), "#/components/", name)
    }
    const draft = toolNamed(tools, "prepareDraft").inputSchema
    assert.deepStrictEqual(draft["required"], ["requestId"])
    assert.includeMembers(Object.keys(membersOf(draft["properties"])), ["buyer", "schema"])
  })
})

describe("the request of a tool", () => {
  const requestFor = (name: string, input: JsonObject) => Result.getOrThrow(requestOf(operationNamed(name), input))

  it("Equal inputs make equal bytes, and no member is filled in.", () => {
    const one = requestFor("submit", { id: "a/b", input: { summary: "x", items: [] }, expectedEventHash: "0" })
    const other = requestFor("submit", { expectedEventHash: "0", input: { items: [], summary: "x" }, id: "a/b" })
    assert.deepStrictEqual(one, other)
    assert.deepStrictEqual(one, {
      method: "POST",
      path: "/api/agents/v1/projects/a%2Fb/submit",
      body: '{"expectedEventHash":"0","input":{"items":[],"summary":"x"}}'
    })
  })

  it("Members that an operation does not know are sent, so that the service refuses them.", () => {
    assert.strictEqual(requestFor("me", { other: "1" }).path, "/api/agents/v1/me?other=1")
    assert.strictEqual(requestFor("exportStandardRecord", { id: "p" }).body, undefined)
    assert.strictEqual(requestFor("exportStandardRecord", { id: "p", other: 1 }).body, '{"other":1}')
  })

  it("Without a path parameter there is no request.", async () => {
    const { text, isError } = await toolNamed(tools, "readProject").call({})
    assert.isTrue(isError)
    assert.deepInclude(JSON.parse(text), { outcome: "NOT_SENT" })
  })
})

const cleanups: Array<() => void> = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

/** A server that answers as this says. */
const answering = async (answer: http.RequestListener): Promise<string> => {
  const server = http.createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  cleanups.push(() => (server.close(), server.closeAllConnections()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe("the answer of a tool", () => {
  const read = async (answer: http.RequestListener, options: Partial<ServiceClientOptions> = {}) => {
    const client = clientOf({ url: await answering(answer), ...options })
    const { text, isError } = await toolNamed(serviceTools(document, client), "me").call({})
    return { ...JSON.parse(text), isError }
  }

  it("An answer is its status and its body.", async () => {
    const answer = await read((_, response) => response.end('{"projectIds":[]}'))
    assert.deepStrictEqual(answer, { status: 200, body: { projectIds: [] }, isError: false })
  })

  it("A refusal is an error with its body, and with the time to wait.", async () => {
    const refuse: http.RequestListener = (_, response) =>
      response.writeHead(503, { "retry-after": "7" }).end('{"error":"TEMPORARILY_UNAVAILABLE"}')
    assert.deepStrictEqual(await read(refuse), {
      status: 503,
      retryAfter: "7",
      body: { error: "TEMPORARILY_UNAVAILABLE" },
      isError: true
    })
  })

  it("A page from an edge is an error with its text.", async () => {
    const answer = await read((_, response) => response.writeHead(502).end("<html>"))
    assert.deepStrictEqual(answer, { status: 502, body: "<html>", isError: true })
  })

  it("A lost answer is an error whose outcome is unknown, and says how long the call waited.", async () => {
    assert.deepStrictEqual(await read(() => {}, { timeout: 100 }), {
      outcome: "UNKNOWN",
      detail: "No answer within 100 ms: the outcome is unknown.",
      isError: true
    })
  })

  it("A connection that ends without an answer is an error whose outcome is unknown.", async () => {
    assert.deepStrictEqual(await read((request) => request.socket.destroy()), {
      outcome: "UNKNOWN",
      detail: "The connection ended without an answer: the outcome is unknown.",
      isError: true
    })
  })

  it("After a 401 the next call has the token that the agent was given last.", async () => {
    const tokens: Array<string | undefined> = []
    const url = await answering((request, response) => {
      tokens.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === "Bearer new" ? 200 : 401).end("{}")
    })
    const person = new Person(await answering((_, response) => response.end('{"token":"new"}')))
    const client = clientOf({ url, token: "old", person })
    const { call } = toolNamed(serviceTools(document, client), "me")
    for (let calls = 0; calls < 3; calls++) await call({})
    assert.deepStrictEqual(tokens, ["Bearer old", "Bearer new", "Bearer new"])
  })

  it("The token of a connection is used from then on.", async () => {
    const tokens: Array<string | undefined> = []
    const url = await answering((request, response) => {
      tokens.push(request.headers.authorization)
      response.end('{"credential":{"token":"collected"}}')
    })
    const all = serviceTools(document, clientOf({ url }))
    await toolNamed(all, "pollConnection").call({ deviceCode: "code" })
    await toolNamed(all, "me").call({})
    assert.deepStrictEqual(tokens, [undefined, "Bearer collected"])
  })
})

describe("the tools of the examination", () => {
  it("wait and tell send their input to the examination, and a refusal is an error.", async () => {
    const paths: Array<string | undefined> = []
    const address = await answering((request, response) => {
      paths.push(request.url)
      response.writeHead(request.url === "/wait" ? 200 : 400).end("{}")
    })
    const tools = [...clockTools(address), ...new Person(address).tools]
    const results = [
      await toolNamed(tools, "wait").call({ for: "15m" }),
      await toolNamed(tools, "tell").call({ text: "Please look." })
    ]
    assert.deepStrictEqual(paths, ["/wait", "/tell"])
    assert.deepStrictEqual(
      results.map(({ isError }) => isError),
      [false, true]
    )
    assert.strictEqual(validatorOf(toolNamed(tools, "wait"))({ for: "15m", event: "webhook" }), "")
    assert.include(validatorOf(toolNamed(tools, "tell"))({}), "'text'")
  })
})

describe("the instructions", () => {
  it("The instructions have the task, and speak of the clock and of the person only where there is one.", () => {
    const task = Result.getOrThrow(readTask('{"agent":"courier"}'))
    const patient = instructionsFor(task, { hasClock: false, hasPerson: true })
    assert.include(patient, 'Your task: {"agent":"courier"}')
    assert.include(patient, "tool tell")
    assert.notInclude(patient, "call wait")
    const alone = instructionsFor({}, { hasClock: true, hasPerson: false })
    assert.include(alone, "call wait")
    assert.notInclude(alone, "tool tell")
  })

  it.each(["[]", "{"])("The task %j is refused.", (text) => {
    assert.isTrue(Result.isFailure(readTask(text)))
  })
})
