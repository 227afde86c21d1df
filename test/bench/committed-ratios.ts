/** The ratios that are committed beside the bench, and the comparison of a run with them. */
import * as fs from "node:fs"
import * as path from "node:path"
import type { Aim, Figure } from "./figure.ts"
import type { PartName } from "./options.ts"

/** The repeatable ratios with an aim, by the part of the bench and what they measure. */
export type Ratios = { readonly [Part in PartName]?: { readonly [what: string]: number } }

const file = path.join(import.meta.dirname, "ratios.json")

export const readRatios = (): Ratios => JSON.parse(fs.readFileSync(file, "utf8"))

/** Replaces the ratios of these parts. */
export const writeRatios = (ratios: Ratios): void =>
  fs.writeFileSync(file, `${JSON.stringify({ ...readRatios(), ...ratios }, null, 2)}\n`)

/** The aim says in which direction a ratio is better. */
const isCompared = (figure: Figure): figure is Figure & { readonly aim: Aim } =>
  figure.aim !== undefined && figure.isRepeatable === true

export const ratiosOf = (figures: ReadonlyArray<Figure>) =>
  Object.fromEntries(figures.filter(isCompared).map(({ what, ratio }) => [what, Number(ratio.toPrecision(3))]))

const tolerated = 0.2

/** One sentence for each ratio that is 20 % worse than the committed one, or that is not committed. */
export const findWorse = (part: PartName, figures: ReadonlyArray<Figure>, ratios: Ratios): ReadonlyArray<string> =>
  figures.filter(isCompared).flatMap(({ what, ratio, aim }) => {
    const committed = ratios[part]?.[what]
    if (committed === undefined) {
      return [`${what}: no ratio is committed, so run npm run bench -- ${part} --update and commit the file.`]
    }
    const isWorse = "atLeast" in aim ? ratio < committed * (1 - tolerated) : ratio > committed * (1 + tolerated)
    return isWorse ? [`${what}: the ratio is ${ratio.toPrecision(3)}, more than 20 % worse than ${committed}.`] : []
  })
