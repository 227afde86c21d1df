/** The shape of a row in the table of refusals. */
export interface RefusalRule {
  readonly status: 400 | 401 | 403 | 404 | 409 | 413 | 429 | 503
  /** The section of the specification that it enforces. */
  readonly section: string
  readonly detail: string
  readonly nextAction?: string
  /** The only callers that can get it; agents and people where absent. */
  readonly to?: CallerKind
}

export type CallerKind = "AGENT" | "PERSON"
