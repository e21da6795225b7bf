import { ARTICLES, type EditorialSummary } from '@ondine/contract/editorial'
import { sectionRoute } from '@ondine/contract/slugs'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Rail } from '../../../design/rails/rail.tsx'
import { DrawnOnce } from '../../ground/drawn/drawn-once.tsx'
import { Part } from '../../ground/errors/part.tsx'
import { ArticleCard } from './article-card.tsx'
import { railQuery } from './queries.ts'
import { typeText } from './type-text.ts'

/**
 * A rail of articles for a home page. Its data comes from `railQuery(type)`, which a loader prefetches. Renders
 * nothing without articles. If rendering fails, a message replaces the rail. The query is used outside of the
 * error boundary, because a retry refetches only queries that are in use.
 *
 * @param name name of the rail, unique on the page
 * @param type type of the articles; by default articles of all types
 * @param title by default the title of the section that introduces the type
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
  if (data === undefined) return null
  const shown =
    title || data.section?.title || (type === undefined ? t('editorial.magazine') : typeText(type, t))
  return (
    <Part name={shown} from={[data]}>
      <Articles name={name} type={type} title={shown} articles={data.items} />
    </Part>
  )
}

function Articles({
  name,
  type,
  title,
  articles,
}: {
  name: string
  type: string | undefined
  title: string
  articles: readonly EditorialSummary[]
}) {
  const { t } = useTranslation()
  if (articles.length === 0) return null
  // No page lists the texts of all types. So a rail of all types links to the page of the articles, which links to the
  // pages of the other types.
  const listed = type ?? articles.find((article) => article.type === ARTICLES)?.type
  return (
    <DrawnOnce from={[name, title, articles]}>
      <Rail
        name={name}
        title={title}
        layout="Cover"
        words={{ previous: t('rail.previous', { title }), next: t('rail.next', { title }) }}
        {...(listed === undefined
          ? {}
          : {
              more: {
                to: sectionRoute(listed),
                text: t('editorial.all'),
                label: t('editorial.allOf', { title }),
              },
            })}
      >
        {articles.map((article) => (
          <ArticleCard key={article.id} article={article} layout="Cover" />
        ))}
      </Rail>
    </DrawnOnce>
  )
}
