/** HTTP metrics: requests by method and status, their duration by class, requests shed by class, and refusals by code. No id is a label. */
import { Effect, Metric } from "effect"
import type { HttpServerRequest } from "effect/http"
import { refusals as rules, type RefusalCode } from "../vocabulary/refusal-rules.ts"
import type { DropReason } from "./arriving-bodies.ts"
import { classOf, type RequestClass } from "./request-class.ts"

const requests = Metric.counter("countersign_http_requests_total", {
  description: "Answered requests by method and status",
  incremental: true
})

const milliseconds = Metric.histogram("countersign_http_request_milliseconds", {
  description: "Duration of a request until its response, in milliseconds, by class",
  boundaries: Metric.boundariesFromIterable([5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000])
})

const refusals = Metric.counter("countersign_refusals_total", {
  description: "Refused requests by refusal code and status, of operations and pages",
  incremental: true
})

const shed = Metric.counter("countersign_requests_shed_total", {
  description: "Requests refused because too many were in flight, by class",
  incremental: true
})

const arrivingBodies = Metric.gauge("countersign_request_bodies_arriving", {
  description: "Request bodies arriving at the last sweep"
})

const slowBodies = Metric.gauge("countersign_request_bodies_slow", {
  description: "Arriving request bodies that are slow"
})

const droppedBodies = Metric.counter("countersign_request_bodies_dropped_total", {
  description: "Request bodies dropped as late or at a limit, by reason",
  incremental: true
})

export const recordArrivingBodies = (arriving: number, slow: number): Effect.Effect<void> =>
  Effect.andThen(Metric.update(arrivingBodies, arriving), Metric.update(slowBodies, slow))

export const countDroppedBody = (reason: DropReason) =>
  Metric.update(Metric.withAttributes(droppedBodies, { reason }), 1)

export const countShedRequest = (requestClass: RequestClass): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(shed, { class: requestClass }), 1)

export const countRequest = (
  { method, url }: Pick<HttpServerRequest.HttpServerRequest, "method" | "url">,
  status: number,
  elapsed: number
) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(requests, { method, status: String(status) }), 1),
    Metric.update(Metric.withAttributes(milliseconds, { class: classOf(method, url) }), elapsed)
  )

export const countRefusal = (code: RefusalCode): Effect.Effect<void> =>
  Metric.update(Metric.withAttributes(refusals, { code, status: String(rules[code].status) }), 1)
