/**
 * `BEFORE_SIGN` matches the space before a French punctuation mark, `AFTER_QUOTE` the space after an opening
 * quotation mark.
 */
const BEFORE_SIGN = / (?=[:;?!»])/g
const AFTER_QUOTE = /« /g

/** Makes the spaces of French punctuation non-breaking, so that no line begins with a punctuation mark. */
export function firmSpaces(text: string): string {
  return text.replace(BEFORE_SIGN, '\u00A0').replace(AFTER_QUOTE, '«\u00A0')
}

/** Matches spaces between groups of digits in a number, and between a number and its unit. */
const IN_NUMBER = /(?<=\d) (?=\d{2,3}(?!\d)|(?:€|%|h|min|s|km|m)(?![\p{L}\d]))/gu

/**
 * Makes the spaces in numbers non-breaking, so that no line breaks inside a number: `02 00 00 00 01`, `9 h`,
 * `10 000 €`.
 */
export function firmNumbers(text: string): string {
  return text.replace(IN_NUMBER, '\u00A0')
}
