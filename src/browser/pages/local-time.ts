/** Beside a field with a date in UTC: the same time in the zone of the browser. */

/** The element has `data-field`, the id of the field. */
export const localTime = (element: HTMLElement): void => {
  const field = document.getElementById(element.dataset["field"]!)
  if (!(field instanceof HTMLInputElement)) return
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions()
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "long",
    timeStyle: "short",
    timeZone
  })
  const show = (): void => {
    const entered = Date.parse(`${field.value}Z`)
    element.textContent = Number.isNaN(entered) ? "" : ` In your time zone, ${timeZone}: ${format.format(entered)}.`
  }
  field.addEventListener("input", show)
  show()
}
