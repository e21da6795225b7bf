import type { EditorialSummary } from '@ondine/contract/editorial'
import { useTranslation } from 'react-i18next'
import { Card } from '../../../design/cards/card.tsx'
import type { CardLayout } from '../../../design/tokens/layouts.ts'
import { kindText } from './type-text.ts'

/** The card of an article: picture, title, kind and reading time. */
export function ArticleCard({ article, layout }: { article: EditorialSummary; layout: CardLayout }) {
  const { t } = useTranslation()
  const kind = kindText(article.type, t)
  const minutes = t('editorial.minutes', { count: article.readingMinutes })
  return (
    <Card
      layout={layout}
      to={article.detailRoute}
      title={article.title}
      headline
      subtitle={article.isPage ? undefined : `${kind} · ${minutes}`}
      text={article.description}
      image={article.image}
      kind={kind}
    />
  )
}
