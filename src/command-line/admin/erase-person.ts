/** `admin erase-person`: takes what identifies a person out of rows, and lists what stays in signed bytes. */
import { Option } from "effect"
import { Argument, Flag } from "effect/cli"
import { erasePerson } from "../../erasure/erase-person.ts"
import { act } from "./act.ts"

const reason = Flag.String("reason").pipe(
  Flag.withDescription("The reason, for `admin log`, without the person's name"),
  Flag.map(Option.some)
)

export const erasePersonCommand = act(
  "erase-person",
  {
    person: Argument.String("id").pipe(Argument.withDescription("The person's id")),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("List what would change and what would stay, without changing anything"),
      Flag.withDefault(false)
    )
  },
  {
    description: "End all authority of a person and take name, e-mail address and identity out of rows",
    changes: "DATABASE",
    reason,
    run: ({ person, dryRun }) => erasePerson({ personId: person, isDryRun: dryRun })
  }
)
