/** What is told of a search without an end: a line now and then, what is found, and a summary. */
import { counted } from "../report.ts"
import type { Finding, Progress } from "./progress.ts"

export const lineOf = (progress: Progress): string => {
  const { milliseconds, runs, requests, worlds, findings, scripts, generated } = progress
  const failing = findings.filter(({ state }) => state === "FAILS").length
  return [
    timeText(milliseconds),
    counted(runs, "run"),
    counted(requests, "request"),
    `${counted(Object.keys(scripts).length, "script")} in hand`,
    `${generated.toLocaleString("en-US")} generated`,
    counted(worlds, "world"),
    `${counted(findings.length, "cause")} known, ${failing} of them ${failing === 1 ? "fails" : "fail"}`
  ].join(" · ")
}

export const findingLines = (finding: Finding, fileOf: (name: string) => string): ReadonlyArray<string> => {
  const { state, cause, times, words, script, way, position, file } = finding
  return [
    `${stateWords[state]}: ${cause}`,
    `  seen: ${words}`,
    `  met ${counted(times, "time")}, first in ${script}, turn ${position}, by ${way}`,
    file === null ? "  not saved: a script cannot say it; the same seed comes to it again" : `  saved: ${fileOf(file)}`
  ]
}

const stateWords: { readonly [state in Finding["state"]]: string } = {
  FAILS: "still fails",
  FIXED: "fixed",
  DIVERGED: "diverged, search its script again"
}

export const summaryLines = (progress: Progress, fileOf: (name: string) => string): ReadonlyArray<string> => {
  const { findings, unusable, seed, position } = progress
  return [
    ...findings.flatMap((finding) => findingLines(finding, fileOf)),
    `seed ${seed}, ${counted(position, "turn")}, of which ${unusable.toLocaleString("en-US")} came to nothing`,
    `most new worlds of late: ${best(progress.scripts)}`,
    `by ${best(progress.ways)}`,
    lineOf(progress)
  ]
}

const best = (tallies: Progress["scripts"]): string =>
  Object.entries(tallies)
    .toSorted(([, one], [, other]) => other.recently - one.recently)
    .slice(0, 3)
    .map(([name, { worlds, runs }]) => `${name} (${worlds} in ${counted(runs, "run")})`)
    .join("; ")

const timeText = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1000)
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return parts.map((part) => String(part).padStart(2, "0")).join(":")
}
