import type { Item } from '@ondine/contract/entities'
import { useTranslation } from 'react-i18next'
import { BareLink } from '../../../design/buttons/link.tsx'
import { PlayIcon } from '../../../design/icons/icons.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import { trailerPath } from '../catalogue/playing.ts'
import styles from './trailer-card.module.css'

/** A still of a film or a series, which leads to the trailer in the player. Everyone may watch trailers (V6-02). */
export function TrailerCard({ item, caption }: { item: Item; caption: string }) {
  const { t } = useTranslation()
  if (item.type === 'channel') return null
  const to = trailerPath(item.payload)
  if (to === undefined) return null
  const [title, image] =
    item.type === 'asset'
      ? [item.payload.title, item.payload.backgroundImage ?? item.payload.thumbnailImage]
      : [item.payload.name, item.payload.images.background]
  return (
    <figure data-trailer>
      <BareLink to={to} className={styles.trailer} aria-label={t('editorial.trailer', { title })}>
        {image !== null && (
          <Picture
            image={image}
            className={styles.still}
            sizes="(min-width: 1100px) 1000px, 100vw"
            blurred={item.payload.isBlurred}
          />
        )}
        <span className={styles.play} aria-hidden="true">
          <PlayIcon />
        </span>
        {/* A caption replaces this label. */}
        {caption === '' && (
          <span className={styles.label} aria-hidden="true">
            {t('play.trailer')} · {title}
          </span>
        )}
      </BareLink>
      {caption !== '' && (
        <figcaption className={styles.caption} dir="auto">
          {caption}
        </figcaption>
      )}
    </figure>
  )
}
