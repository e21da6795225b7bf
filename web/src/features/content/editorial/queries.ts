import {
  EDITORIAL_TYPES,
  type EditorialContent,
  type EditorialSummary,
  editorialData,
  faqData,
  listEditorial,
} from '@ondine/contract/editorial'
import { query } from '../../../api/query.ts'

/** Articles per page of a list: fills whole rows of 2, 3 and 4. */
export const ARTICLES_PER_PAGE = 24
/** Articles per rail. */
const RAIL_LENGTH = 12

/** One article. */
export const articleQuery = (type: string, slug: string) => query(editorialData, { type, slug })

/** One page. */
export const pageQuery = (slug: string) => query(editorialData, { slug })

/** A page of the articles of a type. */
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

/** All pages, for an address without a slug. */
export const pagesQuery = query(listEditorial, { type: EDITORIAL_TYPES.page, page: 1, itemsPerPage: 100 })

/** Questions and answers (spec 42). */
export const faqQuery = query(faqData, {})

/** Returns the metadata of a text for the page's head. It omits the text itself, so that a page contains it only once. */
export function summaryOf(text: EditorialContent): EditorialSummary {
  const { content: _, cards: __, ...summary } = text
  return summary
}
