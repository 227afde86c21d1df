/** HTTP metrics: requests by method and status, their duration by class, requests shed by class, and refusals by code. No id is a label. */
import { Effect, Metric } from "effect"
import type { HttpServerRequest } from "effect/http"
import { counterBy, gauge } from "../vocabulary/metric.ts"
import { refusals as rules, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { DropReason } from "./arriving-bodies.ts"
import { classOf, type RequestClass } from "./request-class.ts"

const countAnswered = counterBy<{ method: string; status: string }>(
  "countersign_http_requests_total",
  "Answered requests by method and status"
)

const milliseconds = Metric.histogram("countersign_http_request_milliseconds", {
  description: "Duration of a request until its response, in milliseconds, by class",
  boundaries: Metric.boundariesFromIterable([5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000])
})

export const countRequest = (
  { method, url }: Pick<HttpServerRequest.HttpServerRequest, "method" | "url">,
  status: number,
  elapsed: number
) =>
  Effect.andThen(
    countAnswered({ method, status: String(status) }),
    Metric.update(Metric.withAttributes(milliseconds, { class: classOf(method, url) }), elapsed)
  )

const countRefused = counterBy<{ code: RefusalCode; status: string }>(
  "countersign_refusals_total",
  "Refused requests by refusal code and status, of operations and pages"
)

export const countRefusal = (code: RefusalCode): Effect.Effect<void> =>
  countRefused({ code, status: String(rules[code].status) })

export const countShedRequest = counterBy<{ class: RequestClass }>(
  "countersign_requests_shed_total",
  "Requests refused because too many were in flight, by class"
)

const recordArriving = gauge("countersign_request_bodies_arriving", "Request bodies arriving at the last sweep")

const recordSlow = gauge("countersign_request_bodies_slow", "Arriving request bodies that are slow")

export const recordArrivingBodies = (arriving: number, slow: number): Effect.Effect<void> =>
  Effect.andThen(recordArriving(arriving), recordSlow(slow))

export const countDroppedBody = counterBy<{ reason: DropReason }>(
  "countersign_request_bodies_dropped_total",
  "Request bodies dropped as late or at a limit, by reason"
)
