import type { DocumentFault } from '@ondine/contract/document-calls'
import { isBundled, type Language, languageTag } from '@ondine/contract/languages'
import { BUNDLED_TEXTS, type PluralForm, placeholdersOf, splitPath, TEXT_SHAPES } from './bundled-texts.ts'

/** Longest text, in characters. */
const MAX_LENGTH = 2000
/** Counts from 0 to this number are tried, to find plural forms that apply to a single count. */
const TRIED_COUNTS = 1000

/** Returns the faults that make texts of a language invalid, each with its path and reason. */
export function textFaults(language: Language, texts: Readonly<Record<string, unknown>>): DocumentFault[] {
  return Object.entries(texts).flatMap(([path, text]) =>
    reasonsAgainst(language, path, text).map((message) => ({ path, message })),
  )
}

/** Returns the plural forms of a language. */
export function pluralForms(language: Language): PluralForm[] {
  return rulesOf(language).resolvedOptions().pluralCategories
}

function reasonsAgainst(language: Language, written: string, text: unknown): string[] {
  const { path, form } = splitPath(written)
  const shape = TEXT_SHAPES.get(path)
  if (shape === undefined || shape.plural !== (form !== undefined)) return ['is not a text of the interface']
  if (form !== undefined && !pluralForms(language).includes(form))
    return [
      `is a plural form that the language does not have: its forms are ${pluralForms(language).join(', ')}`,
    ]
  if (typeof text !== 'string') return ['must be a text']
  if (text.trim() === '') return ['must not be empty']
  if (text.length > MAX_LENGTH) return [`must be at most ${MAX_LENGTH} characters`]
  if (/[^\P{Cc}\n]/u.test(text)) return ['has control characters']
  const rest = text.replaceAll(/\{\{\w+\}\}/g, '')
  if (/\{\{|\}\}|\$t\(/.test(rest))
    return ['may contain {{ }} only around the name of a placeholder, and no $t()']
  const given = placeholdersOf(text)
  const lost = [...shape.placeholders].filter(
    (name) =>
      !given.has(name) &&
      !(name === 'count' && form !== undefined && saysItself(language, form)) &&
      !omitsItself(language, written, name),
  )
  const mayHaveCode = shape.errorCode !== undefined
  const added = [...given].filter(
    (name) => !shape.placeholders.has(name) && !(name === 'code' && mayHaveCode),
  )
  return [
    ...lost.map((name) => `lacks {{${name}}}`),
    ...added.map((name) => `has {{${name}}}, which is not a placeholder of this text`),
  ]
}

/** Returns whether the included text leaves out this placeholder too, such as the number in « le dernier épisode ». */
function omitsItself(language: Language, written: string, name: string): boolean {
  const included = isBundled(language) ? BUNDLED_TEXTS[language][written] : undefined
  return included !== undefined && !placeholdersOf(included).has(name)
}

/**
 * Returns whether a plural form applies to a single count only, such as `one` in English and `two` in Arabic. The
 * text of such a form may omit the number.
 */
function saysItself(language: Language, form: PluralForm): boolean {
  const rules = rulesOf(language)
  let counts = 0
  for (let count = 0; count <= TRIED_COUNTS; count++) {
    if (rules.select(count) === form) counts++
  }
  return counts === 1
}

const RULES = new Map<Language, Intl.PluralRules>()

function rulesOf(language: Language): Intl.PluralRules {
  const rules = RULES.get(language) ?? new Intl.PluralRules(languageTag(language))
  RULES.set(language, rules)
  return rules
}
