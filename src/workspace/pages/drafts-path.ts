/** The addresses of drafts among the pages. */

export const draftsPath = "/workspace/drafts"

export const draftPath = (draftId: string): `/workspace/${string}` => `${draftsPath}/${draftId}`
