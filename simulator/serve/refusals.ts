/** Every answer by which the control API refuses: its status, and what whoever asked does next. */
import type { Json } from "../script/json.ts"

const rules = {
  INVALID_REQUEST: { status: 400, nextAction: "Correct the request." },
  INVALID_STEP: { status: 400, nextAction: "Correct the step; nothing of it has happened." },
  INVALID_SCENARIO: { status: 400, nextAction: "Correct the scenario; no world was made." },
  FOREIGN_ORIGIN: { status: 403, nextAction: "Ask from a page of this server, or from a program that is no browser." },
  NOT_FOUND: { status: 404, nextAction: "GET /sim/worlds lists the worlds." },
  METHOD_NOT_ALLOWED: { status: 405, nextAction: "Use a method that this address has." },
  TIME_STANDS_STILL: { status: 409, nextAction: "Let what is awaited answer, or release what is held, and ask again." },
  NOT_AT_REST: { status: 409, nextAction: "Let what is in flight end, and ask again." },
  WORLD_ENDED: { status: 409, nextAction: "Use another world: GET /sim/worlds lists them." },
  TAKEN: { status: 409, nextAction: "Use another name." },
  TOO_MANY_WORLDS: { status: 409, nextAction: "Delete a world that nobody needs any more." },
  TOO_LARGE: { status: 413, nextAction: "Send less." },
  UNSUPPORTED_TYPE: { status: 415, nextAction: "Send application/json." },
  FOREIGN_HOST: { status: 421, nextAction: "Use the address that the server printed." },
  INTERNAL: { status: 500, nextAction: "Tell whoever keeps the simulator." }
} as const satisfies { readonly [code: string]: { readonly status: number; readonly nextAction: string } }

export type RefusalCode = keyof typeof rules

/** Thrown wherever the control API cannot do what it is asked for. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused"
  readonly code: RefusalCode
  readonly more: { readonly [member: string]: Json }

  constructor(code: RefusalCode, detail: string, more: { readonly [member: string]: Json } = {}) {
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
