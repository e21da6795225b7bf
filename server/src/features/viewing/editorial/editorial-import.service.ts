import { stat } from 'node:fs/promises'
import { relative } from 'node:path'
import type { Image } from '@ondine/contract/entities'
import { DEFAULT_LANGUAGE, type Language } from '@ondine/contract/languages'
import type { Context } from '../../../context.ts'
import { Pace } from '../../../database/pace.ts'
import type { Storefront } from '../../../http/operations.ts'
import { joinInside, PathError } from '../../../paths.ts'
import { takePicture } from '../../content/library/library-pictures.service.ts'
import { deadLinks } from './dead-links.ts'
import { findVanished, imagesById, MOST_TEXTS, putArticle, withdrawAll } from './editorial.repository.ts'
import { type FoundArticle, type FoundFolder, findArticles, type Problem } from './find-articles.ts'
import { TitleIndex } from './title-index.ts'
import { composeArticle, pictureNames, printable } from './written-article.ts'

const FIRST_TEXTS = 5

export interface EditorialImportOptions {
  storefront: Storefront
  signal: AbortSignal
  /** Language of files that do not name their language. Default {@link DEFAULT_LANGUAGE}. */
  language?: Language
  onProgress?: (progress: { done: number; total: number; title: string }) => void
}

/** Result of an import. */
export interface EditorialImport {
  added: number
  updated: number
  unchanged: number
  withdrawn: number
  /** Files that were left out. */
  problems: Problem[]
  /** Content that is not shown as written, and links that lead nowhere. */
  warnings: Problem[]
}

/** The folder cannot be imported; the message says what to do. */
export class EditorialImportError extends Error {
  override name = 'EditorialImportError'
}

type ImportContext = Pick<Context, 'db' | 'images' | 'clock' | 'catalogue'>

/**
 * Imports a folder of Markdown files with front matter. A text is identified by its language, type and slug,
 * so importing again updates it. Texts missing from the folder are withdrawn. Unreadable files are reported,
 * and their earlier texts are kept. The import can be interrupted and run again. A folder that has lost all its
 * texts is refused, because its disk may be missing.
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
  const kept = new Set<number>()
  const take = async (article: FoundArticle, done: number): Promise<void> => {
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
      kept.add(put.id)
      result[put.did] += 1
    }
  }
  await new Pace(MOST_TEXTS, FIRST_TEXTS).over(found.articles, async (some, from) => {
    for (const [index, article] of some.entries()) await take(article, from + index)
  })
  const vanished = await findVanished(context.db, {
    storefrontId: storefront.id,
    library: folder,
    kept,
    unreadable: found.unreadable,
  })
  if (!found.hasTexts && vanished.areAll) {
    throw new EditorialImportError(
      `There is no text in ${printable(folder)} any more. Is a disk missing? Nothing was withdrawn.`,
    )
  }
  await withdrawAll(context.db, vanished.ids, context.clock.now())
  result.withdrawn = vanished.ids.length
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
  const { front } = found
  const warnings: { line: number; reason: string }[] = []
  const pictures = new Map<string, Image>()
  for (const name of pictureNames(found)) {
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
  const { article, remarks, addresses } = composeArticle(found, pictures, {
    storefrontId,
    library,
    source: found.source,
  })
  return { article, warnings: [...warnings, ...remarks], addresses }
}

/** Returns the file of a picture in a text, if it is inside the imported folder. */
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
