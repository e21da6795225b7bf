import {
  EDITORIAL_TYPES,
  type EditorialContent,
  type EditorialSummary,
  editorialData,
  faqData,
  listEditorial,
} from '@ondine/contract/editorial'
import { query } from '../../api/query.ts'

/** Articles on one page of a list: whole rows of 2, 3 and 4. */
export const ARTICLES_PER_PAGE = 24
/** Articles of a rail. */
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

/** What belongs to a discipline. */
export const disciplineArticlesQuery = (slug: string) =>
  query(listEditorial, { keyword: slug, page: 1, itemsPerPage: 100 })

/** What introduces the types of articles: the parts of the magazine. */
export const sectionsQuery = query(listEditorial, {
  type: EDITORIAL_TYPES.section,
  page: 1,
  itemsPerPage: 100,
})

/** All pages, for those who come without a slug. */
export const pagesQuery = query(listEditorial, { type: EDITORIAL_TYPES.page, page: 1, itemsPerPage: 100 })

/** Questions and answers (decision 42). */
export const faqQuery = query(faqData, {})

/** What a head says of a text: all but the text itself, which a page brings along once and not twice. */
export function summaryOf(text: EditorialContent): EditorialSummary {
  const { content: _, cards: __, ...summary } = text
  return summary
}
