// @ts-check
/** Creates elements. All content of a run enters the page here, as text and never as markup. */
import { visible } from "./visible-characters.js"

/**
 * @param {string} tag
 * @param {{ readonly [attribute: string]: string | number | boolean | undefined }} attributes
 * @param {ReadonlyArray<Node | string>} children
 * @returns {HTMLElement}
 */
export const element = (tag, attributes = {}, ...children) => {
  const created = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) created.setAttribute(name, value === true ? "" : String(value))
  }
  created.append(...children.map((child) => (typeof child === "string" ? visible(child) : child)))
  return created
}

/**
 * @param {string} label
 * @param {() => void} press
 */
export const button = (label, press) => {
  const created = element("button", { type: "button" }, label)
  created.addEventListener("click", press)
  return created
}

/**
 * The element of the page with this id.
 * @param {string} id
 * @returns {HTMLElement}
 */
export const part = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no element ${id}`)
  return found
}

/**
 * A long text in pieces: a button shows the next one.
 * @param {string} text
 * @param {number} charactersMax
 * @returns {DocumentFragment}
 */
export const inPieces = (text, charactersMax) => {
  const pieces = document.createDocumentFragment()
  pieces.append(visible(text.slice(0, charactersMax)))
  const rest = text.length - charactersMax
  if (rest > 0) {
    const more = button(`Show more (${rest.toLocaleString("en")} characters left)`, () => {
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
    const more = button(`Show more (${rest.toLocaleString("en")} left)`, () => {
      showNext(more, listInPieces(items.slice(itemsMax), show, itemsMax))
    })
    pieces.append(more)
  }
  return pieces
}

/**
 * Keeps the focus at the reader's position.
 * @param {HTMLElement} more
 * @param {DocumentFragment} next
 */
const showNext = (more, next) => {
  const parent = more.parentElement
  const nextButton = next.querySelector("button")
  more.replaceWith(next)
  if (nextButton !== null) nextButton.focus()
  else {
    parent?.setAttribute("tabindex", "-1")
    parent?.focus()
  }
}
