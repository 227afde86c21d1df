/**
 * The element of `filePicker` in `src/workspace/kit/file-picker.ts`: its files are hashed one after another, with progress
 * and a button to cancel. Nothing is sent: the page has no permission to connect, and the input has no name in the form.
 */
import { droppedFiles } from "./dropped-files.ts"
import { sha256OfFile } from "./hash-file.ts"
import { untrustedText } from "./untrusted-text.ts"

export interface HashedFile {
  readonly name: string
  readonly size: number
  readonly sha256: string
}

/** What a page does with files. */
export interface FilePurpose {
  /** Why a file is not hashed, as the end of a sentence that begins with its name; undefined where it is. */
  readonly refuse: (file: File) => string | undefined
  /** Uses a file; the result is the end of a sentence that begins with its name. */
  readonly use: (file: HashedFile) => string
  /** The sentence after all files. */
  readonly summarize: () => string
}

export const enhanceFilePicker = (element: HTMLElement, purpose: FilePurpose): void => {
  const part = <E extends HTMLElement>(name: string): E => element.querySelector<E>(`[data-part=${name}]`)!
  const input = part<HTMLInputElement>("files")
  const progress = part<HTMLProgressElement>("progress")
  const cancel = part<HTMLButtonElement>("cancel")
  const results = part("results")
  const status = part("status")
  const filesMax = Number(element.dataset["filesMax"])
  const list = document.createElement("ul")
  let queue: Array<File> = []
  let running: AbortController | undefined

  const report = (name: string, sentenceEnd: string): void => {
    const item = document.createElement("li")
    item.append(untrustedText(name), ` ${sentenceEnd}`)
    list.append(item)
    if (!list.isConnected) results.append(list)
  }

  const hashOne = async (file: File, signal: AbortSignal): Promise<void> => {
    const refused = purpose.refuse(file)
    if (refused !== undefined) return report(file.name, refused)
    status.textContent = `Computing the SHA-256 of ${queue.length === 0 ? "one file" : `a file; ${queue.length} more wait`}.`
    progress.value = 0
    const onProgress = (bytes: number) => void (progress.value = bytes / file.size)
    try {
      const sha256 = await sha256OfFile(file, { signal, onProgress })
      report(file.name, purpose.use({ name: file.name, size: file.size, sha256 }))
    } catch {
      report(file.name, signal.aborted ? "was cancelled." : unreadable)
    }
  }

  const run = async (): Promise<void> => {
    running = new AbortController()
    const { signal } = running
    progress.hidden = cancel.hidden = false
    for (let file = queue.shift(); file !== undefined && !signal.aborted; file = queue.shift()) {
      await hashOne(file, signal)
    }
    queue = []
    running = undefined
    const hadFocus = document.activeElement === cancel
    progress.hidden = cancel.hidden = true
    if (hadFocus) input.focus()
    status.textContent = signal.aborted ? `Cancelled. ${purpose.summarize()}` : purpose.summarize()
  }

  const add = (files: ReadonlyArray<File>, folders: ReadonlyArray<string> = []): void => {
    if (running === undefined) list.replaceChildren()
    for (const name of folders) report(name, "is a folder: choose the files in it.")
    const waiting = queue.length + files.length
    if (waiting > filesMax) {
      status.textContent = `At most ${filesMax} files at once; these are ${waiting}, and none was hashed.`
      return
    }
    queue.push(...files)
    if (running === undefined && queue.length > 0) void run()
  }

  input.addEventListener("change", () => {
    add([...(input.files ?? [])])
    // So that choosing the same file again is a change.
    input.value = ""
  })
  cancel.addEventListener("click", () => running?.abort())
  acceptDrops(element, add)
  element.hidden = false
}

const unreadable = "could not be read: it was moved or changed, is a folder, or may not be opened."

const acceptDrops = (
  element: HTMLElement,
  add: (files: ReadonlyArray<File>, folders: ReadonlyArray<string>) => void
): void => {
  element.addEventListener("dragover", () => element.classList.add("dragging"))
  element.addEventListener("dragleave", () => element.classList.remove("dragging"))
  element.addEventListener("drop", ({ dataTransfer }) => {
    element.classList.remove("dragging")
    if (dataTransfer === null) return
    const { files, folders } = droppedFiles(dataTransfer)
    add(files, folders)
  })
}

/** A file that is dropped beside its place would replace the page, and with it everything entered there. */
export const keepPageOnDrop = (): void => {
  for (const type of ["dragover", "drop"] as const) {
    document.addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes("Files") === true) event.preventDefault()
    })
  }
}
