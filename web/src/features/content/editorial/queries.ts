import {
  EDITORIAL_TYPES,
  type EditorialContent,
  type EditorialSummary,
  editorialData,
  faqData,
  listEditorial,
} from '@ondine/contract/editorial'
import { query } from '../../../api/query.ts'

/** Number of articles on one page of the list of a type. This number fills whole rows of 2, 3 or 4 cards. */
export const ARTICLES_PER_PAGE = 24
/** Number of articles that the call for a rail requests. */
const RAIL_LENGTH = 12

/** One article. */
export const articleQuery = (type: string, slug: string) => query(editorialData, { type, slug })

/** One editorial page. */
export const pageQuery = (slug: string) => query(editorialData, { slug })

/** One numbered page of the list of articles of a type. */
export const articlesQuery = (type: string, page: number) =>
  query(listEditorial, { type, page, itemsPerPage: ARTICLES_PER_PAGE })

/** The first articles of a type, or of all types, for a rail. */
export const railQuery = (type: string | undefined) =>
  query(listEditorial, { ...(type === undefined ? {} : { type }), page: 1, itemsPerPage: RAIL_LENGTH })

/** The articles about a discipline. */
export const disciplineArticlesQuery = (slug: string) =>
  query(listEditorial, { keyword: slug, page: 1, itemsPerPage: 100 })

/** The introductions of the article types: the sections of the magazine. */
export const sectionsQuery = query(listEditorial, {
  type: EDITORIAL_TYPES.section,
  page: 1,
  itemsPerPage: 100,
})

/** All editorial pages, for an address without a slug. */
export const pagesQuery = query(listEditorial, { type: EDITORIAL_TYPES.page, page: 1, itemsPerPage: 100 })

/** The frequently asked questions with their answers (spec 42). */
export const faqQuery = query(faqData, {})

/**
 * Returns the metadata of a text for the head of a page, without the text itself, which the page would otherwise
 * contain twice.
 */
export function summaryOf(text: EditorialContent): EditorialSummary {
  const { content: _, cards: __, ...summary } = text
  return summary
}
