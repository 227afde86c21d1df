/** What an operator watches: how many requests were answered how, and how long they took. No id is a label. */
import { Effect, Metric } from "effect"

const requests = Metric.counter("countersign_http_requests_total", {
  description: "Answered requests by method and status",
  incremental: true
})

const milliseconds = Metric.histogram("countersign_http_request_milliseconds", {
  description: "Time from a request's arrival to its answer, in milliseconds",
  boundaries: Metric.boundariesFromIterable([5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000])
})

export const countRequest = (method: string, status: number, elapsed: number) =>
  Effect.andThen(
    Metric.update(Metric.withAttributes(requests, { method, status: String(status) }), 1),
    Metric.update(milliseconds, elapsed)
  )
