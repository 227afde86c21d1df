/**
 * The navigation of every page, whose open group lies above the page: the Escape key closes it, and so does what a person
 * reaches outside of it by keyboard or pointer.
 */
export const closeGroups = (navigation: HTMLElement): void => {
  const openGroup = () => navigation.querySelector<HTMLDetailsElement>("details[open]")

  const closeOutside = ({ target }: Event): void => {
    const group = openGroup()
    if (group !== null && !group.contains(target as Node)) group.open = false
  }

  document.addEventListener("focusin", closeOutside)
  document.addEventListener("pointerdown", closeOutside)
  document.addEventListener("keydown", ({ key }) => {
    const group = openGroup()
    if (key !== "Escape" || group === null) return
    const hadFocus = group.contains(document.activeElement)
    group.open = false
    if (hadFocus) group.querySelector("summary")!.focus()
  })
}
