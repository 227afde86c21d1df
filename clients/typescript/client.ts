/** An agent's client: reads, saved commands that are safe to retry, and waits for people and other parties. */
import { randomUUID } from "node:crypto"
import { connect, type ConnectionRequest, type ShownCode } from "./connect.ts"
import { Refused } from "./outcome.ts"
import type { components, operations } from "./openapi.ts"
import { personStep, type PersonStep, type ProjectView } from "./person.ts"
import { type RequestOptions, Requests } from "./requests.ts"

export const api = "/api/agents/v1"

export type Grant = components["schemas"]["Grant"]
export type Job = components["schemas"]["AutomationJobStatus"]

/** The commands on a project by the last part of their path, with their operation and the action of a grant. */
const commands = {
  respond: { operation: "respond", action: "RESPOND_TERMS" },
  submit: { operation: "submit", action: "SUBMIT_MATERIALS" },
  review: { operation: "review", action: "REVIEW_DELIVERY" },
  "date-revision": { operation: "dateRevision", action: "REQUEST_DATE_CHANGE" },
  concern: { operation: "concern", action: "RAISE_CONCERN" },
  handoff: { operation: "handoff", action: "HANDOFF" },
  "issue-record": { operation: "issueRecord", action: "ISSUE_RESULT_RECORD" }
} as const

export type CommandName = keyof typeof commands

type Body<N extends CommandName> =
  operations[(typeof commands)[N]["operation"]]["requestBody"]["content"]["application/json"]

/** What an agent decides: the input of the command. The client makes a request id where it is left out. */
export type Decision<N extends CommandName> = Omit<Body<N>["input"], "requestId"> & { readonly requestId?: string }

/** Called with each new reading of the project; undefined if there is nothing to do any more. */
export type Decide<N extends CommandName> = (view: ProjectView) => Decision<N> | undefined

export type CommandOutcome =
  /** It took effect, now or by an earlier send of the same bytes (`view.replayed`). */
  | { readonly kind: "COMMITTED"; readonly view: ProjectView }
  | { readonly kind: "NOTHING_TO_DO"; readonly view: ProjectView }
  /** It did not take effect; a person has to act first. */
  | { readonly kind: "WAIT_FOR_PERSON"; readonly view: ProjectView; readonly step: PersonStep }

/** Something else came first: the request is over, and the agent decides anew. */
const replanned = new Set(["REREAD_PROJECT", "USE_NEW_REQUEST_ID"])
const plansMax = 10

const secondsBetweenReadsMax = 900
const secondsOfNotice = 86_400

export class Countersign {
  readonly options: RequestOptions
  readonly #requests: Requests
  #grant: Grant | undefined

  constructor(options: RequestOptions) {
    this.options = options
    this.#requests = new Requests(options)
  }

  /**
   * First of all after a start: takes the saved token, and sends again what an earlier run saved and has no answer to.
   * Refusals are no errors here: read the project, and decide anew.
   *
   * @throws OutcomeUnknown there is still no answer
   */
  async resume(): Promise<void> {
    await this.#requests.loadToken()
    for (const name of await this.options.store.names("request-")) {
      const { path, bytes } = JSON.parse((await this.options.store.read(name))!) as SavedRequest
      await this.#sendSaved(name, { path, bytes }).catch((error: unknown) => {
        if (!(error instanceof Refused)) throw error
      })
    }
  }

  /** Asks a person for a credential with a code, unless there is one; `show` gets the code and the address to type it at. */
  async connect(request: ConnectionRequest, show: (code: ShownCode) => Promise<void>): Promise<void> {
    if (!this.#requests.hasToken) {
      await connect({ requests: this.#requests, store: this.options.store, clock: this.options.clock }, request, show)
    }
  }

  async get<A>(path: string): Promise<A> {
    return this.#requests.exchange<A>("GET", path)
  }

  /** For requests that change nothing, or the same thing each time, such as the verification of a webhook. */
  async post<A>(path: string, body: object): Promise<A> {
    return this.#requests.exchange<A>("POST", path, JSON.stringify(body))
  }

  /** The grant of this credential. */
  async me(): Promise<Grant> {
    return (this.#grant = await this.get<Grant>(`${api}/me`))
  }

  async readProject(projectId: string): Promise<ProjectView> {
    return this.get<ProjectView>(`${api}/projects/${encodeURIComponent(projectId)}`)
  }

  /** Undefined if this grant does not find the job, which is no proof that its submission failed: it can be another grant's. */
  async readJob(jobId: string): Promise<Job | undefined> {
    try {
      return await this.get<Job>(`${api}/jobs/${encodeURIComponent(jobId)}`)
    } catch (error) {
      if (error instanceof Refused && error.status === 404) return undefined
      throw error
    }
  }

  /**
   * Sends a request with a `requestId` of its own, such as that of a job, a proposal or a subscription: the exact bytes
   * are saved before the first send, and removed once they are answered.
   */
  async act<A>(path: string, body: object, requestId: string): Promise<A> {
    return this.#sendSaved<A>(`request-${requestId}`, { path, bytes: JSON.stringify(body) })
  }

  /**
   * Decides on a fresh reading of the project, and carries the decision out once. If another event comes first, `decide`
   * is called with the next reading, up to ten times, and its decision gets a new request id.
   *
   * @throws Refused a step that is neither a new reading nor a person's, named by `nextAction`
   * @throws OutcomeUnknown no send was answered; `resume` sends the same bytes again
   */
  async command<N extends CommandName>(projectId: string, name: N, decide: Decide<N>): Promise<CommandOutcome> {
    for (let plans = 1; ; plans++) {
      const view = await this.readProject(projectId)
      const decision = decide(view)
      if (decision === undefined) return { kind: "NOTHING_TO_DO", view }
      const waiting = waitingFor(name, decision)
      const step = personStep(view, waiting.action, waiting.decision)
      if (step !== undefined) return { kind: "WAIT_FOR_PERSON", view, step }
      const requestId = decision.requestId ?? randomUUID()
      const command = {
        expectedEventHash: view.project.headEventHash,
        automationRevision: view.automation.revision,
        input: { ...decision, requestId }
      }
      try {
        const path = `${api}/projects/${encodeURIComponent(projectId)}/${name}`
        return { kind: "COMMITTED", view: await this.act<ProjectView>(path, command, requestId) }
      } catch (error) {
        if (!(error instanceof Refused)) throw error
        if (error.nextAction === "WAIT_FOR_HUMAN") {
          const { detail: reason, humanUrl = view.humanUrl } = error.body
          return { kind: "WAIT_FOR_PERSON", view, step: { ...waiting, reason, humanUrl } }
        }
        if (!replanned.has(error.nextAction ?? "") || plans === plansMax) throw error
      }
    }
  }

  /** `command`, and where a person has to act first, `waitForPerson`: then the command did not take effect. */
  async commandOrWait<N extends CommandName>(projectId: string, name: N, decide: Decide<N>): Promise<ProjectView> {
    const outcome = await this.command(projectId, name, decide)
    return outcome.kind === "WAIT_FOR_PERSON" ? this.waitForPerson(outcome.view, outcome.step) : outcome.view
  }

  /**
   * Tells the person once, and reads with growing pauses, of one to fifteen minutes, until the step no longer waits for a
   * person, or the project has another state than in `view`. Returns the last reading.
   */
  async waitForPerson(view: ProjectView, step: PersonStep): Promise<ProjectView> {
    await this.options.person.tell(step.reason, step.humanUrl)
    const { state, taskId } = view.project
    const isOver = (now: ProjectView) =>
      now.project.state !== state || personStep(now, step.action, step.decision) === undefined
    return this.#readUntil(taskId, isOver, 60)
  }

  /** Reads every 15 minutes, and after each webhook, until `condition` holds. */
  async waitUntil(projectId: string, condition: (view: ProjectView) => boolean): Promise<ProjectView> {
    return this.#readUntil(projectId, condition, secondsBetweenReadsMax)
  }

  /** Ends after so many seconds, or with the next webhook. A day before the credential expires the person is told, once. */
  async waitForNews(seconds: number): Promise<void> {
    await this.#tellBeforeExpiry()
    await this.options.clock.waitForNews(seconds)
  }

  async #readUntil(
    projectId: string,
    condition: (view: ProjectView) => boolean,
    firstPause: number
  ): Promise<ProjectView> {
    for (let pause = firstPause; ; pause = Math.min(2 * pause, secondsBetweenReadsMax)) {
      await this.waitForNews(pause)
      const view = await this.readProject(projectId)
      if (condition(view)) return view
    }
  }

  async #sendSaved<A>(name: string, { path, bytes }: SavedRequest): Promise<A> {
    const { store } = this.options
    await store.write(name, JSON.stringify({ path, bytes }))
    try {
      const answer = await this.#requests.exchange<A>("POST", path, bytes)
      await store.remove(name)
      return answer
    } catch (error) {
      // Request ids stay with the grant, so after a renewal the same bytes find out.
      if (error instanceof Refused && error.status !== 401) await store.remove(name)
      throw error
    }
  }

  async #tellBeforeExpiry(): Promise<void> {
    const { clock, person, store } = this.options
    const endsSoon = async ({ expiresAt }: Grant) =>
      Date.parse(expiresAt) - (await clock.now()) < secondsOfNotice * 1000
    if (!(await endsSoon(this.#grant ?? (await this.me())))) return
    // It may have been renewed since it was read.
    const grant = await this.me()
    if (!(await endsSoon(grant)) || (await store.read("reported-expiry")) === grant.expiresAt) return
    await store.write("reported-expiry", grant.expiresAt)
    await person.tell(`My access ends on ${grant.expiresAt}. Please renew it if I am to continue.`)
  }
}

interface SavedRequest {
  readonly path: string
  readonly bytes: string
}

/** Decisions of one action, such as those of a review, can be reserved for people one by one. */
const waitingFor = (name: CommandName, decision: object): Pick<PersonStep, "action" | "decision"> => ({
  action: commands[name].action,
  ...("action" in decision ? { decision: String(decision.action) } : {})
})
