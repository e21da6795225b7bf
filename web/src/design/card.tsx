import type { LayoutKind } from '@ondine/contract/catalogue'
import type { Image } from '@ondine/contract/entities'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import styles from './card.module.css'
import { Picture } from './picture.tsx'
import { Progress } from './progress.tsx'
import { Tag, type TagContent } from './tag.tsx'

/** The layouts that stand in rails and grids; `Hero` and `FullScreen` fill a screen of their own. */
export type CardLayout = Exclude<LayoutKind, 'Hero' | 'FullScreen'>

export interface CardContent {
  /** Where it leads: a path of this site. */
  to: string
  title: string
  /** One quiet line under the title. */
  subtitle?: string | undefined
  /** Two or three lines, shown where the layout has room for them. */
  text?: string | undefined
  image: Image | null
  tags?: TagContent[]
  /** Stands in the corner opposite to the tags, as a channel's name. */
  corner?: ReactNode
  /** From 0 to 1. */
  progress?: { value: number; tone: 'accent' | 'live' } | undefined
  /** Still to come: shown dimmed. */
  dimmed?: boolean
}

const SIZES: Record<CardLayout, string> = {
  Poster: '(min-width: 1600px) 222px, (min-width: 821px) 190px, 150px',
  PosterDetail: '(min-width: 821px) 190px, 128px',
  Cover: '(min-width: 1600px) 360px, (min-width: 821px) 296px, 264px',
  Totem: '(min-width: 1600px) 260px, 220px',
  Circle: '152px',
  Inline: '180px',
}

/** Where titles stand below the picture in every state, because the picture alone does not carry them. */
const CAPTIONED: ReadonlySet<CardLayout> = new Set(['Cover', 'Circle', 'Inline', 'PosterDetail'])

/** One thing to open, drawn in one of the layout kinds of V3. Its size comes from the rail or grid around it. */
export function Card({ layout, ...content }: CardContent & { layout: CardLayout }) {
  const { to, title, subtitle, text, image, tags = [], corner, progress, dimmed = false } = content
  const captioned = CAPTIONED.has(layout)
  return (
    <Link
      to={to}
      className={`${styles.card} ${styles[layout]}`}
      draggable={false}
      data-dimmed={dimmed || undefined}
    >
      <span className={styles.frame}>
        {image === null ? (
          <span className={styles.blank} aria-hidden="true">
            {title}
          </span>
        ) : (
          <Picture image={image} sizes={SIZES[layout]} />
        )}
        {(tags.length > 0 || corner !== undefined) && (
          <span className={styles.tags}>
            {tags.map((tag) => (
              <Tag key={tag.tone} {...tag} />
            ))}
            {corner !== undefined && <span className={styles.corner}>{corner}</span>}
          </span>
        )}
        {!captioned && (
          <span className={styles.overlay}>
            <span className={styles.title}>{title}</span>
            {subtitle !== undefined && <span className={styles.subtitle}>{subtitle}</span>}
          </span>
        )}
        {progress !== undefined && (
          <span className={styles.progress}>
            <Progress {...progress} />
          </span>
        )}
      </span>
      {captioned && (
        <span className={styles.caption}>
          <span className={styles.title}>{title}</span>
          {subtitle !== undefined && <span className={styles.subtitle}>{subtitle}</span>}
          {text !== undefined && (layout === 'Inline' || layout === 'PosterDetail') && (
            <span className={styles.text}>{text}</span>
          )}
        </span>
      )}
    </Link>
  )
}
