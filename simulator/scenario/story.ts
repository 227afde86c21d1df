/** The story of a run: one line a step with virtual time, actor and result, and the texts around them. */
import type { Instant } from "../../src/vocabulary/instant.ts"
import { toMilliseconds } from "../../src/vocabulary/instant.ts"
import { isRefusalCode, type RefusalCode, refusals } from "../../src/vocabulary/refusal-rules.ts"
import { backgroundLines, type StoryLine } from "../environment/webhook-receivers/background-lines.ts"
import { differenceText } from "../observation/compare.ts"
import type { PaymentObservation, TimedObservation } from "../observation/observation.ts"
import { durationText } from "../vocabulary/duration.ts"
import { isObject, valueAt, type Json, type JsonObject } from "../vocabulary/json.ts"
import { lineOfProperty } from "./format/property-form.ts"
import { instantText } from "../view-model/instant-text.js"
import { allSteps, type Scenario, type Step } from "./format/scenario.ts"

/** `file` is the scenario's name in failures; `complaints` are the log lines of the service, shown for a failed run. */
export const renderRun = (
  file: string,
  scenario: Scenario,
  observations: ReadonlyArray<TimedObservation>,
  complaints: ReadonlyArray<string> = []
): string => {
  const lines = [scenario.title, ...(scenario.say === undefined ? [] : paragraph(scenario.say, "  ")), ""]
  lines.push(...renderSteps(file, scenario, observations))
  if (!isPassed(observations)) {
    lines.push(...complaints.flatMap((complaint) => indented(complaint, "    ! ")))
  }
  return [...lines, ...conclusion(scenario, observations), ""].join("\n")
}

/** The lines of the steps only. */
export const renderSteps = (
  file: string,
  scenario: Scenario,
  observations: ReadonlyArray<TimedObservation>
): ReadonlyArray<string> => {
  const steps = allSteps(scenario.steps)
  const widths = widthsOf(steps, observations)
  return sectionsOf(observations).flatMap((observed) => {
    const step = steps[observed.step - 1]
    return [
      ...(step?.say !== undefined && !observed.isResumed ? paragraph(step.say, "  # ") : []),
      ...(step !== undefined && step.kind !== "say" ? [stepLine(step, observed, widths)] : []),
      ...refusalLines(observed, widths),
      ...emails(observed, widths),
      ...backgroundLinesOf(observed.seen).map((line) => columns(line, widths)),
      ...failure(file, scenario, step, observed)
    ]
  })
}

const isPassed = (observations: ReadonlyArray<TimedObservation>): boolean => {
  const last = observations.at(-1)
  return last?.kind === "verdict" && last.verdict === "PASSED"
}

/** The observations of one step; a step with `meanwhile` has two sections. */
interface StepSection {
  readonly step: number
  readonly at: Instant
  readonly actor: string | undefined
  readonly operation: string
  readonly repeats: string | undefined
  /** True for the second section. */
  readonly isResumed: boolean
  readonly seen: ReadonlyArray<TimedObservation>
}

/** Each with the observations until the next one, except those of concurrent steps. */
const sectionsOf = (observations: ReadonlyArray<TimedObservation>): ReadonlyArray<StepSection> => {
  const sections: Array<StepSection & { readonly seen: Array<TimedObservation> }> = []
  for (const observed of observations) {
    if (beginsSection(observed)) {
      sections.push({ repeats: undefined, ...observed, isResumed: observed.kind === "resumed", seen: [] })
    } else {
      const owner = sections.findLast((section) => isPartOf(section, observed)) ?? sections.at(-1)
      owner?.seen.push(observed)
    }
  }
  return sections
}

/** The verdict belongs to the step with the unexpected response. */
const isPartOf = (section: StepSection, observed: TimedObservation): boolean => {
  switch (observed.kind) {
    case "request":
    case "response":
      return observed.step === undefined ? section.actor === observed.actor : section.step === observed.step
    case "act":
    case "answer":
      return section.actor === observed.actor
    case "expectation":
      return section.step === observed.step
    case "verdict":
      return section.seen.some((seen) => seen.kind === "expectation" && seen.differences.length > 0)
    default:
      return true
  }
}

const beginsSection = (
  observed: TimedObservation
): observed is Extract<TimedObservation, { readonly kind: "step" | "resumed" }> =>
  observed.kind === "step" || observed.kind === "resumed"

const stepLine = (step: Step, section: StepSection, widths: Widths): string => {
  const { at, actor = "", operation, repeats, isResumed } = section
  const did = isResumed ? `${operation} ${resumedText}` : repeats === undefined ? operation : `${operation} again`
  return columns({ at, actor, operation: did, text: resultText(step, section) }, widths)
}

const columns = ({ at, actor, operation, text }: StoryLine, widths: Widths): string =>
  `  ${instantText(at)}  ${actor.padEnd(widths.actor)}  ${operation.padEnd(widths.operation)}  ${text}`.trimEnd()

const resumedText = "resumes"

const resultText = (step: Step, { seen, isResumed }: StepSection): string => {
  if (step.kind === "inject")
    return `${Object.values(step.injection.fault).join(" ")} is injected for ${step.injection.of}`
  // A repeated request is shown with its last response.
  const isRepeated = step.kind === "act" && step.within !== undefined
  for (const observed of isRepeated ? seen.toReversed() : seen) {
    if (observed.kind === "time") return `until ${instantText(observed.to)}`
    if (observed.kind === "request" && observed.lost) return "the request is lost"
    if (observed.kind === "response") {
      if (observed.lost) return "done, but the response is lost"
      const words = observed.status < 300 ? grantSummary(step) : ""
      return `${observed.status} ${words || summary(observed.body ?? null)}`.trimEnd()
    }
    if (observed.kind === "answer") return observed.refused ?? (actSummary(step, observed.body) || "done")
  }
  const isHeld = step.kind === "act" && step.meanwhile.length > 0 && !isResumed
  return isHeld && seen.every(({ kind }) => kind !== "verdict") ? "is authenticated and held; meanwhile" : ""
}

/** Background events in order: injected faults, processes, webhooks and calls of the payment provider. */
const backgroundLinesOf = (seen: ReadonlyArray<TimedObservation>): ReadonlyArray<StoryLine> => {
  const lines: Array<StoryLine> = []
  let shown = 0
  for (const [index, observed] of seen.entries()) {
    const line = eventLine(observed)
    if (line === undefined) continue
    lines.push(...backgroundLines(seen.slice(shown, index)), line)
    shown = index + 1
  }
  return [...lines, ...backgroundLines(seen.slice(shown))]
}

const eventLine = (observed: TimedObservation): StoryLine | undefined => {
  const { at, kind } = observed
  if (kind === "fault") {
    return { at, actor: observed.actor, operation: "fault", text: `${observed.fault} at ${observed.where}` }
  }
  if (kind === "payments") return paymentLine(observed)
  if (kind !== "process") return undefined
  return { at, actor: observed.process, operation: observed.did === "STARTED" ? "starts" : "crashes", text: "" }
}

/** Openings, and readbacks in which something was not read or is wrong: unchanged ones would hide the rest. */
const paymentLine = ({ at, actor, call, answer, fault }: PaymentObservation & { readonly at: Instant }) => {
  const failed = isObject(answer) ? Object.entries(answer).filter(([, read]) => typeof read === "string") : []
  if (call !== "openCheckout" && fault === undefined && failed.length === 0) return undefined
  const answered = isObject(answer) ? failed.map(([component, reason]) => `${component} ${String(reason)}`) : [answer]
  const text = [...answered, ...(fault === undefined ? [] : [`(${fault})`])].join(" ")
  return { at, actor, operation: call, text }
}

/** The sentence of a refusal, and the section of the specification that it enforces. */
const refusalLines = ({ seen }: StepSection, widths: Widths): ReadonlyArray<string> => {
  const last = seen.flatMap((observed) => refusalIn(observed) ?? []).at(-1)
  return last === undefined
    ? []
    : [belowResult(`${last.detail} (specification ${refusals[last.code].section})`, widths)]
}

/** A lost response is not shown, and neither is its refusal. */
const refusalIn = (observed: TimedObservation): { readonly code: RefusalCode; readonly detail: string } | undefined => {
  if (observed.kind === "answer") {
    const { refused } = observed
    return refused !== undefined && isRefusalCode(refused) ? { code: refused, ...refusals[refused] } : undefined
  }
  if (observed.kind !== "response" || observed.lost || !isObject(observed.body ?? null)) return undefined
  const [code, detail] = ["error", "detail"].map((member) => valueAt(observed.body ?? null, member))
  return typeof code === "string" && typeof detail === "string" && isRefusalCode(code) ? { code, detail } : undefined
}

const belowResult = (text: string, widths: Widths): string =>
  `${" ".repeat(widths.actor + widths.operation + 27)}${text}`

/** E-mails and their results. */
const emails = ({ seen }: StepSection, widths: Widths): ReadonlyArray<string> =>
  seen.flatMap((observed) => {
    if (observed.kind !== "letter") return []
    const { to, subject, server } = observed
    const result = server === "WORKING" ? "" : server === "SILENT" ? "; no response" : "; refused"
    return [belowResult(`to ${to}: ${subject}${result}`, widths)]
  })

/** A short summary of a response. */
const summary = (body: Json): string => {
  if (!isObject(body)) return ""
  if (typeof body["error"] === "string") return body["error"]
  const state = valueAt(body, "project.state") ?? valueAt(body, "proposal.state")
  if (typeof state !== "string") return stateSummary(body)
  const issued = valueAt(body, "project.recordIssuance.status")
  return [
    state,
    ...(issued === "ISSUED" || issued === "PENDING" ? [`record ${issued}`] : []),
    ...(valueAt(body, "automation.paused") === true ? ["paused"] : []),
    ...(body["replayed"] === true ? ["replayed"] : []),
    ...(body["emailUpdate"] === "FAILED" ? ["no e-mail was sent"] : [])
  ].join(", ")
}

/** The state of a connection, draft or job, the items of a list, or the agents of a project. */
const stateSummary = (body: JsonObject): string => {
  const { state, interval, grants, automation, specifications, replayed } = body
  const { attempts, payable } = body
  if (Array.isArray(attempts)) return orderSummary(body, attempts)
  if (typeof payable === "boolean") return payable ? "payable" : "not payable"
  if (Array.isArray(grants)) return grants.map(grantState).join(", ")
  if (Array.isArray(specifications)) return specifications.map(versionFound).join(", ")
  if (body["verified"] === true) return "verified"
  const listed = lists.map((list) => body[list]).find(Array.isArray)
  if (listed !== undefined) return listed.map((one: Json) => String(valueAt(one, "state"))).join(", ")
  const subscribed = valueAt(body, "subscription.state")
  if (typeof subscribed === "string") return `${subscribed}${replayed === true ? ", replayed" : ""}`
  if (isObject(automation)) return automation["paused"] === true ? "agents are paused" : "agents are running"
  if (typeof state !== "string") return ""
  if (replayed === true) return `${state}, replayed`
  return typeof interval === "number" && state !== "CONNECTED" ? `${state}, every ${interval}s` : state
}

/** The state of a Result Order, and of its last payment attempt. */
const orderSummary = ({ state, replayed }: JsonObject, attempts: ReadonlyArray<Json>): string => {
  const last = attempts.at(-1)
  return [
    String(state),
    ...(last === undefined ? [] : [`attempt ${attempts.length} ${String(valueAt(last, "state"))}`]),
    ...(replayed === true ? ["replayed"] : [])
  ].join(", ")
}

const lists = ["jobs", "proposals", "drafts", "subscriptions", "deliveries", "resultOrders"]

const versionFound = (found: Json): string => `${String(valueAt(found, "id"))} ${String(valueAt(found, "version"))}`

const grantState = (grant: Json): string =>
  `${String(valueAt(grant, "state"))}${valueAt(grant, "isParentLive") === false ? " (membership ended)" : ""}`

const actSummary = (step: Step, body: Json): string => {
  const verdict = valueAt(body, "verdict")
  if (typeof verdict === "string") return verdict
  const { count: requests, events } = isObject(body) ? body : {}
  if (typeof requests === "number" && typeof events === "number") {
    return `${count(requests, "request")}, ${count(events, "event")}`
  }
  return grantSummary(step)
}

/** The actions that a grant allows. */
const grantSummary = (step: Step): string => {
  if (step.kind !== "act" || !grantingOperations.has(step.operation)) return ""
  const { agent = "it", role, actions } = step.input ?? {}
  return `${String(agent)} may ${Array.isArray(actions) && actions.length > 0 ? actions.join(", ") : "read"} as ${String(role)}`
}

const grantingOperations: ReadonlySet<string> = new Set(["grantAgent", "approveConnection"])

const failure = (
  file: string,
  scenario: Scenario,
  step: Step | undefined,
  { seen }: StepSection
): ReadonlyArray<string> => {
  const verdict = seen.find((observed) => observed.kind === "verdict")
  if (verdict?.kind !== "verdict" || verdict.verdict === "PASSED") return []
  const differences = seen.flatMap((observed) => (observed.kind === "expectation" ? observed.differences : []))
  const answer = seen.flatMap((observed) =>
    observed.kind === "response" || observed.kind === "answer" ? [observed.body ?? null] : []
  )
  const reason = verdict.reason ?? verdict.verdict
  const property = seen.findLast((observed) => observed.kind === "property")
  if (property?.kind === "property") return [`  ${file}:${lineOfProperty(scenario, property.property)}: ${reason}`]
  return [
    `  ${step?.file ?? file}:${step?.line ?? 1}: ${reason}`,
    ...differences.map((difference) => `    ${differenceText(difference)}`),
    ...answer.flatMap((body) => ["    the response was", ...indented(JSON.stringify(body, undefined, 2), "      ")])
  ]
}

const conclusion = (scenario: Scenario, observations: ReadonlyArray<TimedObservation>): ReadonlyArray<string> => {
  const last = observations.at(-1)
  if (last?.kind !== "verdict") return ["", "  the run did not finish"]
  const steps = allSteps(scenario.steps)
  const passed = durationText(toMilliseconds(last.at) - toMilliseconds(scenario.start))
  const verdict =
    last.verdict === "PASSED"
      ? `${count(steps.filter((step) => step.kind !== "say").length, "step")}, as expected`
      : last.steps === 0
        ? (last.reason ?? "not run")
        : `stopped at step ${last.steps} of ${steps.length}`
  return [
    "",
    `  ${verdict}; ${passed === "" ? "no virtual time passed" : `${passed} of virtual time`}, seed ${seedOf(observations)}`
  ]
}

const seedOf = (observations: ReadonlyArray<TimedObservation>): number => {
  const first = observations.find((observed) => observed.kind === "scenario")
  return first?.kind === "scenario" ? first.seed : 0
}

interface Widths {
  readonly actor: number
  readonly operation: number
}

const widthsOf = (steps: ReadonlyArray<Step>, observations: ReadonlyArray<TimedObservation>): Widths => {
  const lines = backgroundLinesOf(observations.slice(observations.findIndex(beginsSection)))
  return {
    actor: Math.max(
      ...steps.map((step) => (step.kind === "act" ? step.as.length : 0)),
      ...lines.map(({ actor }) => actor.length)
    ),
    operation: Math.max(
      ...steps.map((step) => operationText(step).length),
      ...lines.map(({ operation }) => operation.length)
    )
  }
}

const operationText = (step: Step): string => {
  if (step.kind !== "act") return step.kind
  return step.meanwhile.length === 0 ? step.operation : `${step.operation} ${resumedText}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`

const indented = (text: string, indent: string): ReadonlyArray<string> =>
  text.split("\n").map((line) => `${indent}${line}`)

/** Words of a text in lines of at most a hundred characters. */
const paragraph = (text: string, indent: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  let line = ""
  for (const word of text.split(/\s+/).filter((word) => word !== "")) {
    if (line !== "" && indent.length + line.length + 1 + word.length > 100) {
      lines.push(line)
      line = word
    } else {
      line = line === "" ? word : `${line} ${word}`
    }
  }
  return [...lines, line].map((line) => `${indent}${line}`)
}
