import { bundledLanguage, type Language } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import type { i18n } from 'i18next'
import { inTime } from '../api/in-time.ts'
import { type ReportMissing, wordsOf } from './words.ts'

/** Time after which the first bytes of texts must have arrived, in milliseconds. */
const PATIENCE_MS = 15_000

/**
 * Returns the address of the newest texts of a language. A caller that has the version tag of the texts uses the
 * address with that tag instead.
 */
export function newestTexts(identityKey: string, language: Language): string {
  return `/translations/${encodeURIComponent(identityKey)}/${language}.${'0'.repeat(20)}.json`
}

/**
 * Fetches the texts of a page in its language (V1-15, V7-30). Falls back to the texts that are built into the
 * application.
 */
export async function fetchWords(
  { language, identityKey, wordsAddress }: { language: Language; identityKey: string; wordsAddress: string },
  report: ReportMissing,
): Promise<i18n> {
  const address = wordsAddress === '' ? newestTexts(identityKey, language) : wordsAddress
  const texts = await fetchTexts(address).catch(async () => await localTexts(language))
  ofPage = wordsOf(language, texts, report)
  return ofPage
}

let ofPage: i18n | undefined

/** Returns the texts of the page in this browser, for code outside of components. Works only in the browser. */
export function pageWords(): i18n {
  if (ofPage === undefined) throw new Error('The texts of the page are not loaded yet')
  return ofPage
}

/** Fetches texts. @throws Error if the answer has no texts, or does not begin in time */
export async function fetchTexts(address: string): Promise<CatalogueTexts> {
  const answer = await inTime(fetch(address), PATIENCE_MS)
  if (!answer.ok) throw new Error(`The request for texts failed with status ${answer.status}`)
  const texts: unknown = await answer.json()
  if (!isTexts(texts)) throw new Error('The answer contains no texts')
  return texts
}

/** Returns the texts that are built into the application. Their code is imported on demand. */
async function localTexts(language: Language): Promise<CatalogueTexts> {
  if (bundledLanguage(language) === 'eng') return { ...(await import('./eng.ts')) }
  return (await import('./local-french.ts')).LOCAL_FRENCH
}

function isTexts(value: unknown): value is CatalogueTexts {
  return isRecord(value) && Object.keys(value).length > 0 && Object.values(value).every(isRecord)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
