// @ts-check
/** The commands of the page: each is one request to the control API, whose answer is shown. */
import { part } from "../../../reports/timeline/client/elements.js"
import { ask } from "./control-client.js"
import { fieldOf, say, sayRefusal, showAnswer } from "./view.js"
import { begin, here, look, lookAtWorlds } from "./world.js"

/**
 * @param {string} title
 * @param {string} path
 * @param {object} body
 */
const change = async (title, path, body) => {
  say(`${title} …`)
  const answered = await ask("POST", here(path), body)
  showAnswer(title, answered)
  if (answered.isRefused) sayRefusal(answered)
  await look()
  return answered
}

/** @param {{ readonly by: string } | { readonly until: string }} span */
export const advance = async (span) => {
  const { isRefused, value } = await change("Advance", "/clock/advance", span)
  if (!isRefused) say(`Now: ${value.now}. Timers fired: ${value.fired}.`)
}

export const actNow = () => {
  const { value: input } = fieldOf("input")
  const on = fieldOf("on").value.trim()
  const given = input.trim() === "" ? undefined : objectIn(input)
  if (given === null) return say("The input is not a JSON object.", true)
  return take({
    as: fieldOf("as").value.trim(),
    do: fieldOf("do").value.trim(),
    ...(on === "" ? {} : { on }),
    ...(given === undefined ? {} : { input: given })
  })
}

export const injectNow = () => {
  const step = objectIn(fieldOf("fault-step").value)
  return step === null ? say("The step is not a JSON object.", true) : take(step)
}

/** @param {any} step */
const take = async (step) => {
  const title = step.do === undefined ? "Inject" : `${step.do} as ${step.as}`
  const { isRefused, value } = await change(title, "/steps", step)
  if (isRefused) return
  const { ended, answer } = value
  if (answer !== undefined) return sayAnswer(title, answer)
  if (ended !== null) return say(`${title}: ${ended.verdict}. ${ended.reason}`, true)
  say(`${title}: done`)
}

/**
 * @param {string} title
 * @param {{ readonly status: number, readonly body: any }} answer
 */
const sayAnswer = (title, { status, body }) =>
  say([`${title}:`, status, body?.error ?? body?.project?.state ?? ""].join(" "), status >= 400)

/** @param {"hold" | "release"} what */
export const holdOrRelease = async (what) => {
  const of = fieldOf("hold-of").value.trim()
  const { isRefused } = await change(`${what} ${of}`, `/${what}`, { of })
  if (!isRefused) say(what === "hold" ? `Requests of ${of} are held.` : `Requests of ${of} are released.`)
}

export const takeSnapshot = async () => {
  const name = fieldOf("snapshot").value.trim()
  const { isRefused } = await change("Snapshot", "/snapshots", { name })
  if (!isRefused) say(`Snapshot ${name} taken.`)
}

/** @param {string} [from] */
export const fork = async (from) => {
  const { isRefused, value } = await change("Fork", "/fork", from === undefined ? {} : { from })
  if (isRefused) return
  await lookAtWorlds(value.id)
  say(`Forked to ${value.id}.`)
}

/** @param {string} to */
export const rewind = async (to) => {
  const { isRefused, value } = await change("Rewind", "/rewind", { to })
  if (isRefused) return
  await begin()
  say(`Rewound to ${to}. Now: ${value.now}.`)
}

/** @param {string} what */
export const changeWorlds = async (what) => {
  const answered = what === "new" ? await ask("POST", "/sim/worlds", {}) : await ask("DELETE", here())
  showAnswer(what === "new" ? "New world" : "End this world", answered)
  if (answered.isRefused) return sayRefusal(answered)
  await lookAtWorlds(what === "new" ? answered.value.id : "")
  say(what === "new" ? `World ${answered.value.id} created.` : "World deleted.")
}

/** Writes the selected fault as a step for the selected target. */
export const writeFault = (/** @type {ReadonlyArray<any>} */ faults) => {
  const fault = faults.find(({ name }) => name === fieldOf("fault").value)
  if (fault === undefined) return
  part("fault-about").replaceChildren(fault.what)
  const of = fieldOf("strikes").value.trim()
  const { inject } = fault.step
  const step = inject === undefined ? fault.step : { ...fault.step, inject: { ...inject, of: of || inject.of } }
  fieldOf("fault-step").value = JSON.stringify(step, null, 2)
}

/** @param {string} text */
const objectIn = (text) => {
  try {
    const value = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}
