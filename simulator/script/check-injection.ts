/** Checks what a script lets go wrong: one thing, and for whom where that is not clear. */
import { rootKinds } from "../../src/ports/table.ts"
import { tables } from "../../src/tables.ts"
import type { Level } from "./check-step.ts"
import type { SearchForm, StepForm } from "./format.ts"
import { anyOf, type Known, operator } from "./known.ts"
import type { Path } from "./problem.ts"
import { didYouMean } from "../../src/vocabulary/suggest.ts"

type Injection = Exclude<NonNullable<StepForm["inject"]>, string>

export const checkInjection = (step: StepForm, path: Path, known: Known): void => {
  const { inject } = step
  if (inject === undefined) return
  const at = [...path, "inject"]
  if (typeof inject === "string") {
    if (isAlone(step)) known.say(at, `${inject} goes with a request: with do, retry or send`)
    return
  }
  for (const problem of problemsWith(inject, isAlone(step) ? kinds : ofRequest)) known.say(at, problem)
  checkPoint(inject, at, known)
  if (isAlone(step)) checkVictim(inject, at, known)
  else checkBesideRequest(inject, at, known)
}

/** Where it strikes, in names that there are. */
const checkPoint = ({ database, crash, at: point = "commit", in: where }: Injection, at: Path, known: Known): void => {
  if (database === undefined && point !== "commit") known.say([...at, "at"], "at goes with database", "key")
  if (where === undefined) return
  if ((database ?? crash) === undefined) return known.say([...at, "in"], "in goes with database or crash", "key")
  if (point === "begin") return known.say([...at, "in"], "nothing is named where it begins", "key")
  const names: ReadonlyArray<string> = point === "lock" ? rootKinds : tables.map(({ name }) => name)
  if (names.includes(where)) return
  const what = point === "lock" ? "root that is locked" : "table"
  known.say([...at, "in"], `there is no ${what} called ${where}${didYouMean(where, names)}`)
}

/** What is searched: in one place of a script, with what there is to go wrong in it. */
export const checkSearch = (search: SearchForm, path: Path, level: Level, known: Known): void => {
  if (level !== "outer") known.say(path, "explore stands by itself among the steps of a script", "key")
  if (known.isSearched)
    known.say(path, "orders are searched from one point of a script on; another one is above", "key")
  known.isSearched = true
  for (const [index, fault] of (search.faults ?? []).entries()) {
    const at = [...path, "faults", index]
    for (const problem of problemsWith(fault, kinds)) known.say(at, problem)
    checkPoint(fault, at, known)
    checkVictim(fault, at, known)
    for (const key of ["skip", "times"] as const) {
      if (fault[key] !== undefined) known.say([...at, key], `${key} is for the search to find`, "key")
    }
  }
  for (const name of Object.keys(search.receivers ?? {})) known.party(name, "receiver", [...path, "receivers", name])
}

/** One thing goes wrong at a time. */
const problemsWith = (inject: Injection, among: ReadonlyArray<string>): ReadonlyArray<string> => {
  const what = kinds.filter((kind) => inject[kind] !== undefined)
  if (what.length > 1) return [`one thing goes wrong at a time; this has ${what.join(" and ")}`]
  return what.length === 0 ? [`what goes wrong? inject says one of ${anyOf(among)}`] : []
}

const ofRequest = ["database", "crash"] as const
const kinds = [...ofRequest, "lost"] as const

const isAlone = (step: StepForm): boolean =>
  step.do === undefined && step.retry === undefined && step.send === undefined

const checkBesideRequest = (inject: Injection, at: Path, known: Known): void => {
  if (inject.of !== undefined) {
    known.say([...at, "of"], "of goes with inject alone: here it is this request that it strikes", "key")
  }
  if (inject.lost !== undefined) {
    known.say([...at, "lost"], `beside a request this is written inject: lost-${inject.lost}`, "key")
  }
}

/** What stands alone strikes the next request of somebody, or a process. */
const checkVictim = ({ of, crash, lost }: Injection, at: Path, known: Known): void => {
  if (of === undefined) {
    return known.say(at, "of is missing: whose request does this strike, or which process?", "key")
  }
  const kind = of === worker ? worker : known.actors.get(of)
  if (kind === undefined) {
    const near = didYouMean(of, [...known.actors.keys(), worker])
    known.say([...at, "of"], `nobody is called ${of} at this point${near}`)
  } else if (kind === worker && !known.hasWorker) {
    known.say([...at, "of"], "there is no worker here: give the world receivers, or say in given what a worker does")
  } else if (kind === worker && lost !== undefined) {
    known.say(
      [...at, "of"],
      "a worker sends no request that could be lost; a receiver's visits say what becomes of its own"
    )
  } else if (kind === operator && (crash ?? lost) !== undefined) {
    known.say([...at, "of"], "an operator's command is no request to a process of the service")
  } else if (kind === "receiver") {
    known.say([...at, "of"], `${of} is a receiver: what goes wrong there is said with setReceiver`)
  }
}

const worker = "worker"

/** True where nobody waits for an answer any more. */
export const isDeaf = (step: StepForm): boolean => {
  const { inject } = step
  return !isAlone(step) && (typeof inject === "string" || inject?.crash !== undefined)
}
