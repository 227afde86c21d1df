/** The page of a review: hashed files are compared with the delivery, whose rows show the outcome. */
import { enhanceFilePicker, type HashedFile } from "../files/file-picker.ts"
import { visible } from "../../canonical/visible-characters.ts"

/** A delivered file: an element with `data-sha256`, `data-bytes` and, with invisible characters replaced, `data-name`. */
interface DeliveredFile {
  readonly element: HTMLElement
  readonly name: string
  readonly size: string
  readonly sha256: string
  outcome: "same" | "different" | undefined
}

export const compareFiles = (element: HTMLElement): void => {
  const delivered = [...document.querySelectorAll<HTMLElement>("[data-sha256]")].map((element): DeliveredFile => ({
    element,
    name: element.dataset["name"]!,
    size: element.dataset["bytes"]!,
    sha256: element.dataset["sha256"]!,
    outcome: undefined
  }))

  const use = ({ name, size, sha256 }: HashedFile): string => {
    const same = delivered.filter((file) => file.sha256 === sha256 && file.size === String(size))
    if (same.length > 0) {
      for (const file of same) mark(file, "same")
      return same.some((file) => file.name === visible(name))
        ? "has the same bytes as the delivered file."
        : "has the same bytes as a delivered file of another name."
    }
    const named = delivered.filter((file) => file.name === visible(name))
    if (named.length === 0) return "is not in this delivery: neither its bytes nor its name."
    for (const file of named) if (file.outcome !== "same") mark(file, "different")
    return `is different: this file has ${size} bytes and SHA-256 ${sha256}`
  }

  const summarize = (): string => {
    const count = (outcome: DeliveredFile["outcome"]) => delivered.filter((file) => file.outcome === outcome).length
    return `Of ${delivered.length} delivered files: ${count("same")} with the same bytes, ${count("different")} different, ${count(undefined)} not compared. Nothing was uploaded.`
  }

  enhanceFilePicker(element, { refuse: () => undefined, use, summarize })
}

const texts = { same: ["good", "same bytes"], different: ["bad", "different"] } as const

const mark = (file: DeliveredFile, outcome: "same" | "different"): void => {
  file.outcome = outcome
  // The first cell, with the name, is in view also where the table is wider than the window.
  const heading = file.element.closest("tr")!.querySelector("th")!
  heading.querySelector("[data-outcome]")?.remove()
  const badge = document.createElement("strong")
  const [kind, text] = texts[outcome]
  badge.className = `badge ${kind}`
  badge.dataset["outcome"] = outcome
  badge.textContent = text
  heading.append(" ", badge)
}
