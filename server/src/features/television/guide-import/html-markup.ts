import { decodeHTMLStrict } from 'entities/decode'

const MARKUP = 'a|b|br|div|em|font|i|p|small|span|strong|u'
const IS_MARKUP = new RegExp(`^(?:${MARKUP})$`, 'i')
const TAG = new RegExp(`</?(${MARKUP})(?:\\s[^<>]*)?/?>`, 'gi')
const LINE_BREAK = /^(?:br|div|p)$/i

/** Returns whether an element is HTML markup inside a text. The content of such an element is part of the text. */
export function isMarkup(name: string): boolean {
  return IS_MARKUP.test(name)
}

/** Returns whether an HTML element begins a new line. */
export function beginsLine(name: string): boolean {
  return LINE_BREAK.test(name)
}

/**
 * Removes HTML markup and entities from a text. Some texts in guides are copied from web pages or escaped twice.
 */
export function withoutMarkup(written: string): string {
  const text = written.includes('<')
    ? written.replaceAll(TAG, (_, name: string) => (beginsLine(name) ? '\n' : ''))
    : written
  return text.includes('&') ? decodeHTMLStrict(text) : text
}
