/** The directory of the embedded installation: a file, not the database. */
import { Effect, Option, Stdio, Stream } from "effect"
import { Flag } from "effect/cli"
import { Configuration } from "../../adapters/configuration.ts"
import { setAddress, setPassword } from "../../adapters/sign-in/directory.ts"
import { limits } from "../../vocabulary/limits.ts"
import { mailAddressFrom } from "../../vocabulary/mail-address.ts"
import { refuse, requireText } from "../../vocabulary/refusals.ts"
import { CommandFailure } from "../production.ts"
import { act } from "./act.ts"
import { name } from "./flags.ts"

export const setPasswordCommand = act(
  "set-password",
  {
    subject: Flag.String("subject").pipe(
      Flag.withDescription("The person's subject, as in create-person; the name to sign in with")
    ),
    name: name.pipe(Flag.optional)
  },
  {
    description: "Set a person's password in the directory of the embedded default, from standard input",
    changes: "FILES",
    run: ({ subject, name }) => setPasswordHere(subject, name)
  }
)

/** The path of the directory; other installations have none. */
const directoryHere = Effect.flatMap(Configuration, ({ databaseUrl, oidcIssuer, dataDirectory }) =>
  Option.isSome(databaseUrl) || Option.isSome(oidcIssuer)
    ? Effect.fail(new CommandFailure({ message: "the directory is for the embedded default without OIDC_ISSUER only" }))
    : Effect.succeed(dataDirectory)
)

const setPasswordHere = Effect.fnUntraced(function* (subject: string, name: Option.Option<string>) {
  const dataDirectory = yield* directoryHere
  yield* requireText("The subject", subject, limits.titleCharacters)
  if (Option.isSome(name)) yield* requireText("The name", name.value, limits.titleCharacters)
  const { stdin } = yield* Stdio.Stdio
  const password = (yield* Stream.mkString(Stream.decodeText(stdin))).replace(/\r?\n$/, "")
  const { passwordCharactersLeast: least, passwordCharactersMost: most } = limits
  if (password.length < least || password.length > most) {
    return yield* refuse("INVALID_REQUEST", { detail: `The password has ${least} to ${most} characters.` })
  }
  return yield* setPassword(dataDirectory, subject, name, password)
})

export const setAddressCommand = act(
  "set-address",
  {
    subject: Flag.String("subject").pipe(Flag.withDescription("The person's subject, as in set-password")),
    email: Flag.String("email").pipe(
      Flag.withDescription("The person's e-mail address; without it, the address is removed"),
      Flag.optional
    )
  },
  {
    description: "Set a person's e-mail address in the directory of the embedded default, for notifications",
    changes: "FILES",
    // Rows of the log are never removed, so they omit the address, which a person may want removed.
    recordedInput: ({ subject, email }) => ({ subject, email: Option.isSome(email) ? "SET" : "REMOVED" }),
    run: ({ subject, email }) => setAddressHere(subject, email)
  }
)

const setAddressHere = Effect.fnUntraced(function* (subject: string, email: Option.Option<string>) {
  const dataDirectory = yield* directoryHere
  const address = Option.match(email, { onNone: () => null, onSome: mailAddressFrom })
  if (Option.isSome(email) && address === null) {
    return yield* refuse("INVALID_REQUEST", { detail: "An e-mail address looks like anna@example.org." })
  }
  return yield* setAddress(dataDirectory, subject, address)
})
