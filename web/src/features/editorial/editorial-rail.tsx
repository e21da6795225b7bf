import { sectionRoute } from '@ondine/contract/slugs'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Rail } from '../../design/rail.tsx'
import { DrawnOnce } from '../drawn/drawn-once.tsx'
import { ArticleCard } from './article-card.tsx'
import { railQuery } from './queries.ts'
import { typeText } from './type-text.ts'

/**
 * A rail of articles, for a home page. Its data is `railQuery(type)`, which a loader fetches ahead; without articles there
 * is no rail.
 *
 * @param name tells it from the other rails of its page
 * @param type of which type; all types when left out
 * @param title by default what introduces the type
 */
export function EditorialRail({
  name,
  type,
  title = '',
}: {
  name: string
  type?: string | undefined
  title?: string | undefined
}) {
  const { t } = useTranslation()
  const { data } = useQuery(railQuery(type))
  if (data === undefined || data.items.length === 0) return null
  const shown =
    title || data.section?.title || (type === undefined ? t('editorial.magazine') : typeText(type, t))
  return (
    <DrawnOnce from={[name, shown, data]}>
      <Rail
        name={name}
        title={shown}
        layout="Cover"
        words={{ previous: t('rail.previous', { title: shown }), next: t('rail.next', { title: shown }) }}
        {...(type === undefined
          ? {}
          : {
              more: {
                to: sectionRoute(type),
                text: t('editorial.all'),
                label: t('editorial.allOf', { title: shown }),
              },
            })}
      >
        {data.items.map((article) => (
          <ArticleCard key={article.id} article={article} layout="Cover" />
        ))}
      </Rail>
    </DrawnOnce>
  )
}
