/** A scenario as it was recorded: its requests with their responses, in the order in which they were answered. */
import * as fs from "node:fs"
import * as path from "node:path"
import { Result } from "effect"
import { routeOf } from "../../simulator/coverage/routes.ts"
import { readTrace } from "../../simulator/observation/trace.ts"
import { goldenFiles, readScript } from "../../simulator/scenario/files.ts"
import { allSteps, type Scenario, type Step } from "../../simulator/scenario/format/scenario.ts"
import { isObject, type Json, type JsonObject } from "../../simulator/vocabulary/json.ts"
import { isGuarded, type Action } from "../../src/access/actions.ts"

export interface Recording {
  readonly title: string
  readonly say: string | undefined
  readonly people: ReadonlyArray<Person>
  readonly parts: ReadonlyArray<Part>
}

export interface Person {
  readonly name: string
  readonly personId: string
  readonly organizations: ReadonlyArray<{ readonly name: string; readonly organizationId: string }>
}

export type Part =
  | { readonly kind: "remark"; readonly text: string }
  | { readonly kind: "signIn"; readonly person: string }
  | Exchange

/** A request and its response. Secrets are the placeholders of the trace, such as `{token of scout}`. */
export interface Exchange {
  readonly kind: "exchange"
  readonly actor: string
  readonly operation: string
  /** How the actor authenticates: a session's cookie, a bearer token, or nothing. */
  readonly credential: { readonly person: string } | { readonly token: string } | undefined
  readonly method: string
  readonly path: string
  readonly body: Json | undefined
  readonly status: number
  readonly response: Json | undefined
  /** True if the actor never saw the response. */
  readonly isLost: boolean
  /** The step of the scenario; undefined for what is given before the first step. */
  readonly step: Step | undefined
  /** Milliseconds by which the scenario waits before the request, if a person can wait as long. */
  readonly delay: number
}

interface TraceLine {
  readonly kind: string
  readonly actor?: string
  readonly step?: number
  readonly operation?: string
  readonly method?: string
  readonly path?: string
  readonly with?: string
  readonly status?: number
  readonly lost?: boolean
  readonly name?: string
  readonly is?: string
  readonly input?: JsonObject
  readonly answer?: JsonObject
  readonly body?: Json
}

export const readRecording = (file: string): Recording => {
  const scenario = Result.getOrThrowWith(readScript(file), (problems) => new Error(problems))
  const reader = new RecordingReader(scenario)
  for (const line of readTrace(fs.readFileSync(goldenFiles(file).trace, "utf8"))) {
    reader.read(withDocumentPlaceholders(line) as unknown as TraceLine)
  }
  const { people, grants, parts } = reader
  const signIns = [...people.values()].flatMap((person): ReadonlyArray<Part> => {
    const title = scenario.given.people?.[person.name]?.name ?? person.name
    return [
      { kind: "remark", text: `${title} signs in.` },
      { kind: "signIn", person: person.name },
      readSession(person)
    ]
  })
  return {
    title: scenario.title,
    say: scenario.say,
    people: [...people.values()],
    parts: [...signIns, ...grants, ...parts]
  }
}

/** The longest wait that a file repeats in real time, in milliseconds. */
const delayMost = 10_000

class RecordingReader {
  readonly people = new Map<string, Person>()
  /** The agents that are connected before the first step. */
  readonly grants: Array<Part> = []
  readonly parts: Array<Part> = []
  readonly #scenario: Scenario
  readonly #steps: ReadonlyMap<number, Step>
  readonly #organizations = new Map<string, string>()
  /** Requests without a response so far, by actor. */
  readonly #open = new Map<string, Array<{ readonly line: TraceLine; readonly step: Step | undefined }>>()
  /** The current token of each agent. */
  readonly #tokens = new Map<string, string>()
  #step: Step | undefined
  #act: TraceLine | undefined
  #delay = 0
  #grantCount = 0

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#steps = new Map(allSteps(scenario.steps).map((step) => [step.number, step]))
  }

  read(line: TraceLine): void {
    if (line.kind === "given") this.#given(line)
    if (line.kind === "step") this.#begin(line)
    if (line.kind === "act") this.#act = line
    if (line.kind === "answer") this.#endAct(line)
    if (line.kind === "request") this.#send(line)
    if (line.kind === "response") this.#answer(line)
  }

  #given({ name = "", is = "", answer = {} }: TraceLine): void {
    const [, member] = /^member of (.*)$/.exec(is) ?? []
    const [, authorizer] = /^agent of (.*)$/.exec(is) ?? []
    const person = this.people.get(name)
    if (is === "organization") this.#organizations.set(name, String(answer["organizationId"]))
    if (is === "person") this.people.set(name, { name, personId: String(answer["personId"]), organizations: [] })
    if (member !== undefined && person !== undefined) {
      const organization = { name: member, organizationId: this.#organizations.get(member) ?? "" }
      this.people.set(name, { ...person, organizations: [...person.organizations, organization] })
    }
    if (authorizer !== undefined) {
      const granted = this.#scenario.given.agents?.[name]
      this.grants.push(this.#grant(authorizer, { agent: name, ...(granted as unknown as JsonObject) }, answer))
    }
  }

  #begin(line: TraceLine): void {
    const step = this.#steps.get(line.step ?? 0)
    if (step === undefined) throw new Error(`the trace has a step ${line.step}, which the script lacks`)
    this.#step = step
    if (step.say !== undefined) this.#remark(step.say)
    const wait = step.kind === "advance" ? step.milliseconds : undefined
    if (wait !== undefined && wait <= delayMost) this.#delay = wait
    else if (step.kind === "advance" || step.kind === "until") {
      this.#remark("(Virtual time advances in the scenario. This file does not wait.)")
    }
  }

  #send(line: TraceLine): void {
    if (line.lost === true) throw new Error("a request that is lost cannot be sent by Hurl")
    const actor = line.actor ?? ""
    this.#open.set(actor, [...(this.#open.get(actor) ?? []), { line, step: this.#step }])
  }

  #answer({ actor = "", status = 0, body, lost = false }: TraceLine): void {
    const sent = this.#open.get(actor)?.pop()
    if (sent === undefined) throw new Error(`${actor} got a response to no request`)
    const { method = "", path: address = "", body: request, with: token } = sent.line
    const route = routeOf(method, address)
    this.#add({
      actor,
      operation: route?.operation ?? "",
      credential: route?.isPublic === true ? undefined : this.#credentialOf(actor, token),
      method,
      path: address,
      body: request,
      status,
      response: body,
      isLost: lost,
      step: sent.step
    })
  }

  #credentialOf(actor: string, token: string | undefined): Exchange["credential"] {
    const current = token ?? this.#tokens.get(actor)
    if (current !== undefined) return { token: current }
    return this.people.has(actor) ? { person: actor } : undefined
  }

  #add(exchange: Omit<Exchange, "kind" | "delay">): void {
    this.parts.push({ kind: "exchange", delay: this.#delay, ...exchange })
    this.#delay = 0
    if (!exchange.isLost) this.#learnTokens(exchange.response)
  }

  #learnTokens(response: Json | undefined): void {
    for (const [token, agent] of JSON.stringify(response ?? null).matchAll(/\{token of (\w+)[^{}]*\}/g)) {
      this.#tokens.set(agent!, token)
    }
  }

  /** A grant of a person without a session becomes the request that a signed-in person sends. */
  #endAct({ body }: TraceLine): void {
    const { actor = "", operation = "", input = {} } = this.#act ?? {}
    if (operation === "grantAgent" && isObject(body)) this.parts.push(this.#grant(actor, input, body, this.#step))
    else if (operation === "verify") this.#remark("Next, verify the package offline: docs/learning/verify-a-record.md.")
    else if (operation !== "signIn") throw new Error(`${actor} does ${operation}, which is no request`)
  }

  #grant(actor: string, input: JsonObject, answer: JsonObject, step?: Step): Exchange {
    const { agent, for: _for, organization, projects = [], proposals, ...given } = input
    const [first] = this.people.get(actor)?.organizations ?? []
    const named = this.#organizations.get(String(organization))
    this.#learnTokens(answer)
    return {
      kind: "exchange",
      actor,
      operation: "createGrant",
      credential: { person: actor },
      method: "POST",
      path: "/api/workspace/grants",
      body: {
        requestId: `00000000-0000-4000-8000-${String(++this.#grantCount).padStart(12, "0")}`,
        agentName: agent ?? null,
        organizationId: named ?? first?.organizationId ?? null,
        consents: (given["actions"] as ReadonlyArray<Action>).filter(isGuarded),
        projectIds: projects,
        ...(proposals === undefined ? {} : { proposalIds: proposals }),
        subjectRequirements: [],
        ...given
      },
      status: 201,
      response: answer,
      isLost: false,
      step,
      delay: 0
    }
  }

  #remark(text: string): void {
    this.parts.push({ kind: "remark", text: text.trim() })
  }
}

/** By which a file learns the ids of the people and organizations that the operator made. */
const readSession = ({ name, personId, organizations }: Person): Exchange => ({
  kind: "exchange",
  actor: name,
  operation: "readSession",
  credential: { person: name },
  method: "GET",
  path: "/api/workspace/session",
  body: undefined,
  status: 200,
  response: { personId, memberships: organizations.map(({ organizationId }) => ({ organizationId })) },
  isLost: false,
  step: undefined,
  delay: 0
})

/** Each installation has legal texts of its own, so that their kinds and versions are values to read, as secrets are. */
const withDocumentPlaceholders = (value: Json): Json => {
  if (Array.isArray(value)) return value.map(withDocumentPlaceholders)
  if (!isObject(value)) return value
  const { digest, kind, version } = value
  const isDocument = typeof digest === "string" && typeof kind === "string" && typeof version === "string"
  const named = isDocument ? { ...value, kind: `{kind of ${kind}}`, version: `{version of ${kind}}` } : value
  return Object.fromEntries(Object.entries(named).map(([name, member]) => [name, withDocumentPlaceholders(member)]))
}

export const scenarioFile = (name: string): string =>
  path.resolve(import.meta.dirname, "../../scenarios", name, "scenario.yaml")
