/** The paths of project pages. */

export const projectPath = (projectId: string): `/workspace/${string}` => `/workspace/projects/${projectId}`
