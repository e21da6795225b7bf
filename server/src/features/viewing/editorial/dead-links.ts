import { EDITORIAL_TYPES } from '@ondine/contract/editorial'
import { DEFAULT_LANGUAGE } from '@ondine/contract/languages'
import { resolveAddress } from '@ondine/web/features/ground/links/content-link'
import { ROUTES } from '@ondine/web/routes'
import { VISITOR } from '../../rights/entitlements/entitlements.service.ts'
import { findItems, type TextSources } from './cards.ts'
import { findAddresses } from './editorial.repository.ts'
import type { Problem } from './find-articles.ts'
import { referenceOf } from './references.ts'
import { printable } from './written-article.ts'

/** Link in a text. */
export interface WrittenLink {
  file: string
  line: number
  address: string
}

/** Returns the links of imported texts that lead nowhere: to a missing title, text or screen. */
export async function deadLinks(
  sources: TextSources,
  storefrontId: number,
  links: readonly WrittenLink[],
  now: number,
): Promise<Problem[]> {
  const references = links.map(({ address }) => referenceOf(address))
  const reader = { viewer: VISITOR, language: DEFAULT_LANGUAGE, now }
  const [items, texts] = await Promise.all([
    findItems(sources, [...new Set(references.filter((one) => one !== undefined))], reader),
    findAddresses(sources.db, storefrontId),
  ])
  return links.flatMap(({ file, line, address }, index) => {
    const reference = references[index]
    const leads = reference === undefined ? leadsSomewhere(address, texts) : items.has(reference)
    return leads ? [] : [{ file, line, reason: `the link to ${printable(address)} leads nowhere yet` }]
  })
}

function leadsSomewhere(address: string, texts: ReadonlySet<string>): boolean {
  if (address.startsWith('#')) return true
  const target = resolveAddress(address)
  if (target.kind === 'external') return true
  const segments = (target.path.split(/[?#]/)[0] ?? '').split('/').filter(Boolean).map(decoded)
  const [first = '', second, third] = segments
  if (first === 'page' && second !== undefined)
    return texts.has(`${EDITORIAL_TYPES.page}/${second}`) || second === EDITORIAL_TYPES.faq
  if (first === 'read') {
    if (third !== undefined) return texts.has(`${second}/${third}`)
    return [...texts].some((known) => known.startsWith(`${second}/`))
  }
  if (first === 'disciplines') return texts.has(`${EDITORIAL_TYPES.discipline}/${second}`)
  return isScreen(segments) || (segments.length === 1 && texts.has(`${EDITORIAL_TYPES.page}/${first}`))
}

function isScreen(segments: readonly string[]): boolean {
  return Object.entries(ROUTES).some(([name, path]) => {
    if (name === 'slug') return false
    const wanted = path.split('/').filter(Boolean)
    const optional = wanted.filter((part) => part.endsWith('?')).length
    if (segments.length > wanted.length || segments.length < wanted.length - optional) return false
    return segments.every((segment, index) => wanted[index]?.startsWith(':') || wanted[index] === segment)
  })
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch (error) {
    if (error instanceof URIError) return segment
    throw error
  }
}
