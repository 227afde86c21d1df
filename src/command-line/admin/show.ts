/** `admin show`: all details of one item, without secrets. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { showConnection, showGrant } from "../../access/listing.ts"
import { showMembership, showOrganization, showPerson } from "../../people/listing.ts"
import { Signer } from "../../ports/signer.ts"
import { showProject } from "../../projects/listing.ts"
import { readBalance } from "../../records/listing.ts"
import { refuseUnknownId } from "../../vocabulary/refusals.ts"
import { showSubscription } from "../../webhooks/operator-listing.ts"
import { showCommand } from "./read-commands.ts"

const showKey = Effect.fnUntraced(function* (kid: string) {
  const { keys } = yield* Signer
  const found = keys.keys.find((key) => key.kid === kid)
  return found ?? (yield* refuseUnknownId("issuer key", kid))
})

export const show = Command.make("show").pipe(
  Command.withDescription("Show one of a kind, by its id"),
  Command.withSubcommands([
    showCommand("organization", showOrganization),
    showCommand("person", showPerson),
    showCommand("membership", showMembership),
    showCommand("grant", showGrant),
    showCommand("connection", showConnection),
    showCommand("project", showProject),
    showCommand("subscription", showSubscription),
    showCommand("credits", readBalance),
    showCommand("key", showKey)
  ])
)
