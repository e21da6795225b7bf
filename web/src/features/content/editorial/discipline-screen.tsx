import { EDITORIAL_TYPES } from '@ondine/contract/editorial'
import { firmSpaces } from '@ondine/contract/firm-spaces'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Picture } from '../../../design/pictures/picture.tsx'
import { ArticleCard } from './article-card.tsx'
import { writtenIn } from './article-screen.tsx'
import styles from './discipline-screen.module.css'
import { articleQuery, disciplineArticlesQuery } from './queries.ts'
import { RichText } from './rich-text.tsx'

/** In a wide window, this many articles or fewer stand beside the text. */
const FEW = 2

/** A discipline: its description, and all articles about it (V2.1-26). */
export function DisciplineScreen({ slug }: { slug: string }) {
  const { t } = useTranslation()
  const { data } = useSuspenseQuery(articleQuery(EDITORIAL_TYPES.discipline, slug))
  const { data: about } = useSuspenseQuery(disciplineArticlesQuery(slug))
  const { content } = data
  return (
    <div className={styles.screen}>
      <header
        className={styles.head}
        lang={writtenIn(content)}
        data-behind-bar={content.image !== null || undefined}
      >
        {content.image !== null && (
          <Picture
            image={content.image}
            alt={content.imageAlt}
            className={styles.picture}
            sizes="100vw"
            first
          />
        )}
        <div className={styles.words}>
          <h1 className={styles.title} dir="auto">
            {firmSpaces(content.title)}
          </h1>
          <p className={styles.lead} dir="auto">
            {firmSpaces(content.description)}
          </p>
        </div>
      </header>
      <div className={styles.parts} data-few={about.items.length <= FEW || undefined}>
        <div className={styles.body} lang={writtenIn(content)}>
          <RichText blocks={content.content} cards={content.cards} />
        </div>
        <section className={styles.about} aria-labelledby="about">
          <h2 id="about" className={styles.aboutTitle}>
            {t('editorial.about', { title: content.title })}
          </h2>
          {about.items.length === 0 ? (
            <p className={styles.lead}>{t('editorial.empty')}</p>
          ) : (
            <ul className={styles.list}>
              {about.items.map((article) => (
                <li key={article.id}>
                  <ArticleCard article={article} layout="Cover" />
                </li>
              ))}
            </ul>
          )}
        </section>
      </div>
    </div>
  )
}
