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
import type { Recorder } from "../recorder.ts"
import { durationInMilliseconds } from "../script/duration.ts"
import { Receiver, type Arrival, type GivenReceiver } from "./receiver.ts"
import type { Visit } from "./visit.ts"
import { WaitingRoom } from "./waiting-room.ts"

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

  constructor(recorder: Recorder, given: { readonly [name: string]: GivenReceiver }) {
    this.#recorder = recorder
    this.receivers = new Map(Object.entries(given).map(([name, one]) => [name, new Receiver(name, one)]))
    for (const name of this.receivers.keys()) {
      this.#stalled.set(name, new WaitingRoom())
      this.#late.set(name, new WaitingRoom())
    }
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
    const visit = receiver?.nextVisit() ?? {}
    const answers = visit.finds ?? receiver?.addresses ?? "NXDOMAIN"
    const checked = typeof answers === "string" ? undefined : checkAnswers(answers, [])
    const refused = checked !== undefined && Result.isFailure(checked) ? checked.failure : undefined
    this.#recorder.observe({ kind: "lookup", actor, host, answers, refused })
    if (answers === "UNREACHABLE") return yield* new ResolverUnreachable({ reason: "it does not answer" })
    if (checked === undefined || receiver === undefined) return yield* new CallbackFailed({ fault: "DNS_FAILURE" })
    if (Result.isFailure(checked)) return yield* new CallbackFailed({ fault: "DNS_REJECTED" })
    const [address = ""] = checked.success
    if (visit.stalls === "HANDSHAKE") {
      yield* this.#heldBy(caller, receiver, this.#stall(receiver, "HANDSHAKE", caller))
    }
    this.#recorder.observe({ kind: "connection", actor, receiver: receiver.name, address })
    const open: OpenCallback = {
      send: (request) => this.#heldBy(caller, receiver, this.#send(request, receiver, visit, caller))
    }
    return open
  })

  /** Both ends of one request. */
  readonly #send = Effect.fnUntraced(function* (
    this: Network,
    request: CallbackRequest,
    receiver: Receiver,
    visit: Visit,
    caller: Caller
  ) {
    const { name: actor } = caller
    const { headers, body } = request
    const delivery = headers["service-delivery-id"] ?? ""
    this.#recorder.observe({ kind: "callback", actor, receiver: receiver.name, headers, body: JSON.parse(body) })
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
    if (visit.answers === "NOTHING") return yield* Effect.never
    if (visit.after !== undefined) yield* Effect.sleep(durationInMilliseconds(visit.after))
    if (visit.stalls === "ANSWER") yield* this.#stall(receiver, "ANSWER", caller)
    if (caller.isGone) return yield* Effect.never
    if (visit.answers === "LOST") {
      reply("LOST")
      return yield* new CallbackFailed({ fault: "CONNECTION" })
    }
    const statusCode = visit.answers ?? statusOf(arrival)
    reply(statusCode)
    return { statusCode }
  })

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
    this.#recorder.observe({ kind: "received", receiver: receiver.name, delivery, type, sequence, time, made })
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
