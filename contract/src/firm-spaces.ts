/** What French sets apart from the word before it, and the quotation mark that it sets apart from the word after it. */
const BEFORE_SIGN = / (?=[:;?!»])/g
const AFTER_QUOTE = /« /g

/** A French text in which no line begins with a lone sign: the spaces of its typography hold, however they were typed. */
export function firmSpaces(text: string): string {
  return text.replace(BEFORE_SIGN, '\u00A0').replace(AFTER_QUOTE, '«\u00A0')
}

/** Between the groups of digits of a number, and between a number and the unit after it. */
const IN_NUMBER = /(?<=\d) (?=\d{2,3}(?!\d)|(?:€|%|h|min|s|km|m)(?![\p{L}\d]))/gu

/** A text in which no line begins inside a number: `02 00 00 00 01`, `9 h`, `10 000 €`. */
export function firmNumbers(text: string): string {
  return text.replace(IN_NUMBER, '\u00A0')
}
