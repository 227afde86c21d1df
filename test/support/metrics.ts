/** The values of metrics, as Prometheus would read them now. */
import { Effect, Metric } from "effect"

type Labels = Readonly<Record<string, string>>

/** Runs a test with metrics of its own. */
export const withOwnMetrics = <A, E, R>(test: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.provideService(test, Metric.MetricRegistry, new Map())

/** The value of a counter or gauge; 0 where it has none with these labels. */
export const valueOf = (name: string, labels: Labels = {}): Effect.Effect<number> =>
  Effect.map(stateOf(name, labels), (state) => (state === undefined ? 0 : numberIn(state)))

/** The count and the greatest value of a histogram. */
export const histogramOf = (name: string, labels: Labels = {}) =>
  Effect.map(stateOf(name, labels), (state) =>
    state !== undefined && "max" in state ? { count: state.count, max: state.max } : { count: 0, max: 0 }
  )

/** The values of a counter or gauge that are not 0, by the text of their labels. */
export const valuesByLabels = (name: string): Effect.Effect<Readonly<Record<string, number>>> =>
  Effect.map(Metric.snapshot, (all) =>
    Object.fromEntries(
      all
        .filter(({ id }) => id === name)
        .map(({ attributes, state }) => [Object.values(attributes ?? {}).join(" "), numberIn(state)] as const)
        .filter(([, value]) => value !== 0)
    )
  )

/** The texts of the labels of every series of a metric, whatever its value. */
export const seriesOf = (name: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(Metric.snapshot, (all) =>
    all
      .filter(({ id }) => id === name)
      .map(({ attributes }) => Object.values(attributes ?? {}).join(" "))
      .toSorted()
  )

const numberIn = (state: object): number =>
  Number("value" in state ? state.value : "count" in state ? state.count : Number.NaN)

const stateOf = (name: string, labels: Labels) =>
  Effect.map(
    Metric.snapshot,
    (all) =>
      all.find(
        ({ id, attributes = {} }) =>
          id === name &&
          Object.keys(attributes).length === Object.keys(labels).length &&
          Object.entries(labels).every(([label, value]) => attributes[label] === value)
      )?.state
  )
