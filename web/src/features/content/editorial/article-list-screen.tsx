import type { EditorialSummary } from '@ondine/contract/editorial'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import { sectionRoute } from '@ondine/contract/slugs'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { ButtonLink } from '../../../design/buttons/button.tsx'
import { BareLink } from '../../../design/buttons/link.tsx'
import { Blank } from '../../../design/cards/card.tsx'
import { useCurrentInView } from '../../../design/lists/use-current-in-view.ts'
import { Picture } from '../../../design/pictures/picture.tsx'
import { dateAttribute, dayText } from '../../../words/dates.ts'
import { usePlace } from '../../../words/place.tsx'
import { ArticleCard } from './article-card.tsx'
import styles from './article-list-screen.module.css'
import { ARTICLES_PER_PAGE, articlesQuery, sectionsQuery } from './queries.ts'
import { kindText, typeText } from './type-text.ts'

/** The articles of a type, split into numbered pages. The first article is large, the others are cards. */
export function ArticleListScreen({ type, page }: { type: string; page: number }) {
  const { t } = useTranslation()
  const { data } = useSuspenseQuery(articlesQuery(type, page))
  const { items, total, section } = data
  const { data: sections } = useSuspenseQuery(sectionsQuery)
  const tabs = useRef<HTMLElement>(null)
  useCurrentInView(tabs, type)
  const [first, ...others] = items
  const pages = Math.ceil(total / ARTICLES_PER_PAGE)
  const path = sectionRoute(type)
  return (
    <div className={styles.screen}>
      {sections.items.length > 1 && (
        <nav ref={tabs} className={styles.sections} aria-label={t('editorial.sections')}>
          {sections.items.map(({ id, slug, title }) => (
            <BareLink
              key={id}
              to={sectionRoute(slug)}
              className={styles.section}
              aria-current={slug === type ? 'page' : undefined}
            >
              {title}
            </BareLink>
          ))}
        </nav>
      )}
      <header className={styles.head}>
        <h1 className={styles.title} dir="auto">
          {section?.title || typeText(type, t)}
        </h1>
        <p className={styles.note} dir="auto">
          {section?.description || t('editorial.count', { count: total })}
        </p>
      </header>
      {first === undefined ? (
        <p className={styles.empty}>{t('editorial.empty')}</p>
      ) : (
        <>
          {page === 1 && <LeadArticle article={first} />}
          <ul className={styles.grid}>
            {(page === 1 ? others : items).map((article) => (
              <li key={article.id}>
                <ArticleCard article={article} layout="Cover" />
              </li>
            ))}
          </ul>
        </>
      )}
      {pages > 1 && (
        <nav className={styles.pages} aria-label={t('editorial.pages')}>
          {page > 1 && (
            <ButtonLink to={page === 2 ? path : `${path}?page=${page - 1}`}>
              {t('editorial.newer')}
            </ButtonLink>
          )}
          <span>{t('editorial.pageOf', { page, pages })}</span>
          {page < pages && <ButtonLink to={`${path}?page=${page + 1}`}>{t('editorial.older')}</ButtonLink>}
        </nav>
      )}
    </div>
  )
}

function LeadArticle({ article }: { article: EditorialSummary }) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <BareLink to={article.detailRoute} className={styles.lead}>
      <span className={styles.leadFrame}>
        {article.image === null ? (
          <Blank title={article.title} kind={kindText(article.type, t)} captioned />
        ) : (
          <Picture
            image={article.image}
            className={styles.leadPicture}
            sizes="(min-width: 1000px) 62vw, 100vw"
            first
          />
        )}
      </span>
      <span className={styles.leadWords}>
        <span className={styles.leadTitle} dir="auto">
          {firmSpaces(article.title)}
        </span>
        <span className={styles.leadText} dir="auto">
          {firmSpaces(article.description)}
        </span>
        <span className={styles.leadFacts}>
          <time dateTime={dateAttribute(article.creationDate)}>{dayText(article.creationDate, place)}</time>
          {' · '}
          {t('editorial.minutes', { count: article.readingMinutes })}
        </span>
      </span>
    </BareLink>
  )
}
