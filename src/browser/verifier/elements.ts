/** Elements of a report. Every text is set as text: none of a file becomes markup. */

type Child = string | Node | undefined

export const element = (tag: string, ...children: ReadonlyArray<Child>): HTMLElement => {
  const made = document.createElement(tag)
  for (const child of children) if (child !== undefined) made.append(child)
  return made
}

/** The same with a class. */
export const styled = (tag: string, className: string, ...children: ReadonlyArray<Child>): HTMLElement => {
  const made = element(tag, ...children)
  made.className = className
  return made
}

export const list = (items: ReadonlyArray<Node>): HTMLElement => element("ul", ...items)

/** A part that a person opens, with a text in its exact lines. */
export const foldedText = (label: string, part: string, text: string): HTMLElement => {
  const lines = element("pre", text)
  lines.dataset["part"] = part
  // A long line scrolls inside, also with the keyboard.
  lines.tabIndex = 0
  lines.setAttribute("role", "region")
  lines.setAttribute("aria-label", label)
  return element("details", element("summary", label), lines)
}
