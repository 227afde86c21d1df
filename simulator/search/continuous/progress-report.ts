/** The reports of a continuous search: progress lines, findings and a summary. */
import { formatCount } from "../report.ts"
import type { Finding, Progress } from "./progress.ts"

export const progressLine = (progress: Progress): string => {
  const { milliseconds, runs, requests, worlds, findings, scripts, generated } = progress
  const failing = findings.filter(({ state }) => state === "FAILS").length
  return [
    timeText(milliseconds),
    formatCount(runs, "run"),
    formatCount(requests, "request"),
    formatCount(Object.keys(scripts).length, "script"),
    `${generated.toLocaleString("en-US")} generated`,
    formatCount(worlds, "visited state"),
    `${formatCount(findings.length, "finding")}, ${failing} failing`
  ].join(" · ")
}

export const findingLines = (finding: Finding, fileOf: (name: string) => string): ReadonlyArray<string> => {
  const { state, cause, times, words, script, mode, position, file } = finding
  return [
    `${stateWords[state]}: ${cause}`,
    `  observed: ${words}`,
    `  occurred ${formatCount(times, "time")}, first in ${script}, iteration ${position}, mode ${mode}`,
    file === null
      ? "  not saved: the script format cannot express it; the same seed finds it again"
      : `  saved: ${fileOf(file)}`
  ]
}

const stateWords: { readonly [state in Finding["state"]]: string } = {
  FAILS: "still fails",
  FIXED: "fixed",
  DIVERGED: "diverged: search its script again"
}

export const summaryLines = (progress: Progress, fileOf: (name: string) => string): ReadonlyArray<string> => {
  const { findings, unusable, seed, position } = progress
  return [
    ...findings.flatMap((finding) => findingLines(finding, fileOf)),
    `seed ${seed}, ${formatCount(position, "iteration")}, of which ${unusable.toLocaleString("en-US")} had no searchable script`,
    `most new states recently: ${best(progress.scripts)}`,
    `by mode: ${best(progress.modes)}`,
    progressLine(progress)
  ]
}

const best = (tallies: Progress["scripts"]): string =>
  Object.entries(tallies)
    .toSorted(([, one], [, other]) => other.recently - one.recently)
    .slice(0, 3)
    .map(([name, { worlds, runs }]) => `${name} (${worlds} in ${formatCount(runs, "run")})`)
    .join("; ")

const timeText = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, "0")).join(":")
}
