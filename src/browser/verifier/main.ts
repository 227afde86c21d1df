/**
 * The script of the page `/verify`: the verifier itself, on files that the person chooses. Nothing is sent: the page has no
 * permission to connect, and works after the network is gone.
 */
import { verifyFiles } from "./verify-files.ts"
import { element } from "./elements.ts"
import { showReport, verdictText } from "./show-report.ts"

const form = document.querySelector<HTMLFormElement>("[data-enhance=verifier]")!
const result = document.querySelector<HTMLElement>("[data-part=result]")!
const status = document.querySelector<HTMLElement>("[data-part=status]")!
const checkedAt = document.querySelector<HTMLInputElement>("#checked-at")!

const fileOf = (id: string): File | undefined => document.querySelector<HTMLInputElement>(`#${id}`)!.files?.[0]

/** The sentence about what is missing, at the first field that lacks it. */
const missing = (): readonly [id: string, sentence: string] | undefined => {
  if (fileOf("artifact") === undefined) return ["artifact", "Choose the file to verify."]
  if (fileOf("keys") === undefined) return ["keys", "Choose the file with the issuer’s keys."]
  return undefined
}

const verify = async (): Promise<void> => {
  const lacking = missing()
  if (lacking !== undefined) {
    const [id, sentence] = lacking
    status.textContent = sentence
    document.getElementById(id)!.focus()
    return
  }
  result.replaceChildren()
  status.textContent = "Verifying."
  await nextFrame()
  try {
    const report = await verifyFiles({
      artifact: fileOf("artifact")!,
      keys: fileOf("keys")!,
      checkedAt: checkedAt.value,
      status: fileOf("status"),
      authority: fileOf("authority")
    })
    result.replaceChildren(element("h2", "The result"), ...showReport(report))
    status.textContent = verdictText(report)
  } catch {
    status.textContent = "A file could not be read: it was moved or changed, or may not be opened. Choose it again."
  }
}

/** So that the status is shown before the work. */
const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))

const setToNow = (): void => void (checkedAt.value = new Date().toISOString())

form.addEventListener("submit", (event) => {
  event.preventDefault()
  void verify()
})
document.querySelector("[data-part=now]")!.addEventListener("click", setToNow)
setToNow()
form.hidden = false
