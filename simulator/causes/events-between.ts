/** The events of a run between two of its observations, one line each. */
import { readTrace, renderTrace } from "../observation/trace.ts"
import type { Recorder } from "../observation/recorder.ts"
import { eventsOf } from "../view-model/session-events.ts"

export const eventsBetween = ({ observations, redact }: Recorder, from: number, to: number): ReadonlyArray<string> =>
  eventsOf(readTrace(renderTrace(observations, redact)))
    .slice(from, to)
    .map(({ at, text }) => `${at} ${text}`)
