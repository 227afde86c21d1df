// @ts-check
/** Makes elements. Whatever a run says goes into the page as text, here and nowhere else, and never as markup. */
import { visible } from "./marks.js"

/**
 * @param {string} tag
 * @param {{ readonly [attribute: string]: string | number | boolean | undefined }} attributes
 * @param {ReadonlyArray<Node | string>} children
 * @returns {HTMLElement}
 */
export const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) made.setAttribute(name, value === true ? "" : String(value))
  }
  made.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)))
  return made
}

/**
 * @param {string} label
 * @param {() => void} press
 */
export const button = (label, press) => {
  const made = element("button", { type: "button" }, label)
  made.addEventListener("click", press)
  return made
}

/**
 * The part of the page that the frame has under this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const part = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no part ${id}`)
  return found
}

/**
 * A long text in pieces: the next one is shown when it is asked for.
 * @param {string} text
 * @param {number} charactersMax
 * @returns {DocumentFragment}
 */
export const inPieces = (text, charactersMax) => {
  const pieces = document.createDocumentFragment()
  pieces.append(visible(text.slice(0, charactersMax)))
  const rest = text.length - charactersMax
  if (rest > 0) {
    const more = button(`Show more of it (${rest.toLocaleString("en")} characters are left)`, () => {
      showNext(more, inPieces(text.slice(charactersMax), charactersMax))
    })
    pieces.append(more)
  }
  return pieces
}

/**
 * A long list in pieces.
 * @template Item
 * @param {ReadonlyArray<Item>} items
 * @param {(item: Item) => Node} show
 * @param {number} itemsMax
 * @returns {DocumentFragment}
 */
export const listInPieces = (items, show, itemsMax) => {
  const pieces = document.createDocumentFragment()
  pieces.append(...items.slice(0, itemsMax).map(show))
  const rest = items.length - itemsMax
  if (rest > 0) {
    const more = button(`Show more (${rest.toLocaleString("en")} are left)`, () => {
      showNext(more, listInPieces(items.slice(itemsMax), show, itemsMax))
    })
    pieces.append(more)
  }
  return pieces
}

/**
 * The focus stays where the reader is.
 * @param {HTMLElement} more
 * @param {DocumentFragment} next
 */
const showNext = (more, next) => {
  const around = more.parentElement
  const again = next.querySelector("button")
  more.replaceWith(next)
  if (again !== null) again.focus()
  else {
    around?.setAttribute("tabindex", "-1")
    around?.focus()
  }
}
