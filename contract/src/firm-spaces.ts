/** What French sets apart from the word before it, and the quotation mark that it sets apart from the word after it. */
const BEFORE_SIGN = / (?=[:;?!»])/g
const AFTER_QUOTE = /« /g

/** A French text in which no line begins with a lone sign: the spaces of its typography hold, however they were typed. */
export function firmSpaces(text: string): string {
  return text.replace(BEFORE_SIGN, '\u00A0').replace(AFTER_QUOTE, '«\u00A0')
}
