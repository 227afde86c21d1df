/** Creates organizations and persons for an operator, and reads them for other capabilities. */
import { Effect } from "effect"
import { inTransaction, inView, readTogether } from "../ports/storage/run.ts"
import { exclusive, type Reader } from "../ports/storage.ts"
import { idSeed } from "../vocabulary/ids.ts"
import { limits } from "../vocabulary/limits.ts"
import { refuse, requireText } from "../vocabulary/refusals.ts"
import { Organizations, Persons } from "./store.ts"
import { traced } from "../vocabulary/traced.ts"

/** Creates an organization with a tenant of its own. */
export const createOrganization = traced("people.createOrganization")(function* (input: { readonly name: string }) {
  yield* requireText("The name", input.name, limits.titleCharacters)
  const ids = yield* idSeed
  return yield* inTransaction({ locks: [] }, function* (transaction) {
    const createdAt = yield* transaction.now
    const fresh = ids("attempt")
    const organizationId = fresh.next("organization")
    const tenantId = fresh.next("tenant")
    yield* transaction.insert(Organizations, { organizationId, tenantId, name: input.name, createdAt })
    return { organizationId, tenantId }
  })
})

/** A person is `(issuer, subject)`; a duplicate is refused. */
export const createPerson = traced("people.createPerson")(function* (input: {
  readonly name: string
  readonly issuer: string
  readonly subject: string
}) {
  yield* requireText("The name", input.name, limits.titleCharacters)
  yield* requireText("The issuer", input.issuer, limits.titleCharacters)
  yield* requireText("The subject", input.subject, limits.titleCharacters)
  const ids = yield* idSeed
  const personId = ids("plan").next("person")
  return yield* inTransaction({ locks: [exclusive("person", personId)] }, function* (transaction) {
    const known = yield* transaction.find(Persons, "bySubject", [input.issuer, input.subject])
    const createdAt = yield* transaction.now
    if (known !== undefined) {
      return yield* refuse("ALREADY_EXISTS", {
        detail: "A person with this issuer and subject exists; use another subject."
      })
    }
    yield* transaction.insert(Persons, { personId, ...input, createdAt })
    return { personId }
  })
})

export const readOrganization = (reader: Reader, organizationId: string) => reader.get(Organizations, [organizationId])

export const readPerson = (reader: Reader, personId: string) => reader.get(Persons, [personId])

/** The names of organizations, in the order of the ids. */
export const readOrganizationNames = traced("people.readOrganizationNames")(function* (
  organizationIds: ReadonlyArray<string>
) {
  return yield* inView((reader) =>
    readTogether(
      organizationIds.map((organizationId) =>
        Effect.map(readOrganization(reader, organizationId), (organization) => organization?.name ?? organizationId)
      )
    )
  )
})

/** The names of persons, in the order of the ids; an unknown id is returned unchanged. */
export const readNames = traced("people.readNames")(function* (personIds: ReadonlyArray<string>) {
  return yield* inView((reader) =>
    readTogether(
      personIds.map((personId) => Effect.map(readPerson(reader, personId), (person) => person?.name ?? personId))
    )
  )
})
