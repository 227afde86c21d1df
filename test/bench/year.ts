/** A year of virtual time over the control API, against ten seconds of wall time. */
import { Duration, Effect } from "effect"
import { passYear, startWorldForYear, type WayThroughYear, waysThroughYear } from "../support/year-over-control-api.ts"
import { readable, type Figure, type Section } from "./figure.ts"

/** Each way in a world of its own. CPU time is that of the server and its client together. Fails if time was lost. */
export const measureYear = Effect.gen(function* () {
  const figures: Array<Figure> = []
  for (const way of Object.keys(waysThroughYear) as ReadonlyArray<WayThroughYear>) figures.push(yield* measureWay(way))
  return [{ title: "A year over the control API", figures }] satisfies ReadonlyArray<Section>
})

const measureWay = Effect.fnUntraced(function* (way: WayThroughYear) {
  const server = yield* Effect.acquireRelease(Effect.promise(startWorldForYear), ({ stop }) => Effect.promise(stop))
  const [began, cpuBefore] = [performance.now(), process.cpuUsage()]
  const { requests, errorMilliseconds } = yield* Effect.promise(() => passYear(server, way))
  const wall = (performance.now() - began) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  if (errorMilliseconds !== 0) {
    return yield* Effect.die(new Error(`${way}: the virtual time is ${errorMilliseconds} ms off.`))
  }
  return {
    what: way,
    measured: `requests: ${requests}, error: ${errorMilliseconds} ms`,
    against: `${readable(wall)} s of wall time, ${readable((user + system) / 1_000_000)} s of CPU time`,
    ratio: year / wall,
    aim: { atLeast: year / wallSecondsAimed }
  } satisfies Figure
}, Effect.scoped)

const year = Duration.toSeconds(Duration.days(365))
const wallSecondsAimed = 10
