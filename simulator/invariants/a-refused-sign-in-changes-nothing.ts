/** Who somebody is, their provider says (spec 1, 5.1): where it says nothing, no session begins, changes or ends. */
import { Sessions } from "../../src/people/store.ts"
import { broken, invariant } from "./invariant.ts"
import { writesTo } from "./support/commits.ts"

/** Who is about to sign in, and who of them has a session changed by it. */
type SigningIn = { readonly [actor: string]: boolean }

export const aRefusedSignInChangesNothing = invariant<SigningIn>({
  name: "a refused sign-in changes nothing",
  kind: "always",
  says: "Whoever is not let in by their provider has the session that they had before, or none.",
  begins: {},
  sees: (signingIn, { observed, request }) => {
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
        return signingIn[observed.actor] === true && fromProvider.has(observed.refused)
          ? broken(`${observed.actor} was not let in with ${observed.refused}, and a session changed all the same`)
          : Object.fromEntries(Object.entries(signingIn).filter(([actor]) => actor !== observed.actor))
      }
      default:
        return signingIn
    }
  }
})

/** What is answered where a provider lets nobody in, or cannot be asked. */
const fromProvider: ReadonlySet<string | undefined> = new Set(["SIGN_IN_FAILED", "TEMPORARILY_UNAVAILABLE"])
