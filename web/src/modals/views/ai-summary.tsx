import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { scoreText } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './ai-summary.module.css'

/** The reviews of a title: a summary, keywords of praise and criticism, and quotations. */
export function AiSummaryView({ modal, answer }: ModalViewProps<'aISummary'>) {
  const { t } = useTranslation('modals')
  const { language } = usePlace()
  const { sentiment, reviews } = modal
  const sides = [
    { tone: 'positive', title: t('sentimentPositive'), words: sentiment.positive },
    { tone: 'negative', title: t('sentimentNegative'), words: sentiment.negative },
  ].filter((side) => side.words.length > 0)
  return (
    <ModalFrame
      title={modal.title || t('aISummaryTitle')}
      text={modal.summary}
      onClose={() => answer(undefined)}
      actions={<Button onPress={() => answer(undefined)}>{t('close')}</Button>}
    >
      {sides.map(({ tone, title, words }) => (
        <section key={tone}>
          <h3 className={styles.heading}>{title}</h3>
          <ul className={styles.words} data-tone={tone}>
            {words.map((word) => (
              <li key={word}>{word}</li>
            ))}
          </ul>
        </section>
      ))}
      {reviews.length > 0 && (
        <section>
          <h3 className={styles.heading}>{t('reviews')}</h3>
          <ul className={styles.reviews}>
            {reviews.map(({ source, rating, excerpt, link }) => (
              <li key={`${source} ${excerpt}`}>
                <blockquote className={styles.excerpt}>{excerpt}</blockquote>
                <p className={styles.source}>
                  <a href={link} target="_blank" rel="noopener">
                    {source}
                  </a>
                  {' · '}
                  {t('reviewRating', { rating: scoreText(rating, language) })}
                </p>
              </li>
            ))}
          </ul>
        </section>
      )}
      <p className={styles.source}>{t('aISummarySource')}</p>
    </ModalFrame>
  )
}
