import { EDITORIAL_TYPES, type EditorialSummary } from '@ondine/contract/editorial'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { itemTarget } from '../../ground/links/content-link.ts'
import { kindText } from './type-text.ts'

/** The card of an article: picture, title, kind and reading time. */
export function ArticleCard({ article, layout }: { article: EditorialSummary; layout: CardLayout }) {
  const { t } = useTranslation()
  const kind = kindText(article.type, t)
  const minutes = t('editorial.minutes', { count: article.readingMinutes })
  return (
    <Card
      layout={layout}
      to={articlePath(article)}
      title={article.title}
      headline
      subtitle={article.isPage ? undefined : `${kind} · ${minutes}`}
      text={article.description}
      image={article.image}
      kind={kind}
    />
  )
}

/**
 * Returns the path of a text: `/{slug}` for a page, a path with type and slug for an article (V2.2-15). Texts of other
 * types have their own screens.
 */
export function articlePath(article: EditorialSummary): string {
  const { discipline, section, faq } = EDITORIAL_TYPES
  const own: string[] = [discipline, section, faq]
  if (own.includes(article.type)) return article.detailRoute
  const target = itemTarget({ type: 'editorial', payload: article })
  return target.kind === 'internal' ? target.path : article.detailRoute
}
