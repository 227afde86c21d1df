/** Renders runs as one self-contained page, which opens offline and shows one run at a time. */
import { clientScript } from "./client-script.ts"
import { contentPolicy, embeddedJson, embeddedLines, escapeText } from "./embed.ts"
import { frame } from "./frame.ts"
import { sessionText } from "../../view-model/session-text.js"
import { modelOf, type TimelineModel } from "../../view-model/timeline-model.ts"
import type { TimelineRun } from "../../view-model/timeline-run.ts"
import { style } from "./style.ts"

/** A page before the runs, in place of their list: it links to the first run as `#run-1`. */
export interface FrontPage {
  readonly title: string
  /** A `main` element with the id `runs`, and the attribute `data-front`: it is shown first, also for a single run. */
  readonly html: string
  readonly style: string
}

export const renderTimeline = (runs: ReadonlyArray<TimelineRun>, front?: FrontPage): string => {
  const models = runs.map(modelOf)
  const script = clientScript()
  const title = front?.title ?? titleOf(runs)
  const styles = `${style}${front?.style ?? ""}`
  return [
    `<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n`,
    `<meta http-equiv="Content-Security-Policy" content="${contentPolicy(script, styles)}">\n`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">\n`,
    `<meta name="color-scheme" content="light dark">\n`,
    `<title>${escapeText(title)}</title>\n<style>${styles}</style>\n</head>\n<body>\n`,
    front?.html ?? index(title, models),
    frame,
    ...models.map((model, number) => embeddedJson(`model-${number}`, model)),
    ...runs.map(({ lines }, number) => embeddedLines(`lines-${number}`, lines)),
    runs.length === 0 ? "" : `<script>${script}</script>\n`,
    `</body>\n</html>\n`
  ].join("")
}

const titleOf = (runs: ReadonlyArray<TimelineRun>): string => {
  const [first] = runs
  if (runs.length === 1 && first !== undefined) return `${first.title}: ${first.verdict}`
  const passed = runs.filter(({ verdict }) => verdict === "PASSED").length
  return `${count(runs.length, "run")}, ${passed} passed`
}

/** The index of runs, which is shown without JavaScript too. */
const index = (title: string, models: ReadonlyArray<TimelineModel>): string =>
  [
    `<nav id="runs" class="front" aria-label="Runs">\n<h1>${escapeText(title)}</h1>\n`,
    `<noscript><p>The verdict of each run. The events require JavaScript; the script of this page loads and sends`,
    ` nothing.</p></noscript>\n<ol>\n`,
    ...models.map(
      (model, number) =>
        `<li><a href="#run-${number + 1}">${escapeText(model.title)}</a> ` +
        `<strong class="verdict ${model.verdict === "PASSED" ? "passed" : "failed"}">${escapeText(model.verdict)}</strong>` +
        `<p class="about">${escapeText(aboutRun(model))}</p>` +
        `<p>${escapeText(model.say ?? "")}</p></li>\n`
    ),
    `</ol>\n</nav>\n`
  ].join("")

const aboutRun = (model: TimelineModel): string => {
  const { events } = model
  const marked = (tone: string): number => events.filter((event) => event.tone === tone).length
  const counted = [
    count(events.length, "event"),
    count(marked("refused"), "refusal"),
    count(marked("fault"), "fault"),
    ...(marked("failed") === 0 ? [] : [count(marked("failed"), "failure")])
  ]
  return `${sessionText(model)}: ${counted.join(", ")}`
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`
