/**
 * Every move of a proposal in every state, written by hand from the decisions and not from the code, as an independent
 * expectation.
 */
export const moves = ["UPDATE", "PUBLISH", "WITHDRAW", "ACCEPT", "REQUEST_CHANGES", "DECLINE"] as const
export type Move = (typeof moves)[number]

export const states = ["DRAFT", "PUBLISHED", "CHANGES_REQUESTED", "ACCEPTED", "DECLINED", "WITHDRAWN"] as const
export type State = (typeof states)[number]

/** The next state of a move in each state; "no" is STATE_CONFLICT. */
export const table: { readonly [S in State]: { readonly [M in Move]: State | "no" } } = {
  DRAFT: {
    UPDATE: "DRAFT",
    PUBLISH: "PUBLISHED",
    WITHDRAW: "WITHDRAWN",
    ACCEPT: "no",
    REQUEST_CHANGES: "no",
    DECLINE: "no"
  },
  PUBLISHED: {
    UPDATE: "DRAFT",
    PUBLISH: "no",
    WITHDRAW: "WITHDRAWN",
    ACCEPT: "ACCEPTED",
    REQUEST_CHANGES: "CHANGES_REQUESTED",
    DECLINE: "DECLINED"
  },
  CHANGES_REQUESTED: {
    UPDATE: "DRAFT",
    PUBLISH: "no",
    WITHDRAW: "WITHDRAWN",
    ACCEPT: "no",
    REQUEST_CHANGES: "no",
    DECLINE: "no"
  },
  ACCEPTED: { UPDATE: "no", PUBLISH: "no", WITHDRAW: "no", ACCEPT: "no", REQUEST_CHANGES: "no", DECLINE: "no" },
  DECLINED: { UPDATE: "no", PUBLISH: "no", WITHDRAW: "no", ACCEPT: "no", REQUEST_CHANGES: "no", DECLINE: "no" },
  WITHDRAWN: { UPDATE: "no", PUBLISH: "no", WITHDRAW: "no", ACCEPT: "no", REQUEST_CHANGES: "no", DECLINE: "no" }
}

export const ofAuthor: ReadonlyArray<Move> = ["UPDATE", "PUBLISH", "WITHDRAW"]
export const ofRecipient: ReadonlyArray<Move> = ["ACCEPT", "REQUEST_CHANGES", "DECLINE"]
