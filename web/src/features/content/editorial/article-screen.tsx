import type { EditorialContent, EditorialSummary } from '@ondine/contract/editorial'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import { isLanguage, languageTag } from '@ondine/contract/languages'
import { sectionRoute } from '@ondine/contract/slugs'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { ChevronLeftIcon, ChevronRightIcon } from '../../../design/icons/icons.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { dateAttribute, dayText } from '../../../words/dates.ts'
import { usePlace } from '../../../words/place.tsx'
import { ShareButton } from '../../ground/share/share-button.tsx'
import { ArticleCard } from './article-card.tsx'
import styles from './article-screen.module.css'
import { articleQuery } from './queries.ts'
import { RichText } from './rich-text.tsx'
import { typeText } from './type-text.ts'

/** An article in magazine style: display type, a lead picture, text at a readable line length, and further reading. */
export function ArticleScreen({ type, slug }: { type: string; slug: string }) {
  const { t } = useTranslation()
  const { data } = useSuspenseQuery(articleQuery(type, slug))
  const { content, previous, next } = data
  // The previous and the next article have their own links, so they are left out here.
  const related = data.related.filter(({ id }) => id !== previous?.id && id !== next?.id)
  return (
    <>
      <article className={styles.article} lang={writtenIn(content)}>
        <header className={styles.head} data-pictured={content.image !== null || undefined}>
          <div className={styles.words}>
            <p className={styles.kind}>
              <BareLink to={sectionRoute(content.type)}>{typeText(content.type, t)}</BareLink>
            </p>
            <h1 className={styles.title} dir="auto">
              {firmSpaces(content.title)}
            </h1>
            {content.description !== '' && (
              <p className={styles.lead} dir="auto">
                {firmSpaces(content.description)}
              </p>
            )}
            <div className={styles.facts}>
              <Facts content={content} />
              <ShareButton title={content.title} image={content.image} path={content.detailRoute} />
            </div>
          </div>
          {content.image !== null && (
            <figure className={styles.figure}>
              <Picture
                image={content.image}
                alt={content.imageAlt}
                className={styles.picture}
                sizes="(min-width: 1400px) 1272px, 100vw"
                first
              />
              {content.imageCredit !== '' && (
                <figcaption className={styles.credit} dir="auto">
                  {content.imageCredit}
                </figcaption>
              )}
            </figure>
          )}
        </header>
        <div className={styles.body}>
          <RichText blocks={content.content} cards={content.cards} />
          {content.keywords.length > 0 && (
            <ul className={styles.keywords} aria-label={t('editorial.keywords')}>
              {content.keywords.map((word) => (
                <li key={word}>{word}</li>
              ))}
            </ul>
          )}
        </div>
      </article>
      {(previous !== null || next !== null) && (
        <nav className={styles.near} aria-label={t('editorial.near')}>
          {previous !== null && <NearLink article={previous} side="previous" />}
          {next !== null && <NearLink article={next} side="next" />}
        </nav>
      )}
      {related.length > 0 && (
        <section className={styles.related} aria-labelledby="related">
          <h2 id="related" className={styles.relatedTitle}>
            {t('editorial.related')}
          </h2>
          <ul className={styles.relatedList}>
            {related.map((article) => (
              <li key={article.id}>
                <ArticleCard article={article} layout="Cover" />
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Facts({ content }: { content: EditorialContent }) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <p className={styles.byline}>
      {content.author !== '' && (
        <span className={styles.author}>{t('editorial.by', { author: content.author })}</span>
      )}
      <time dateTime={dateAttribute(content.creationDate)}>{dayText(content.creationDate, place)}</time>
      <span>{t('editorial.minutes', { count: content.readingMinutes })}</span>
    </p>
  )
}

function NearLink({ article, side }: { article: EditorialSummary; side: 'previous' | 'next' }) {
  const { t } = useTranslation()
  return (
    <BareLink to={article.detailRoute} className={styles.nearLink} data-side={side}>
      {side === 'previous' && <ChevronLeftIcon />}
      <span>
        <span className={styles.nearWord}>{t(`editorial.${side}`)}</span>
        <span className={styles.nearTitle} dir="auto">
          {article.title}
        </span>
      </span>
      {side === 'next' && <ChevronRightIcon />}
    </BareLink>
  )
}

/**
 * Returns the tag of a text's language for the attribute `lang`, which tells screen readers how to pronounce the text.
 * Undefined for an unknown language.
 */
export function writtenIn({ language }: { language: string }): string | undefined {
  return isLanguage(language) ? languageTag(language) : undefined
}
