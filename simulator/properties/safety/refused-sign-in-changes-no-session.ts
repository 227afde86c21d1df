/** The identity provider decides who a person is (spec 1, 5.1): without its answer no session changes. */
import { Sessions } from "../../../src/people/store.ts"
import { violation, monitoredProperty } from "../property.ts"
import { writesTo } from "../support/commits.ts"

/** By actor with a sign-in in progress: whether it changed a session. */
type SigningIn = { readonly [actor: string]: boolean }

export const refusedSignInChangesNoSession = monitoredProperty<SigningIn>({
  name: "refused sign-in changes no session",
  kind: "always",
  says: "A sign-in that the identity provider refuses or cannot answer creates, changes and ends no session.",
  judges: { kinds: ["act", "answer"], commitsTo: [Sessions] },
  initial: {},
  next: (signingIn, { observed, request }) => {
    switch (observed.kind) {
      case "act":
        return observed.operation === "signIn" ? { ...signingIn, [observed.actor]: false } : signingIn
      case "commit": {
        const isOfSignIn = request === undefined && observed.actor in signingIn
        return isOfSignIn && writesTo(observed, Sessions).length > 0
          ? { ...signingIn, [observed.actor]: true }
          : signingIn
      }
      case "answer": {
        if (!(observed.actor in signingIn)) return signingIn
        return signingIn[observed.actor] === true && providerRefusals.has(observed.refused)
          ? violation(
              `the sign-in of ${observed.actor} was refused with ${observed.refused} although it changed a session`
            )
          : Object.fromEntries(Object.entries(signingIn).filter(([actor]) => actor !== observed.actor))
      }
      default:
        return signingIn
    }
  }
})

/** The refusals of a sign-in that the provider refused or could not answer. */
const providerRefusals: ReadonlySet<string | undefined> = new Set(["SIGN_IN_FAILED", "TEMPORARILY_UNAVAILABLE"])
