import { createHash } from 'node:crypto'
import { EDITORIAL_TYPES } from '@ondine/contract/editorial'
import type { Image } from '@ondine/contract/entities'
import { isLanguage, type Language } from '@ondine/contract/languages'
import { slugify } from '@ondine/contract/slugs'
import { ROUTES } from '@ondine/web/routes'
import type { YamlFault } from '../../../read-yaml.ts'
import type { NewArticle } from './editorial.repository.ts'
import { type FrontMatter, readArticle } from './front-matter.ts'
import { MarkdownError, type Parsed, parseMarkdown, renderMarkdown } from './markdown.ts'

/**
 * Slugs that a page may not have, because screens of the website use these addresses. The slug of the legal
 * information is allowed, because the screen of the legal information shows the page with this slug.
 */
const TAKEN: ReadonlySet<string> = new Set(
  Object.entries(ROUTES).flatMap(([name, path]) =>
    name !== 'legal' && /^\/[^/:]+/.test(path) ? [path.split('/')[1] ?? ''] : [],
  ),
)

/** Key of a text within its storefront. */
export interface TextName {
  language: Language
  type: string
  slug: string
}

/** A parsed text, before it is rendered. */
export interface WrittenArticle extends TextName {
  front: FrontMatter
  parsed: Parsed
  /** Number of lines before the text in the file. */
  linesBefore: number
}

/** Makes a name printable in a list: one line without control characters. */
export function printable(name: string): string {
  return name.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\uFFFD').slice(0, 300)
}

/**
 * Parses Markdown with front matter: returns the text, or all its faults by line.
 *
 * @param otherwise language, type and slug for the fields that the front matter omits
 */
export function readWritten(
  text: string,
  otherwise: { language: string; type: string; slug: string },
): WrittenArticle | YamlFault[] {
  const article = readArticle(text)
  if (Array.isArray(article)) return article
  const { front, body, bodyLine } = article
  const language = front.language ?? otherwise.language
  if (!isLanguage(language)) return [{ line: 2, reason: `language ${printable(language)} is not known` }]
  const type = front.type ?? otherwise.type
  const slug = front.slug ?? otherwise.slug
  if (slug === '') return [{ line: 2, reason: 'slug is missing, and its file name gives none' }]
  if (type === EDITORIAL_TYPES.page && TAKEN.has(slug))
    return [{ line: 2, reason: `slug ${slug} is the address of a screen` }]
  if (front.until !== null && front.publish !== null && front.until <= front.publish)
    return [{ line: 2, reason: 'until comes before publish' }]
  try {
    return { language, type, slug, front, parsed: parseMarkdown(body), linesBefore: bodyLine - 1 }
  } catch (error) {
    if (error instanceof MarkdownError) return [{ line: bodyLine, reason: error.message }]
    throw error
  }
}

/**
 * Prepares a text for storage and display.
 *
 * @param pictures pictures by their names in the text; a picture that is not among them is left out, with a
 * remark
 * @param origin storefront and source of the text
 */
export function composeArticle(
  { language, type, slug, front, parsed, linesBefore }: WrittenArticle,
  pictures: ReadonlyMap<string, Image>,
  origin: Pick<NewArticle, 'storefrontId' | 'library' | 'source'>,
): { article: NewArticle; remarks: YamlFault[]; addresses: { address: string; line: number }[] } {
  const { blocks, remarks, addresses, readingMinutes } = renderMarkdown(parsed, pictures)
  const lead = front.image === undefined ? undefined : pictures.get(front.image)
  const article: Omit<NewArticle, 'fingerprint'> = {
    ...origin,
    language,
    type,
    slug,
    title: front.title,
    description: front.description,
    author: front.author,
    keywords: front.keywords.filter((word) => word !== ''),
    topics: [...new Set([...front.keywords.map(slugify), ...front.topics])].filter((topic) => topic !== ''),
    rank: front.rank,
    moralityLevel: front.level,
    draft: front.draft,
    visibleFrom: front.publish,
    visibleTo: front.until,
    imageId: lead === undefined ? null : lead.url.replace('/images/', ''),
    imageAlt: front.imageAlt,
    imageCredit: front.imageCredit,
    readingMinutes,
    metadata: front.metadata,
    related: front.related,
    content: blocks,
    ...(front.date === undefined ? {} : { writtenAt: front.date }),
  }
  return {
    article: { ...article, fingerprint: fingerprintOf(article) },
    remarks: remarks.map(({ line, reason }) => ({ line: line + linesBefore, reason: printable(reason) })),
    addresses: addresses.map(({ address, line }) => ({ address, line: line + linesBefore })),
  }
}

/** Returns the names of the pictures that a text shows. */
export function pictureNames({ parsed, front }: WrittenArticle): string[] {
  return [...new Set([...parsed.pictures, ...(front.image === undefined ? [] : [front.image])])]
}

function fingerprintOf(article: object): string {
  return createHash('sha256').update(JSON.stringify(article)).digest('hex')
}
