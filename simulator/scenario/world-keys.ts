/** The public keys with which everything in a world verifies: its own, and those of an imported project. */
import { seededSigner } from "../environment/signer.ts"
import { RandomStreams } from "../kernel/prng.ts"
import type { IssuerKeys } from "../../src/ports/signer.ts"
import type { WorldDefinition } from "./format/scenario.ts"
import { exportIn } from "./imported-project.ts"

export const worldKeys = ({ seed, given }: Pick<WorldDefinition, "seed" | "given">): IssuerKeys =>
  seededSigner(new RandomStreams(seed), undefined, undefined, importedKeys(given)).keys

/** None without an imported project. */
export const importedKeys = ({ imported }: WorldDefinition["given"]): IssuerKeys["keys"] =>
  imported === undefined ? [] : exportIn(imported).keys.keys
