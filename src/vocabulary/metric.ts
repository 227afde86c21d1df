/** Counters and gauges, each declared once with its labels. No id is a label. */
import { Effect, Metric } from "effect"

type Labels = Readonly<Record<string, string>>

const incremental = (name: string, description: string) => Metric.counter(name, { description, incremental: true })

/** Adds one to a counter. */
export const counter = (name: string, description: string): Effect.Effect<void> =>
  Metric.update(incremental(name, description), 1)

/** Adds to the counter of these labels, one by default. */
export const counterBy = <L extends Labels>(name: string, description: string) => {
  const metric = incremental(name, description)
  return (labels: L, increment = 1): Effect.Effect<void> =>
    Metric.update(Metric.withAttributes(metric, labels), increment)
}

/** Sets a gauge. */
export const gauge = (name: string, description: string) => {
  const metric = Metric.gauge(name, { description })
  return (value: number): Effect.Effect<void> => Metric.update(metric, value)
}

/** Sets the gauge of these labels. */
export const gaugeBy = <L extends Labels>(name: string, description: string) => {
  const metric = Metric.gauge(name, { description })
  return (labels: L, value: number): Effect.Effect<void> => Metric.update(Metric.withAttributes(metric, labels), value)
}
