import { createHash } from 'node:crypto'
import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Image } from '@ondine/contract/entities'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import { slugify } from '@ondine/contract/slugs'
import type { Context } from '../../context.ts'
import type { Storefront } from '../../http/operations.ts'
import { joinInside, PathError } from '../../paths.ts'
import { takePicture } from '../library/library-pictures.ts'
import { deadLinks } from './dead-links.ts'
import { imagesById, type NewArticle, putArticle, withdrawVanished } from './editorial.repository.ts'
import {
  type FoundArticle,
  type FoundFolder,
  findArticles,
  type Problem,
  printable,
} from './find-articles.ts'
import { renderMarkdown } from './markdown.ts'
import { TitleIndex } from './title-index.ts'

export interface EditorialImportOptions {
  storefront: Storefront
  signal: AbortSignal
  /** Of files that name none. Default {@link DEFAULT_LANGUAGE}. */
  language?: Language
  onProgress?: (progress: { done: number; total: number; title: string }) => void
}

/** What an import came to. */
export interface EditorialImport {
  added: number
  updated: number
  unchanged: number
  withdrawn: number
  /** Files that were left out. */
  problems: Problem[]
  /** What is not shown as it was written, and links that lead nowhere. */
  warnings: Problem[]
}

/** A folder that cannot be imported; the message says what to do. */
export class EditorialImportError extends Error {
  override name = 'EditorialImportError'
}

type ImportContext = Pick<Context, 'db' | 'images' | 'clock' | 'catalogue'>

/**
 * Takes a folder of Markdown files with front matter. A text is known by its language, type and slug: importing again
 * brings it up to date. What has gone from the folder is withdrawn; what cannot be read is listed, and its earlier text
 * stays. Can be interrupted and run again.
 *
 * @param folder absolute
 * @throws EditorialImportError
 */
export async function importEditorial(
  context: ImportContext,
  folder: string,
  options: EditorialImportOptions,
): Promise<EditorialImport> {
  const { storefront, signal, language = DEFAULT_LANGUAGE, onProgress } = options
  await requireFolder(folder)
  const found = await findArticles(folder, language, signal)
  const result: EditorialImport = {
    added: 0,
    updated: 0,
    unchanged: 0,
    withdrawn: 0,
    problems: found.problems,
    warnings: [],
  }
  const links: { file: string; line: number; address: string }[] = []
  const kept: number[] = []
  for (const [done, article] of found.articles.entries()) {
    signal.throwIfAborted()
    onProgress?.({ done, total: found.articles.length, title: article.front.title })
    const file = printable(article.source)
    const taken = await takeArticle(context, folder, article, found, storefront.id)
    result.warnings.push(...taken.warnings.map((warning) => ({ file, ...warning })))
    links.push(...taken.addresses.map((link) => ({ file, ...link })))
    const put = await putArticle(context.db, taken.article, context.clock.now())
    if (put === 'foreign') {
      const reason = `${article.language} ${article.type}/${article.slug} comes from another folder`
      result.problems.push({ file, line: 1, reason })
    } else {
      kept.push(put.id)
      result[put.did] += 1
    }
  }
  result.withdrawn = await withdrawVanished(context.db, {
    storefrontId: storefront.id,
    library: folder,
    kept,
    unreadable: found.unreadable,
    now: context.clock.now(),
  })
  result.warnings.push(
    ...(await deadLinks({ ...context, titles: new TitleIndex() }, storefront.id, links, context.clock.now())),
  )
  onProgress?.({ done: found.articles.length, total: found.articles.length, title: '' })
  return result
}

async function requireFolder(folder: string): Promise<void> {
  const found = await stat(folder).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error) return undefined
    throw error
  })
  if (found?.isDirectory() !== true)
    throw new EditorialImportError(`There is no folder ${printable(folder)}.`)
}

async function takeArticle(
  context: ImportContext,
  library: string,
  found: FoundArticle,
  { files }: FoundFolder,
  storefrontId: number,
) {
  const { front, parsed, linesBefore } = found
  const warnings: { line: number; reason: string }[] = []
  const names = [...new Set([...parsed.pictures, ...(front.image === undefined ? [] : [front.image])])]
  const pictures = new Map<string, Image>()
  for (const name of names) {
    const path = pictureFile(found.folder, library, name, files)
    if (typeof path !== 'string') {
      if (name === front.image)
        warnings.push({ line: 2, reason: `image ${printable(name)} is not beside it` })
      continue
    }
    const faults: { path: string; reason: string }[] = []
    const id = await takePicture(context, path, faults)
    warnings.push(...faults.map(({ reason }) => ({ line: 2, reason: `${printable(name)}: ${reason}` })))
    const image = id === null ? undefined : (await imagesById(context.db, [id])).get(id)
    if (image !== undefined) pictures.set(name, image)
  }
  const { blocks, remarks, addresses, readingMinutes } = renderMarkdown(parsed, pictures)
  const lead = front.image === undefined ? undefined : pictures.get(front.image)
  const article: Omit<NewArticle, 'fingerprint'> = {
    storefrontId,
    language: found.language,
    type: found.type,
    slug: found.slug,
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
    library,
    source: found.source,
    ...(front.date === undefined ? {} : { writtenAt: front.date }),
  }
  return {
    article: { ...article, fingerprint: fingerprintOf(article) },
    warnings: [
      ...warnings,
      ...remarks.map(({ line, reason }) => ({ line: line + linesBefore, reason: printable(reason) })),
    ],
    addresses: addresses.map(({ address, line }) => ({ address, line: line + linesBefore })),
  }
}

/** The file of a picture that a text names, if it is one of the imported folder. */
function pictureFile(
  folder: string,
  library: string,
  name: string,
  files: ReadonlySet<string>,
): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:/i.test(name)) return undefined
  try {
    const decoded = decodeURIComponent(name)
    const path = joinInside(library, relative(library, folder) || '.', decoded)
    return files.has(path) ? path : undefined
  } catch (error) {
    if (error instanceof PathError || error instanceof URIError) return undefined
    throw error
  }
}

function fingerprintOf(article: object): string {
  return createHash('sha256').update(JSON.stringify(article)).digest('hex')
}
