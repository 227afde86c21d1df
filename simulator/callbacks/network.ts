/** The names and connections between the service and the receivers of its callbacks, as a scenario has them. */
import { Clock, Effect, Result } from "effect"
import {
  CallbackFailed,
  ResolverUnreachable,
  type CallbackRequest,
  type CallbackSender,
  type OpenCallback
} from "../../src/ports/callback-sender.ts"
import { checkAnswers } from "../../src/webhooks/addresses.ts"
import type { Kernel } from "../kernel/kernel.ts"
import type { Recorder } from "../recorder.ts"
import { durationInMilliseconds } from "../script/duration.ts"
import { Receiver, type Arrival, type GivenReceiver } from "./receiver.ts"
import type { Visit } from "./visit.ts"
import { WaitingRoom } from "./waiting-room.ts"

type Answers = ReadonlyArray<string> | "NXDOMAIN" | "UNREACHABLE"

/** What a program behind a receiver does with a request. */
export type ProgramAnswer = number | "RESET" | "NOTHING"

/** A request that a program has to answer. */
export interface Asked {
  readonly receiver: string
  readonly request: CallbackRequest
  /** What it has answered, until that comes back into the world. */
  answers: ProgramAnswer | undefined
  readonly resume: (answers: ProgramAnswer) => void
}

interface Givens {
  readonly [name: string]: GivenReceiver
}

/** Who calls: a process, which may be gone by the time something comes back to it. */
export interface Caller {
  readonly name: string
  readonly isGone: boolean
}

export class Network {
  readonly receivers: ReadonlyMap<string, Receiver>
  readonly #recorder: Recorder
  readonly #stalled = new Map<string, WaitingRoom>()
  readonly #late = new Map<string, WaitingRoom>()
  /** Where each process has connected to last, by process and receiver. */
  readonly #opened = new Map<string, string>()

  /** What the public DNS says, for names that it knows something about. */
  readonly zones: Map<string, Answers>
  /** What a search makes of an attempt; as it was said of the receiver where it makes nothing of it. */
  searched: (receiver: string, visit: Visit) => Visit = (_receiver, visit) => visit
  /** Told of every request that a program has to answer. */
  asked: (asked: Asked) => void = () => {}
  readonly #asked: Array<Asked> = []
  readonly #kernel: Kernel

  constructor(recorder: Recorder, kernel: Kernel, given: Givens, zones: { readonly [host: string]: Answers }) {
    this.#recorder = recorder
    this.#kernel = kernel
    this.zones = new Map(Object.entries(zones))
    this.receivers = new Map(Object.entries(given).map(([name, one]) => [name, new Receiver(name, one)]))
    for (const name of this.receivers.keys()) {
      this.#stalled.set(name, new WaitingRoom())
      this.#late.set(name, new WaitingRoom())
    }
  }

  /** Nothing is under way at an earlier one that is taken over. */
  takeOver(earlier: Network): void {
    for (const [host, answers] of earlier.zones) this.zones.set(host, answers)
    for (const [name, receiver] of earlier.receivers) this.receivers.get(name)?.takeOver(receiver)
  }

  /** Lets go on what stalls at a receiver; returns how many that were. */
  letGo(receiver: string): number {
    return this.#stalled.get(receiver)?.empty() ?? 0
  }

  /** What a process sends with. */
  senderOf(caller: Caller): CallbackSender["Service"] {
    return { open: (target) => this.#open(new URL(target).hostname, caller) }
  }

  readonly #open = Effect.fnUntraced(function* (this: Network, host: string, caller: Caller) {
    const { name: actor } = caller
    const receiver = [...this.receivers.values()].find((one) => one.host === host)
    const visit = receiver === undefined ? {} : this.searched(receiver.name, receiver.nextVisit())
    const answers = visit.finds ?? this.zones.get(host) ?? receiver?.addresses ?? "NXDOMAIN"
    const checked = typeof answers === "string" ? undefined : checkAnswers(answers, [])
    const refused = checked !== undefined && Result.isFailure(checked) ? checked.failure : undefined
    this.#recorder.observe({ kind: "lookup", actor, host, answers, refused })
    if (answers === "UNREACHABLE") return yield* new ResolverUnreachable({ reason: "it does not answer" })
    if (checked === undefined || receiver === undefined) return yield* new CallbackFailed({ fault: "DNS_FAILURE" })
    if (Result.isFailure(checked)) return yield* new CallbackFailed({ fault: "DNS_REJECTED" })
    const [address = ""] = checked.success
    if (visit.connects !== undefined) {
      this.#recorder.observe({ kind: "unconnected", actor, receiver: receiver.name, why: visit.connects })
      return yield* new CallbackFailed({ fault: visit.connects === "REFUSED" ? "CONNECTION" : "TLS" })
    }
    if (visit.stalls === "HANDSHAKE") {
      yield* this.#heldBy(caller, receiver, this.#stall(receiver, "HANDSHAKE", caller))
    }
    this.#recorder.observe({ kind: "connection", actor, receiver: receiver.name, address })
    const line = `${actor} ${receiver.name}`
    this.#opened.set(line, address)
    const over = () => (this.#opened.get(line) === address ? {} : { over: address })
    const open: OpenCallback = {
      send: (request) => this.#heldBy(caller, receiver, this.#send(request, receiver, { visit, over }, caller))
    }
    return open
  })

  /** Both ends of one request. */
  readonly #send = Effect.fnUntraced(function* (
    this: Network,
    request: CallbackRequest,
    receiver: Receiver,
    { visit, over }: { readonly visit: Visit; readonly over: () => { readonly over?: string } },
    caller: Caller
  ) {
    const { name: actor } = caller
    const { headers, body } = request
    const delivery = headers["service-delivery-id"] ?? ""
    const sent = { kind: "callback", actor, receiver: receiver.name, headers, body: JSON.parse(body) } as const
    this.#recorder.observe({ ...sent, ...over() })
    const reply = (answer: number | "RESET" | "LOST") =>
      this.#recorder.observe({ kind: "reply", actor, receiver: receiver.name, delivery, answer })
    if (visit.answers === "RESET") {
      reply("RESET")
      return yield* new CallbackFailed({ fault: "CONNECTION" })
    }
    if (visit.arrives === "LATE") yield* this.#late.get(receiver.name)?.wait ?? Effect.void
    const isRead = visit.answers === undefined || visit.answers === "LOST"
    const arrival = yield* this.#arrive(request, receiver, isRead)
    if (visit.arrives === "TWICE") yield* this.#arrive(request, receiver, isRead)
    this.#late.get(receiver.name)?.empty()
    const told = yield* this.#askProgram(request, receiver, visit)
    if (told === "NOTHING") return yield* Effect.never
    if (told === "RESET") {
      reply("RESET")
      return yield* new CallbackFailed({ fault: "CONNECTION" })
    }
    if (visit.after !== undefined) yield* Effect.sleep(durationInMilliseconds(visit.after))
    if (visit.stalls === "ANSWER") yield* this.#stall(receiver, "ANSWER", caller)
    if (caller.isGone) return yield* Effect.never
    if (told === "LOST") {
      reply("LOST")
      return yield* new CallbackFailed({ fault: "CONNECTION" })
    }
    const statusCode = told ?? statusOf(arrival)
    reply(statusCode)
    return { statusCode }
  })

  /** From now on a program of somebody's own answers what this receiver is asked. */
  attach(receiver: string): void {
    const attached = this.receivers.get(receiver)
    if (attached !== undefined) attached.hasProgram = true
  }

  /** Requests that programs have not answered, the longest wait first. */
  get waiting(): ReadonlyArray<Asked> {
    return this.#asked
  }

  /** What a program answers to whoever waits longest at its receiver; false where nobody does. */
  answer(receiver: string, answers: ProgramAnswer): boolean {
    const waiting = this.#asked.find((one) => one.receiver === receiver)
    if (waiting === undefined) return false
    this.#asked.splice(this.#asked.indexOf(waiting), 1)
    waiting.resume(answers)
    return true
  }

  /** What is answered without a look, or by the program that stands behind a receiver; undefined where it looks itself. */
  #askProgram(
    request: CallbackRequest,
    { name: receiver, hasProgram }: Receiver,
    { answers }: Visit
  ): Effect.Effect<Visit["answers"]> {
    if (!hasProgram || (answers !== undefined && answers !== "LOST")) return Effect.succeed(answers)
    const delivery = request.headers["service-delivery-id"] ?? ""
    const told = Effect.callback<ProgramAnswer>((resume) => {
      const asked: Asked = {
        receiver,
        request,
        answers: undefined,
        resume: (answers) => resume(Effect.succeed(answers))
      }
      this.#asked.push(asked)
      this.asked(asked)
      return Effect.sync(() => {
        const position = this.#asked.indexOf(asked)
        if (position >= 0) this.#asked.splice(position, 1)
      })
    })
    const name = `the answer of ${receiver} to ${delivery}`
    return Effect.map(this.#kernel.outside(name, told), (told) => answers ?? told)
  }

  readonly #arrive = Effect.fnUntraced(function* (
    this: Network,
    request: CallbackRequest,
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

  /** Until the script lets it go on; a process that is gone by then sees nothing of it. */
  readonly #stall = Effect.fnUntraced(function* (
    this: Network,
    receiver: Receiver,
    during: "HANDSHAKE" | "ANSWER",
    caller: Caller
  ) {
    this.#recorder.observe({ kind: "stalled", actor: caller.name, receiver: receiver.name, during })
    yield* this.#stalled.get(receiver.name)?.wait ?? Effect.void
    if (caller.isGone) yield* Effect.never
  })

  /** Whoever hangs up is seen to. */
  #heldBy<A, E, R>(caller: Caller, receiver: Receiver, effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.onInterrupt(effect, () =>
      Effect.sync(() => {
        if (caller.isGone) return
        this.#recorder.observe({ kind: "hangup", actor: caller.name, receiver: receiver.name })
      })
    )
  }
}

const statusOf = ({ made }: Arrival): number => (made === "STALE" || made === "FORGED" ? 401 : 204)
