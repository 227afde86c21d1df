/** The paths of draft pages. */

export const draftsPath = "/workspace/drafts"

export const draftPath = (draftId: string): `/workspace/${string}` => `${draftsPath}/${draftId}`
