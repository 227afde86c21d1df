/** The ways in which a request ends that is not answered as asked: it was refused, or its outcome is unknown. */
import type { components } from "./openapi.ts"

/** The body of a refusal: `error` is a stable code, `nextAction` the next step, `humanUrl` a link for a person. */
export type RefusalBody = components["schemas"]["Error"]

/** The service refused the request. Nothing changed, except where `unanswered` says otherwise. */
export class Refused extends Error {
  override readonly name = "Refused"
  readonly status: number
  readonly code: string
  readonly nextAction: string | undefined
  readonly body: RefusalBody
  /**
   * Sends of the same bytes that had no answer before this refusal. With 401, 403 and 404 one of them may have taken effect,
   * because the service looks for a replay only after it has checked the credential and its scope: read the project.
   */
  readonly unanswered: number

  constructor(status: number, body: RefusalBody, unanswered = 0) {
    const issues = (body.issues ?? []).map(({ path, message }) => ` ${path}: ${message}.`).join("")
    super(`${status} ${body.error}: ${body.detail}${issues}`)
    this.status = status
    this.code = body.error
    this.nextAction = body.nextAction
    this.body = body
    this.unanswered = unanswered
  }
}

/**
 * No send of a request had a readable answer. A command may have taken effect or not; its bytes stay saved, and `resume`
 * sends them again. It is no reason to decide anew: another request id would be another command.
 */
export class OutcomeUnknown extends Error {
  override readonly name = "OutcomeUnknown"
  readonly code = "OUTCOME_UNKNOWN"
  readonly path: string
  readonly sends: number

  constructor(path: string, sends: number) {
    super(`${path} had no readable answer in ${sends} sends. A command may have taken effect; it stays saved.`)
    this.path = path
    this.sends = sends
  }
}
