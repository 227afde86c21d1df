/**
 * Text of which every character can be written: control characters, those that turn the direction of text and half
 * surrogates become what a programmer would type for them. XML 1.0 cannot hold most of them even as references, and a
 * terminal or a log would obey them.
 */
export const visible = (text: string): string =>
  text.replace(
    /[^\t\n\r\u{20}-\u{7E}\u{A0}-\u{2029}\u{202F}-\u{2065}\u{206A}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu,
    escaped
  )

/** The same for a terminal, on which a return would write over the line that is there. */
export const visibleOnTerminal = (text: string): string => visible(text).replaceAll("\r", escaped)

/** The same on one line. */
export const visibleLine = (text: string): string => visible(text).replace(/\s+/g, " ").trim()

const escaped = (character: string): string =>
  `\\u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
