import { bundledLanguage, type Language } from '@ondine/contract/languages'
import type { CatalogueTexts } from '@ondine/contract/words'
import type { i18n } from 'i18next'
import { type ReportMissing, wordsOf } from './words.ts'

/** Where the newest texts of a language are, whatever they are. Whoever knows their tag asks for that address instead. */
export function newestTexts(identityKey: string, language: Language): string {
  return `/translations/${encodeURIComponent(identityKey)}/${language}.${'0'.repeat(20)}.json`
}

/**
 * The words of a page in its language (V1-15, V7-30): fetched, and those that come with the application when they cannot be.
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

/** The words of the page in this browser, for what happens outside of components. There is no such page on the server. */
export function pageWords(): i18n {
  if (ofPage === undefined) throw new Error('The texts of the page are not loaded yet')
  return ofPage
}

/** Fetches texts. @throws Error when none came */
export async function fetchTexts(address: string): Promise<CatalogueTexts> {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The request for texts failed with status ${answer.status}`)
  const texts: unknown = await answer.json()
  if (!isTexts(texts)) throw new Error('The answer contains no texts')
  return texts
}

/** The texts that come with the application: loaded only when they are needed. */
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
