import { HTML_ENTITIES } from './html-entities.ts'

const MARKUP = 'a|b|br|div|em|font|i|p|small|span|strong|u'
const IS_MARKUP = new RegExp(`^(?:${MARKUP})$`, 'i')
const TAG = new RegExp(`</?(${MARKUP})(?:\\s[^<>]*)?/?>`, 'gi')
const LINE_BREAK = /^(?:br|div|p)$/i
const ENTITY = /&(?:#([1-9]\d{1,5})|(\w{2,8}));/g
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(HTML_ENTITIES),
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

/** Whether an element is HTML markup inside a text. Its content is part of the text. */
export function isMarkup(name: string): boolean {
  return IS_MARKUP.test(name)
}

/** Whether an element begins a new line. */
export function beginsLine(name: string): boolean {
  return LINE_BREAK.test(name)
}

/** Removes markup and entities from a text that was copied from a web page or escaped twice. */
export function withoutMarkup(written: string): string {
  const text = written.includes('<')
    ? written.replaceAll(TAG, (_, name: string) => (beginsLine(name) ? '\n' : ''))
    : written
  if (!text.includes('&')) return text
  return text.replaceAll(ENTITY, (entity, code: string | undefined, name: string) =>
    code === undefined ? (ENTITIES.get(name) ?? entity) : String.fromCodePoint(Number(code)),
  )
}
