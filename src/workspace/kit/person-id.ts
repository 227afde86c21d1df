/** Validation of a typed person id, and the message for an invalid one. */
import { Schema } from "effect"
import { PersonId } from "../../vocabulary/ids.ts"

export const isPersonId = Schema.is(PersonId)

export const personIdFormat = "A person’s id looks like person_1b4e28ba-2fa1-4d2b-a3f5-0de1f0a1c2d3."
