import type { EditorialContent, EditorialSummary } from '@ondine/contract/editorial'
import { ARTICLES, EDITORIAL_TYPES } from '@ondine/contract/editorial'
import type { Image } from '@ondine/contract/entities'
import { plainText } from '@ondine/contract/plain-text'
import type { Block } from '@ondine/contract/rich-text'
import { slugify } from '@ondine/contract/slugs'
import type { Database } from '../../../database/connection.ts'
import { ServiceError } from '../../../http/errors.ts'
import { readTexts, type TextSources } from './cards.ts'
import { presentSummary } from './editorial.presenter.ts'
import {
  type EditorialFilter,
  type EditorialReader,
  type EditorialRow,
  findByWords,
  findContent,
  findContents,
  findImageId,
  findNeighbours,
  findRelated,
  findSummaries,
  imagesById,
  type SummaryRow,
} from './editorial.repository.ts'

export { type EditorialReader, removeTextsOf } from './editorial.repository.ts'

const RELATED_LENGTH = 3

/**
 * Returns one page of a list of articles. The filter selects the articles of a type, with a keyword, or both. The
 * list is sorted by the operator's rank, and articles without a rank follow, the newest first.
 */
export async function listArticles(
  db: Database,
  reader: EditorialReader,
  filter: EditorialFilter,
  { page, itemsPerPage }: { page: number; itemsPerPage: number },
): Promise<{ items: EditorialSummary[]; total: number; section: EditorialSummary | null }> {
  const topic = filter.topic === undefined ? undefined : slugify(filter.topic)
  const [{ rows, total }, section] = await Promise.all([
    findSummaries(
      db,
      reader,
      { type: filter.type, topic },
      { limit: itemsPerPage, offset: (page - 1) * itemsPerPage },
    ),
    filter.type === undefined ? undefined : findContent(db, reader, EDITORIAL_TYPES.section, filter.type),
  ])
  const [first = null, ...items] = await present(db, [section, ...rows])
  return { items: items.filter((item) => item !== null), total, section: first }
}

/**
 * Returns the text with this type and slug. An article also has related articles and its neighbours in the list of its
 * type. @throws ServiceError `notFound`
 */
export async function readArticle(
  sources: TextSources,
  reader: EditorialReader,
  type: string,
  slug: string,
): Promise<{
  content: EditorialContent
  related: EditorialSummary[]
  previous: EditorialSummary | null
  next: EditorialSummary | null
}> {
  const { db } = sources
  const row = await findContent(db, reader, type, slug)
  if (row === undefined) throw new ServiceError('notFound')
  const isArticle = row.type !== EDITORIAL_TYPES.page && row.type !== EDITORIAL_TYPES.section
  const [near, related, [text]] = await Promise.all([
    isArticle ? findNeighbours(db, reader, row) : { previous: undefined, next: undefined },
    isArticle ? findRelated(db, reader, row, RELATED_LENGTH) : [],
    readTexts(sources, [row.content], reader),
  ])
  const [content, previous = null, next = null, ...others] = await present(db, [
    row,
    near.previous,
    near.next,
    ...related,
  ])
  if (!content || !text) throw new ServiceError('notFound')
  return {
    content: { ...content, content: text.blocks, cards: text.cards },
    related: others.filter((other) => other !== null),
    previous,
    next,
  }
}

/**
 * Returns matching articles and pages, the best first, and their number.
 *
 * @param query in the syntax of PostgreSQL's text search
 * @param limits `shown`: maximum number of presented articles; `most`: maximum number of counted ones
 */
export async function articlesByWords(
  db: Database,
  reader: EditorialReader,
  query: string,
  { most, shown }: { most: number; shown: number },
): Promise<{ articles: EditorialSummary[]; count: number }> {
  const found = await findByWords(db, reader, query, most)
  const articles = await present(db, found.slice(0, shown))
  return { articles: articles.filter((each) => each !== null), count: found.length }
}

/** Returns the picture of a text that the reader may see; undefined if there is no such text, or it has no picture. */
export async function imageOfArticle(
  db: Database,
  reader: EditorialReader,
  id: number,
): Promise<Image | undefined> {
  const imageId = await findImageId(db, reader, id)
  return imageId === undefined ? undefined : (await imagesById(db, [imageId])).get(imageId)
}

/** The operator's pages to which menus link. */
const LINKED_PAGES = ['help', 'terms', 'privacy', 'legal'] as const

/** Maximum number of pages that are read to find the pages that menus link to. */
const MOST_PAGES = 100

/** Texts that menus link to: pages, questions with answers, and articles. */
export type LinkedText = (typeof LINKED_PAGES)[number] | typeof EDITORIAL_TYPES.faq | typeof ARTICLES

/** Returns the existing texts among those to which menus can link. */
export async function knownTexts(db: Database, reader: EditorialReader): Promise<ReadonlySet<LinkedText>> {
  const find = async (type: string, limit: number) =>
    await findSummaries(db, reader, { type }, { limit, offset: 0 })
  const [pages, questions, articles] = await Promise.all([
    find(EDITORIAL_TYPES.page, MOST_PAGES),
    find(EDITORIAL_TYPES.faq, 1),
    find(ARTICLES, 1),
  ])
  const found = new Set<LinkedText>(
    LINKED_PAGES.filter((slug) => pages.rows.some((row) => row.slug === slug)),
  )
  if (questions.total > 0) found.add(EDITORIAL_TYPES.faq)
  if (articles.total > 0) found.add(ARTICLES)
  return found
}

/**
 * Returns questions and answers. In each text, a heading is a question, and the text below it is the answer (A7.1-31,
 * spec 42).
 */
export async function readQuestions(sources: TextSources, reader: EditorialReader) {
  const rows = await findContents(sources.db, reader, EDITORIAL_TYPES.faq)
  const texts = await readTexts(
    sources,
    rows.map(({ content }) => content),
    reader,
  )
  const taken = new Set<string>()
  return rows.map((row, index) => ({
    id: row.id,
    title: row.title,
    slug: row.slug,
    language: row.language,
    questions: questionsOf(texts[index]?.blocks ?? [], row, taken),
    cards: texts[index]?.cards ?? {},
  }))
}

function questionsOf(blocks: readonly Block[], { slug }: EditorialRow, taken: Set<string>) {
  const questions: { id: string; question: string; answer: Block[] }[] = []
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 2) {
      // The questions of all texts are on the same page, so their anchors must be unique.
      const id = taken.has(block.id) ? `${slug}-${block.id}` : block.id
      taken.add(id)
      questions.push({ id, question: plainText(block.content), answer: [] })
    } else questions.at(-1)?.answer.push(block)
  }
  return questions
}

async function present(
  db: Database,
  rows: readonly (SummaryRow | undefined)[],
): Promise<(EditorialSummary | null)[]> {
  const images = await imagesById(
    db,
    rows.map((row) => row?.imageId ?? null),
  )
  return rows.map((row) => (row === undefined ? null : presentSummary(row, images)))
}
