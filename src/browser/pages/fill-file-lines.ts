/** The page of a delivery: hashed files become lines of the field that is also typed by hand. */
import { enhanceFilePicker, type HashedFile } from "../files/file-picker.ts"

/** The element has `data-fills` (the id of the field), `data-field-files-max` and `data-name-characters-max`. */
export const fillFileLines = (element: HTMLElement): void => {
  const field = document.getElementById(element.dataset["fills"]!) as HTMLTextAreaElement
  const place = element.querySelector<HTMLInputElement>("[data-part=place]")!
  const filesMax = Number(element.dataset["fieldFilesMax"])
  const nameMax = Number(element.dataset["nameCharactersMax"])
  let added = 0

  const lines = (): ReadonlyArray<string> => field.value.split("\n").filter((line) => line.trim() !== "")
  const isListed = (name: string): boolean => lines().some((line) => line.split("|")[0]!.trim() === name)

  const refuse = ({ name: original }: File): string | undefined => {
    const name = original.trim()
    if (place.value.trim() === "") return "was not added: say first where the files are kept."
    if (/[|\r\n]/.test(name))
      return "was not added: a name with a bar or a line break has no line here; rename the file."
    if (name.length > nameMax)
      return `was not added: a name has at most ${nameMax} characters, and this one ${name.length}.`
    if (isListed(name)) return "was not added: a file with this name is listed; remove its line first."
    return lines().length >= filesMax ? `was not added: at most ${filesMax} files per criterion.` : undefined
  }

  const use = ({ name, size, sha256 }: HashedFile): string => {
    // Typed in the time of the hashing.
    if (isListed(name.trim())) return "was not added: a file with this name is listed; remove its line first."
    const line = `${name.trim()} | ${place.value.trim()} | ${size} | ${sha256}`
    field.value = [...lines(), line].join("\n")
    added++
    return `was added: ${bytesText(size)}, SHA-256 ${sha256}`
  }

  const summarize = (): string => {
    const sentence = `${added} ${added === 1 ? "file was" : "files were"} added to the field. Nothing was uploaded.`
    added = 0
    return sentence
  }

  // Enter in this field must not send the delivery.
  place.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault()
  })
  enhanceFilePicker(element, { refuse, use, summarize })
}

const bytesText = (size: number): string => (size === 0 ? "an empty file" : `${size} bytes`)
