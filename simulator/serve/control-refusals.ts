/** The refusals of the control API: the status and the next action of the caller. */
import type { Json } from "../vocabulary/json.ts"

const rules = {
  INVALID_REQUEST: { status: 400, nextAction: "Correct the request." },
  INVALID_STEP: { status: 400, nextAction: "Correct the step; it had no effect." },
  INVALID_SCENARIO: { status: 400, nextAction: "Correct the scenario; no world was created." },
  FOREIGN_ORIGIN: { status: 403, nextAction: "Call from a page of this server, or from outside a browser." },
  NOT_FOUND: { status: 404, nextAction: "GET /sim/worlds lists the worlds." },
  METHOD_NOT_ALLOWED: { status: 405, nextAction: "Use an allowed method." },
  TIME_STANDS_STILL: { status: 409, nextAction: "Wait for the answer or release the held requests, then retry." },
  NOT_REACHED: { status: 409, nextAction: "Let the actors that are due act, or allow more time with most." },
  NOT_AT_REST: { status: 409, nextAction: "Wait until the requests in flight end, then retry." },
  WORLD_ENDED: { status: 409, nextAction: "Use another world: GET /sim/worlds lists them." },
  TAKEN: { status: 409, nextAction: "Use another name." },
  TOO_MANY_WORLDS: { status: 409, nextAction: "Delete a world." },
  TOO_LARGE: { status: 413, nextAction: "Send a smaller body." },
  UNSUPPORTED_TYPE: { status: 415, nextAction: "Send application/json." },
  FOREIGN_HOST: { status: 421, nextAction: "Use the address that the server printed." },
  INTERNAL: { status: 500, nextAction: "Report the problem to the maintainers of the simulator." }
} as const satisfies { readonly [code: string]: { readonly status: number; readonly nextAction: string } }

export type ControlRefusalCode = keyof typeof rules

/** A refusal of the control API. */
export class ControlRefusal extends Error {
  override readonly name = "ControlRefused"
  readonly code: ControlRefusalCode
  readonly more: { readonly [member: string]: Json }

  constructor(code: ControlRefusalCode, detail: string, more: { readonly [member: string]: Json } = {}) {
    super(detail)
    this.code = code
    this.more = more
  }

  get status(): number {
    return rules[this.code].status
  }

  get body(): { readonly [member: string]: Json } {
    return { error: this.code, detail: this.message, nextAction: rules[this.code].nextAction, ...this.more }
  }
}
