/** The files of a drop, and the folders among them, which cannot be hashed. */

export interface DroppedFiles {
  readonly files: ReadonlyArray<File>
  /** The names of the folders. */
  readonly folders: ReadonlyArray<string>
}

export const droppedFiles = (transfer: DataTransfer): DroppedFiles => {
  const files: Array<File> = []
  const folders: Array<string> = []
  for (const item of transfer.items) {
    if (item.kind !== "file") continue
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry?.isDirectory === true) folders.push(entry.name)
    else if (file !== null) files.push(file)
  }
  return { files, folders }
}
