/**
 * Escapes control characters, bidirectional controls and lone surrogates as `\uXXXX`. XML 1.0 cannot represent most of
 * them even as references, and a terminal or a log would interpret them.
 */
export const escapeControls = (text: string): string =>
  text.replace(
    /[^\t\n\r\u{20}-\u{7E}\u{A0}-\u{2029}\u{202F}-\u{2065}\u{206A}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu,
    escapeCharacter
  )

/** The same for a terminal, on which a carriage return would overwrite the line. */
export const escapeForTerminal = (text: string): string => escapeControls(text).replaceAll("\r", escapeCharacter)

/** The same on one line. */
export const escapeLine = (text: string): string => escapeControls(text).replace(/\s+/g, " ").trim()

const escapeCharacter = (character: string): string =>
  `\\u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`
