/** Wycheproof: signatures that a verifier of Ed25519 has to accept or to refuse. */
import { importEd25519, verifyEd25519 } from "../../src/canonical/ed25519.ts"
import { missingCorpusReason, type Corpus } from "./corpus.ts"
import { corpusFile } from "./external-files.ts"

export const ed25519: Corpus = {
  name: "ed25519",
  unavailableReason: () => missingCorpusReason("ed25519"),
  run: () => {
    const { testGroups } = JSON.parse(Buffer.from(corpusFile("ed25519", "wycheproof-ed25519.json")).toString()) as {
      readonly testGroups: ReadonlyArray<Group>
    }
    const judged = testGroups.flatMap(judge)
    const accepted = judged.filter(({ isAccepted }) => isAccepted)
    const differing = judged.filter(({ isAccepted, isValid }) => isAccepted !== isValid)
    return {
      cases: judged.length,
      verdicts: `${accepted.length} accepted, ${judged.length - accepted.length} refused; the rule against points of small order refuses none that Wycheproof calls valid`,
      unexpected: [
        ...differing.map(({ name, isAccepted }) => `${name}: ${isAccepted ? "accepted" : "refused"}`),
        ...(judged.length === 151 && accepted.length === 88 ? [] : ["there are not 151 cases with 88 accepted"])
      ]
    }
  }
}

interface Group {
  readonly publicKey: { readonly pk: string }
  readonly tests: ReadonlyArray<{
    readonly tcId: number
    readonly comment: string
    readonly msg: string
    readonly sig: string
    readonly result: string
  }>
}

const judge = ({ publicKey, tests }: Group) => {
  const x = Buffer.from(publicKey.pk, "hex").toString("base64url")
  const imported = importEd25519({ kty: "OKP", crv: "Ed25519", x })
  return tests.map(({ tcId, comment, msg, sig, result }) => ({
    name: `tcId ${tcId} (${comment})`,
    isValid: result === "valid",
    isAccepted: imported.ok && verifyEd25519(imported.key, Buffer.from(msg, "hex"), Buffer.from(sig, "hex"))
  }))
}
