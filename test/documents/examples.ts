/** Selects one recorded exchange of each operation from the committed traces, without secrets. */
import { routeOf } from "../../simulator/coverage/routes.ts"
import { readGoldenTraces } from "../support/golden-traces.ts"

export interface Exchange {
  readonly operation: string
  readonly template: string
  readonly method: string
  readonly path: string
  readonly status: number
  readonly request: unknown
  readonly response: unknown
}

export const examplesFile = new URL("../../src/documents/examples.json", import.meta.url)

/** Every recorded exchange with an operation, in the order of the scenarios. */
export const recordedExchanges = (): ReadonlyArray<Exchange> => readGoldenTraces().flatMap(exchangesIn)

const exchangesIn = (lines: ReadonlyArray<any>): ReadonlyArray<Exchange> => {
  const open = new Map<string, Array<any>>()
  return lines.flatMap((line): ReadonlyArray<Exchange> => {
    // Concurrent steps are told apart by their step number.
    const by = typeof line.step === "number" ? `step ${line.step}` : String(line.actor)
    if (line.kind === "request" && line.lost !== true) open.set(by, [...(open.get(by) ?? []), line])
    const sent = line.kind === "response" ? open.get(by)?.pop() : undefined
    const route = sent === undefined ? undefined : routeOf(sent.method, sent.path)
    if (route === undefined) return []
    const { operation, path: template, method } = route
    return [
      { operation, template, method, path: sent.path, status: line.status, request: sent.body, response: line.body }
    ]
  })
}

/** The shortest success of each operation; an answer that is an empty list shows nothing. */
export const examplesOf = (exchanges: ReadonlyArray<Exchange>) => {
  const shortest = new Map<string, readonly [size: number, exchange: Exchange]>()
  for (const exchange of exchanges) {
    const { status, response } = exchange
    if (status >= 300 || response === undefined || (Array.isArray(response) && response.length === 0)) continue
    const size = JSON.stringify([exchange.request ?? null, response]).length
    const known = shortest.get(exchange.operation)
    if (known === undefined || size < known[0]) shortest.set(exchange.operation, [size, exchange])
  }
  return [...shortest.values()]
    .map(([, exchange]) => exchange)
    .toSorted((one, other) => (one.operation < other.operation ? -1 : 1))
}

/** One line for each operation, for readable diffs. */
export const examplesText = (exchanges: ReadonlyArray<Exchange>): string => {
  const lines = examplesOf(exchanges).map(({ operation, path, template, status, request, response }) => {
    const example = withoutSecrets({ status, parameters: parametersOf(path, template), request, response })
    return `  ${JSON.stringify(operation)}: ${JSON.stringify(example)}`
  })
  return `{\n${lines.join(",\n")}\n}\n`
}

const parametersOf = (path: string, template: string): Readonly<Record<string, string>> | undefined => {
  const { pathname, searchParams } = new URL(path, "http://example")
  const places = pathname.split("/")
  const inPath = template.split("/").flatMap((part, index): ReadonlyArray<readonly [string, string]> => {
    const name = /^\{(\w+)\}$/.exec(part)?.[1]
    return name === undefined ? [] : [[name, decodeURIComponent(places[index]!)]]
  })
  const parameters = Object.fromEntries([...inPath, ...searchParams])
  return Object.keys(parameters).length === 0 ? undefined : parameters
}

/** Replaces user codes by a valid one; a trace contains placeholders like `{token of scout}` for secrets. */
const withoutSecrets = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (typeof value === "string") return value.startsWith("{user code") ? "BCDF-GHJK" : value
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutSecrets(member)]))
}
