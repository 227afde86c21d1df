/** DNS and connections between the service and the webhook receivers of a scenario. */
import { Clock, Effect, Result } from "effect"
import {
  WebhookFailure,
  ResolverUnreachable,
  type PendingResponse,
  type WebhookRequest,
  type WebhookSender,
  type WebhookConnection
} from "../../../src/ports/webhook-sender.ts"
import { checkAnswers } from "../../../src/webhooks/addresses.ts"
import type { VirtualScheduler } from "../../kernel/scheduler.ts"
import type { Recorder } from "../../observation/recorder.ts"
import { durationInMilliseconds } from "../../vocabulary/duration.ts"
import { Receiver, type Arrival, type ReceiverDefinition } from "./receiver.ts"
import type { AttemptScript } from "./attempt-script.ts"
import { Barrier } from "./barrier.ts"

type Answers = ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE"

/** The response of a program behind a receiver. */
export type ProgramResponse = number | "RESET" | "NOTHING"

/** A request that waits for the response of a program. */
export interface ProgramRequest {
  readonly receiver: string
  readonly request: WebhookRequest
  /** The program's response until it is delivered to the world. */
  response: ProgramResponse | undefined
  readonly resume: (answers: ProgramResponse) => void
}

interface Definitions {
  readonly [name: string]: ReceiverDefinition
}

/** The sending process, which may have ended before the response arrives. */
export interface SendingProcess {
  readonly name: string
  readonly hasEnded: boolean
}

export class Network {
  readonly receivers: ReadonlyMap<string, Receiver>
  readonly #recorder: Recorder
  readonly #stalled = new Map<string, Barrier>()
  readonly #late = new Map<string, Barrier>()
  /** The address of the last connection, by process and receiver. */
  readonly #opened = new Map<string, string>()

  /** DNS records by name. */
  readonly zones: Map<string, Answers>
  /** Lets a search replace the scripted attempt; the identity by default. */
  chooseAttempt: (receiver: string, visit: AttemptScript) => AttemptScript = (_receiver, visit) => visit
  /** Called for every request that waits for a program. */
  onProgramRequest: (request: ProgramRequest) => void = () => {}
  readonly #pending: Array<ProgramRequest> = []
  readonly #scheduler: VirtualScheduler

  constructor(
    recorder: Recorder,
    scheduler: VirtualScheduler,
    given: Definitions,
    zones: { readonly [host: string]: Answers }
  ) {
    this.#recorder = recorder
    this.#scheduler = scheduler
    this.zones = new Map(Object.entries(zones))
    this.receivers = new Map(Object.entries(given).map(([name, one]) => [name, new Receiver(name, one)]))
    for (const name of this.receivers.keys()) {
      this.#stalled.set(name, new Barrier())
      this.#late.set(name, new Barrier())
    }
  }

  /** Copies the state of an earlier network without requests in progress. */
  copyStateFrom(earlier: Network): void {
    for (const [host, answers] of earlier.zones) this.zones.set(host, answers)
    for (const [name, receiver] of earlier.receivers) this.receivers.get(name)?.copyStateFrom(receiver)
  }

  /** Resumes the stalled attempts at a receiver and returns their number. */
  release(receiver: string): number {
    return this.#stalled.get(receiver)?.release() ?? 0
  }

  /** The webhook sender of a process. */
  senderOf(caller: SendingProcess): WebhookSender["Service"] {
    return { open: (target) => this.#open(new URL(target).hostname, caller) }
  }

  readonly #open = Effect.fnUntraced(function* (this: Network, host: string, caller: SendingProcess) {
    const { name: actor } = caller
    const receiver = [...this.receivers.values()].find((one) => one.host === host)
    const visit = receiver === undefined ? {} : this.chooseAttempt(receiver.name, receiver.nextScript())
    const answers = visit.finds ?? this.zones.get(host) ?? receiver?.addresses ?? "NXDOMAIN"
    const checked = typeof answers === "string" ? undefined : checkAnswers(answers, [])
    const refused = checked !== undefined && Result.isFailure(checked) ? checked.failure : undefined
    this.#recorder.observe({ kind: "lookup", actor, host, answers, refused })
    if (answers === "UNREACHABLE") return yield* new ResolverUnreachable({ reason: "it does not answer" })
    if (checked === undefined || receiver === undefined) return yield* new WebhookFailure({ fault: "DNS_FAILURE" })
    if (Result.isFailure(checked)) return yield* new WebhookFailure({ fault: "DNS_REJECTED" })
    const [address = ""] = checked.success
    if (visit.connects !== undefined) {
      this.#recorder.observe({ kind: "unconnected", actor, receiver: receiver.name, why: visit.connects })
      return yield* new WebhookFailure({ fault: visit.connects === "REFUSED" ? "CONNECTION" : "TLS" })
    }
    if (visit.stalls === "HANDSHAKE") {
      yield* this.#recordingHangup(caller, receiver, this.#stall(receiver, "HANDSHAKE", caller))
    }
    this.#recorder.observe({ kind: "connection", actor, receiver: receiver.name, address })
    const line = `${actor} ${receiver.name}`
    this.#opened.set(line, address)
    const over = () => (this.#opened.get(line) === address ? {} : { over: address })
    const open: WebhookConnection = {
      send: (request) =>
        Effect.sync((): PendingResponse => {
          const { headers, body } = request
          const sent = { kind: "callback", actor, receiver: receiver.name, headers, body: JSON.parse(body) } as const
          this.#recorder.observe({ ...sent, ...over() })
          return this.#recordingHangup(caller, receiver, this.#respond(request, receiver, visit, caller))
        })
    }
    return open
  })

  /** Delivers one request that was sent, and returns the receiver's response. */
  readonly #respond = Effect.fnUntraced(function* (
    this: Network,
    request: WebhookRequest,
    receiver: Receiver,
    visit: AttemptScript,
    caller: SendingProcess
  ) {
    const { name: actor } = caller
    const delivery = request.headers["service-delivery-id"] ?? ""
    const reply = (answer: number | "RESET" | "LOST") =>
      this.#recorder.observe({ kind: "reply", actor, receiver: receiver.name, delivery, answer })
    if (visit.answers === "RESET") {
      reply("RESET")
      return yield* new WebhookFailure({ fault: "CONNECTION" })
    }
    if (visit.arrives === "LATE") yield* this.#late.get(receiver.name)?.wait ?? Effect.void
    const isRead = visit.answers === undefined || visit.answers === "LOST"
    const arrival = yield* this.#arrive(request, receiver, isRead)
    if (visit.arrives === "TWICE") yield* this.#arrive(request, receiver, isRead)
    this.#late.get(receiver.name)?.release()
    const response = yield* this.#askProgram(request, receiver, visit)
    if (response === "NOTHING") return yield* Effect.never
    if (response === "RESET") {
      reply("RESET")
      return yield* new WebhookFailure({ fault: "CONNECTION" })
    }
    if (visit.after !== undefined) yield* Effect.sleep(durationInMilliseconds(visit.after))
    if (visit.stalls === "ANSWER") yield* this.#stall(receiver, "ANSWER", caller)
    if (caller.hasEnded) return yield* Effect.never
    if (response === "LOST") {
      reply("LOST")
      return yield* new WebhookFailure({ fault: "CONNECTION" })
    }
    const statusCode = response ?? statusOf(arrival)
    reply(statusCode)
    return { statusCode }
  })

  /** Delivers a request of a visitor to a receiver, and returns the response. */
  readonly deliver = Effect.fnUntraced(function* (this: Network, name: string, request: WebhookRequest) {
    const receiver = this.receivers.get(name)
    if (receiver === undefined) return "RESET"
    const response = yield* this.#askProgram(request, receiver, {})
    return response ?? statusOf(receiver.receive(request, true, yield* Clock.currentTimeMillis))
  })

  /** Lets an external program answer the requests to this receiver. */
  attach(receiver: string): void {
    const attached = this.receivers.get(receiver)
    if (attached !== undefined) attached.hasProgram = true
  }

  /** Requests that wait for programs, the oldest first. */
  get waiting(): ReadonlyArray<ProgramRequest> {
    return this.#pending
  }

  /** Answers the oldest waiting request at a receiver; false if there is none. */
  answer(receiver: string, answers: ProgramResponse): boolean {
    const waiting = this.#pending.find((one) => one.receiver === receiver)
    if (waiting === undefined) return false
    this.#pending.splice(this.#pending.indexOf(waiting), 1)
    waiting.resume(answers)
    return true
  }

  /** The scripted response, or that of the attached program; undefined if the receiver verifies the request itself. */
  #askProgram(
    request: WebhookRequest,
    { name: receiver, hasProgram }: Receiver,
    { answers }: AttemptScript
  ): Effect.Effect<AttemptScript["answers"]> {
    if (!hasProgram || (answers !== undefined && answers !== "LOST")) return Effect.succeed(answers)
    const delivery = request.headers["service-delivery-id"] ?? ""
    const response = Effect.callback<ProgramResponse>((resume) => {
      const pending: ProgramRequest = {
        receiver,
        request,
        response: undefined,
        resume: (answers) => resume(Effect.succeed(answers))
      }
      this.#pending.push(pending)
      this.onProgramRequest(pending)
      return Effect.sync(() => {
        const position = this.#pending.indexOf(pending)
        if (position >= 0) this.#pending.splice(position, 1)
      })
    })
    const name = `the answer of ${receiver} to ${delivery}`
    return Effect.map(this.#scheduler.callProgram(name, response), (response) => answers ?? response)
  }

  readonly #arrive = Effect.fnUntraced(function* (
    this: Network,
    request: WebhookRequest,
    receiver: Receiver,
    isRead: boolean
  ) {
    const arrival = receiver.receive(request, isRead, yield* Clock.currentTimeMillis)
    const { time, made, event } = arrival
    const delivery = request.headers["service-delivery-id"] ?? ""
    const type = String(event["type"])
    const sequence = Number(event["sequence"])
    this.#recorder.observe(
      { kind: "received", receiver: receiver.name, delivery, type, sequence, time, made },
      { ofProject: String(event["projectId"]) }
    )
    return arrival
  })

  /** Stalls until the scenario resumes it; a process that has ended by then gets no response. */
  readonly #stall = Effect.fnUntraced(function* (
    this: Network,
    receiver: Receiver,
    during: "HANDSHAKE" | "ANSWER",
    caller: SendingProcess
  ) {
    this.#recorder.observe({ kind: "stalled", actor: caller.name, receiver: receiver.name, during })
    yield* this.#stalled.get(receiver.name)?.wait ?? Effect.void
    if (caller.hasEnded) yield* Effect.never
  })

  /** Records the hang-up of an interrupted sender. */
  #recordingHangup<A, E, R>(
    caller: SendingProcess,
    receiver: Receiver,
    effect: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> {
    return Effect.onInterrupt(effect, () =>
      Effect.sync(() => {
        if (caller.hasEnded) return
        this.#recorder.observe({ kind: "hangup", actor: caller.name, receiver: receiver.name })
      })
    )
  }
}

const statusOf = ({ made }: Arrival): number => (made === "STALE" || made === "FORGED" ? 401 : 204)
