import type { Image } from '@ondine/contract/entities'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { modal } from '../../../modals/modal.ts'
import { preloadModals } from '../../../modals/modal-host.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { type NamedTitle, reviewsQuery } from './queries.ts'
import styles from './reviews-panel.module.css'

/**
 * A short form of the summary of a title's reviews, with a link to the whole summary (V3-40). Shown only if the
 * operator enables summaries (V1-10).
 */
export function ReviewsPanel(props: { of: NamedTitle; title: string; image: Image | null }) {
  return useConfiguration().catalogue.aiSummary.enabled ? <Panel {...props} /> : null
}

function Panel({ of: named, title, image }: { of: NamedTitle; title: string; image: Image | null }) {
  const { t } = useTranslation()
  const { data } = useQuery(reviewsQuery(named))
  if (!data) return null
  return (
    <section className={styles.panel}>
      <h2 className={styles.title}>{t('detail.reviews')}</h2>
      {data.summary !== '' && <p className={styles.summary}>{data.summary}</p>}
      <Button
        aria-label={t('detail.reviewsOf', { title })}
        aria-haspopup="dialog"
        onHoverStart={preloadModals}
        onFocus={preloadModals}
        onPress={() => void modal.open('aISummary', { itemContent: { title, image }, ...data })}
      >
        {t('detail.readReviews')}
      </Button>
    </section>
  )
}
