import { readFile, stat } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { ARTICLES } from '@ondine/contract/editorial'
import { isLanguage, type Language } from '@ondine/contract/languages'
import { slugify } from '@ondine/contract/slugs'
import { type ScannedFolder, scanFolder } from '../../../files/scan-folder.ts'
import { printable, readWritten, type WrittenArticle } from './written-article.ts'

/** Largest text, in bytes. */
export const LARGEST_TEXT = 400_000

/** A fault or a warning about a file; `line` from 1. */
export interface Problem {
  /** Path within the folder. */
  file: string
  line?: number
  reason: string
}

/** Text of the folder that can be imported. */
export interface FoundArticle extends WrittenArticle {
  /** Path within the folder. */
  source: string
  /** Absolute path of the folder that the file is in. */
  folder: string
}

export interface FoundFolder {
  articles: FoundArticle[]
  problems: Problem[]
  /** Absolute paths of all files in the imported folder. A text may only show pictures among these files. */
  files: ReadonlySet<string>
  /** Files and folders that exist but cannot be read. Their earlier texts are kept. */
  unreadable: string[]
  /** Whether there is a file of a text, even if its text is left out. */
  hasTexts: boolean
}

/**
 * Reads a folder of Markdown files with front matter. Faults are reported with their line, and the other
 * files are still read.
 *
 * @param folder absolute
 * @param otherwise language of files that do not name their language
 */
export async function findArticles(
  folder: string,
  otherwise: Language,
  signal: AbortSignal,
): Promise<FoundFolder> {
  const { root, unread, problems } = await scanFolder(folder, signal)
  const inside = (path: string) => printable(relative(folder, path))
  const found: FoundFolder = {
    articles: [],
    problems: problems.map(({ path, reason }) => ({ file: inside(path), reason })),
    files: new Set(filesOf(root)),
    unreadable: unread.map((path) => relative(folder, path)),
    hasTexts: false,
  }
  const taken = new Map<string, string>()
  for (const path of found.files) {
    signal.throwIfAborted()
    if (!/\.(?:md|markdown)$/i.test(path)) continue
    found.hasTexts = true
    const source = relative(folder, path)
    const article = await readFound(path, source, otherwise)
    if (Array.isArray(article)) {
      found.unreadable.push(source)
      found.problems.push(...article.map((fault) => ({ file: inside(path), ...fault })))
      continue
    }
    const key = `${article.language} ${article.type}/${article.slug}`
    const other = taken.get(key)
    if (other === undefined) {
      taken.set(key, inside(path))
      found.articles.push(article)
    } else {
      found.problems.push({ file: inside(path), line: 1, reason: `${key} is already used by ${other}` })
    }
  }
  return found
}

function filesOf(folder: ScannedFolder): string[] {
  return [
    ...folder.files.map((name) => `${folder.path}/${name}`),
    ...folder.folders.flatMap((inner) => filesOf(inner)),
  ]
}

async function readFound(
  path: string,
  source: string,
  otherwise: Language,
): Promise<FoundArticle | Omit<Problem, 'file'>[]> {
  const text = await readText(path)
  if (typeof text !== 'string') return [text]
  const [stem, suffix] = nameParts(source)
  const article = readWritten(text, {
    language: suffix ?? otherwise,
    type: folderType(source),
    slug: slugify(stem),
  })
  return Array.isArray(article) ? article : { ...article, source, folder: dirname(path) }
}

async function readText(path: string): Promise<string | Omit<Problem, 'file'>> {
  try {
    const { size } = await stat(path)
    if (size > LARGEST_TEXT) return { reason: `it has ${size} bytes, more than ${LARGEST_TEXT}` }
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path))
    return text.includes('\0') ? { reason: 'it is not text' } : text
  } catch (error) {
    if (error instanceof TypeError) return { reason: 'it is not written in UTF-8' }
    if (error instanceof Error && 'code' in error) return { reason: error.message }
    throw error
  }
}

/** Splits a file name: `la-houle.eng.md` is `la-houle`, in English. */
function nameParts(source: string): [stem: string, language?: string] {
  const stem = basename(source).replace(/\.[^.]+$/, '')
  const match = /^(.*)\.([a-z]{3})$/.exec(stem)
  const [, rest, code] = match ?? []
  return rest !== undefined && code !== undefined && isLanguage(code) ? [rest, code] : [stem]
}

/** Returns the type of a text, which is the name of its file's folder: `making-of/la-houle.fra.md`. */
function folderType(source: string): string {
  const folder = basename(dirname(source))
  return (folder === '.' ? '' : slugify(folder)) || ARTICLES
}
