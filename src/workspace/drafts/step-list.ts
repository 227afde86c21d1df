/** The list of a draft's steps: how far each is filled in, and its address. */
import { h } from "preact"
import type { Element } from "../kit/html.ts"
import { badge, linkTo } from "../kit/parts.ts"
import { previewPath, type StepProgress } from "./steps.ts"

/**
 * `current` is the step on the page, undefined on a page that has none. `pathOf` is absent before the first step is saved: the
 * others have no address yet.
 */
export const stepList = (
  progress: ReadonlyArray<StepProgress>,
  current: string | undefined,
  pathOf?: (step: string) => `/workspace/${string}`
): Element => {
  const entry = (path: string, name: string, state: Element | null) =>
    h(
      "li",
      path === current ? { "aria-current": "step" as const } : null,
      path === current || pathOf === undefined ? name : linkTo(pathOf(path), name),
      state === null ? null : [" ", state]
    )
  return h(
    "nav",
    { class: "draft-steps", "aria-label": "Steps" },
    h(
      "ol",
      null,
      progress.map((one) => entry(one.step.path, one.step.name, stateOf(one))),
      entry(previewPath, "Preview", null)
    )
  )
}

const stateOf = ({ isStarted, problems }: StepProgress): Element => {
  if (!isStarted) return badge("ended", "not started")
  return problems.length === 0 ? badge("good", "complete") : badge("waiting", `${problems.length} to complete`)
}
