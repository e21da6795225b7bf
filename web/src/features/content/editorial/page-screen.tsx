import type { EditorialContent } from '@ondine/contract/editorial'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Picture } from '../../../design/pictures/picture.tsx'
import { dateAttribute, dayText } from '../../../words/dates.ts'
import { usePlace } from '../../../words/place.tsx'
import { writtenIn } from './article-screen.tsx'
import styles from './page-screen.module.css'
import { pageQuery } from './queries.ts'
import { RichText } from './rich-text.tsx'

/** An editorial page: its title and its text. */
export function PageScreen({ slug }: { slug: string }) {
  const { data } = useSuspenseQuery(pageQuery(slug))
  return <Page content={data.content} />
}

function Page({ content }: { content: EditorialContent }) {
  const { t } = useTranslation()
  const place = usePlace()
  return (
    <article className={styles.page} lang={writtenIn(content)}>
      {content.image !== null && (
        <div className={styles.ground}>
          <Picture
            image={content.image}
            alt={content.imageAlt}
            className={styles.picture}
            sizes="100vw"
            first
          />
        </div>
      )}
      <header className={styles.head} data-pictured={content.image !== null || undefined}>
        <h1 className={styles.title} dir="auto">
          {firmSpaces(content.title)}
        </h1>
        {content.description !== '' && (
          <p className={styles.lead} dir="auto">
            {firmSpaces(content.description)}
          </p>
        )}
      </header>
      <div className={styles.body}>
        <RichText blocks={content.content} cards={content.cards} />
        <p className={styles.date}>
          {t('editorial.updated')}{' '}
          <time dateTime={dateAttribute(content.creationDate)}>{dayText(content.creationDate, place)}</time>
        </p>
      </div>
    </article>
  )
}
