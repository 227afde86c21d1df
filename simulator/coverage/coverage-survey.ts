/** Compares the points that traces cover with all points. */
import type { JsonObject } from "../vocabulary/json.ts"
import { callsIn } from "./calls-in-trace.ts"
import type { Exception } from "./exceptions.ts"
import { matrixOf, type Matrix } from "./matrix.ts"
import { sections, type CoveragePoint, type Section, type CoveredPoint } from "./point.ts"
import { coveredPointsIn } from "./points.ts"

export interface TracedRun {
  /** Its name in the report. */
  readonly name: string
  readonly lines: ReadonlyArray<JsonObject>
}

export interface CoverageSurvey {
  readonly sections: ReadonlyArray<SectionSurvey>
  readonly missing: ReadonlyArray<CoveragePoint>
  readonly excepted: ReadonlyArray<Exception>
  /** Exceptions whose point is covered, with the first run that covers it. */
  readonly needless: ReadonlyArray<Exception & { readonly by: string }>
  readonly matrix: Matrix
}

interface SectionSurvey {
  readonly section: Section
  readonly all: number
  readonly touched: number
  readonly excepted: number
}

export const surveyCoverage = (
  points: ReadonlyArray<CoveragePoint>,
  runs: ReadonlyArray<TracedRun>,
  excepted: ReadonlyArray<Exception>
): CoverageSurvey => {
  const touches = new Map<string, string>()
  for (const { name, lines } of runs) {
    for (const touch of coveredPointsIn(lines)) {
      if (!touches.has(keyOf(touch))) touches.set(keyOf(touch), name)
    }
  }
  const isTouched = (point: CoveredPoint): boolean => touches.has(keyOf(point))
  const exceptions = new Set(excepted.map(keyOf))
  return {
    sections: sections.map((section) => {
      const all = points.filter((point) => point.section === section)
      return {
        section,
        all: all.length,
        touched: all.filter(isTouched).length,
        excepted: all.filter((point) => exceptions.has(keyOf(point)) && !isTouched(point)).length
      }
    }),
    missing: points.filter((point) => !isTouched(point) && !exceptions.has(keyOf(point))),
    excepted: excepted.filter((one) => !isTouched(one)),
    needless: excepted.filter(isTouched).map((one) => ({ ...one, by: touches.get(keyOf(one)) ?? "" })),
    matrix: matrixOf(runs.flatMap(({ lines }) => callsIn(lines)))
  }
}

/** The percentage of the points that can be covered. */
export const percentOf = ({ sections }: CoverageSurvey): number => {
  const sum = (count: (section: SectionSurvey) => number) => sections.reduce((all, one) => all + count(one), 0)
  const possible = sum(({ all, excepted }) => all - excepted)
  return possible === 0 ? 100 : (100 * sum(({ touched }) => touched)) / possible
}

const keyOf = ({ section, name }: CoveredPoint): string => `${section}: ${name}`
