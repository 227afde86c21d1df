/** An examination as a badge in SVG: "countersign exam | 28/30 passed". */
import { xmlAttributes, xmlText } from "../../reports/xml.ts"
import type { ExamTotals } from "./exam-totals.ts"

export const badge = (totals: ExamTotals): string => renderBadge("countersign exam", messageOf(totals), colorOf(totals))

const messageOf = ({ lessons, passed }: ExamTotals): string =>
  lessons === 0 ? "no lessons" : `${passed}/${lessons} passed`

/** The colours have a contrast of at least 4.5 to white. */
const colorOf = ({ lessons, passed, failed, errors }: ExamTotals): string => {
  if (failed + errors > 0) return "#a5151f"
  return lessons > 0 && passed === lessons ? "#14632f" : "#57606a"
}

export const renderBadge = (label: string, message: string, color: string): string => {
  const [left, right] = [widthOf(label), widthOf(message)]
  const title = `${label}: ${message}`
  const size = { width: left + right, height }
  return [
    `<svg ${xmlAttributes({ xmlns: "http://www.w3.org/2000/svg", ...size, role: "img", "aria-label": title })}>`,
    `<title>${xmlText(title)}</title>`,
    `<rect ${xmlAttributes({ ...size, rx: 3, fill: color })}/>`,
    // The label's ground covers the left part; its right edge is straight.
    `<path ${xmlAttributes({ d: `M3 0H${left}V${height}H3A3 3 0 0 1 0 ${height - 3}V3A3 3 0 0 1 3 0Z`, fill: "#3a424b" })}/>`,
    `<g ${xmlAttributes({ fill: "#fff", "font-family": "Verdana,DejaVu Sans,sans-serif", "font-size": 11 })}>`,
    textAt(padding, label, left),
    textAt(left + padding, message, right),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}

const height = 20
const padding = 6
const characterWidth = 7

/** An estimate; `textLength` fits the text of any font into it. */
const widthOf = (text: string): number => [...text].length * characterWidth + 2 * padding

const textAt = (x: number, text: string, width: number): string =>
  `<text ${xmlAttributes({ x, y: 14, textLength: width - 2 * padding, lengthAdjust: "spacingAndGlyphs" })}>${xmlText(text)}</text>`
