import { EDITORIAL_TYPES, type EditorialSummary } from '@ondine/contract/editorial'
import type { Image } from '@ondine/contract/entities'
import { disciplineRoute, editorialRoute, pageRoute, sectionRoute } from '@ondine/contract/slugs'
import type { SummaryRow } from './editorial.repository.ts'

/** Presents a summary (V3-34). */
export function presentSummary(row: SummaryRow, images: ReadonlyMap<string, Image>): EditorialSummary {
  return {
    id: row.id,
    title: row.title,
    type: row.type,
    slug: row.slug,
    isPage: row.type === EDITORIAL_TYPES.page,
    language: row.language,
    author: row.author,
    description: row.description,
    keywords: row.keywords,
    creationDate: Math.floor(row.writtenAt / 1000),
    detailRoute: routeOf(row),
    image: (row.imageId === null ? undefined : images.get(row.imageId)) ?? null,
    imageAlt: row.imageAlt,
    imageCredit: row.imageCredit,
    readingMinutes: row.readingMinutes,
    directMetadata: row.metadata,
  }
}

/** Returns the address of a text's page (V2.2-15). */
function routeOf({ type, slug }: { type: string; slug: string }): string {
  switch (type) {
    case EDITORIAL_TYPES.page:
      return pageRoute(slug)
    case EDITORIAL_TYPES.discipline:
      return disciplineRoute(slug)
    case EDITORIAL_TYPES.section:
      return sectionRoute(slug)
    case EDITORIAL_TYPES.faq:
      return '/page/faq'
    default:
      return editorialRoute(type, slug)
  }
}
