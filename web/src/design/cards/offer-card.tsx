import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { CheckIcon } from '../icons/icons.tsx'
import { Picture } from '../pictures/picture.tsx'
import type { OfferLayout } from '../tokens/layouts.ts'
import styles from './offer-card.module.css'
import { StruckPrice, type StruckPriceContent } from './struck-price.tsx'
import { Tag, type TagContent } from './tag.tsx'

/** A formatted price such as `8,99 €`, its period such as `par mois`, and a note. */
interface OfferPrice {
  amount: string
  per?: string | undefined
  note?: string | undefined
  /** The higher, usual price. */
  before?: StruckPriceContent | undefined
}

export interface OfferContent {
  title: string
  /** A text of one or two sentences. */
  text?: string | undefined
  image: Image | null
  price?: OfferPrice | undefined
  /** Features of the offer. Each has a few words. */
  features?: readonly string[]
  tags?: TagContent[]
  /** Whether the card is highlighted as the recommended offer. */
  recommended?: boolean
  /** Whether the card is dimmed, because the viewer already has the offer. */
  dimmed?: boolean
  /** The heading level: one below the level of the enclosing heading. */
  heading?: 'h2' | 'h3'
  /** Buttons for the actions, such as to subscribe or to learn more. */
  children: ReactNode
}

const SIZES: Record<OfferLayout, string> = {
  OfferWide: '(min-width: 821px) 640px, 90vw',
  OfferSquare: '320px',
  OfferDiscover: '(min-width: 821px) 360px, 80vw',
}

/**
 * An offer in one of the offer layouts of V3-53. `OfferWide` shows all content over a picture. `OfferSquare` is
 * for comparing offers side by side. `OfferDiscover` is a teaser with a picture and a few words.
 */
export function OfferCard({ layout, ...offer }: OfferContent & { layout: OfferLayout }) {
  const { title, text, image, price, features = [], tags = [], recommended, dimmed, children } = offer
  const { heading: Heading = 'h3' } = offer
  return (
    <article
      className={`${styles.offer} ${styles[layout]}`}
      data-recommended={recommended || undefined}
      data-dimmed={dimmed || undefined}
      data-plain={image === null || undefined}
    >
      <div className={styles.picture}>
        {image !== null && <Picture image={image} sizes={SIZES[layout]} />}
      </div>
      <div className={styles.words}>
        <p className={styles.tags}>
          {tags.map((tag) => (
            <Tag key={tag.text} {...tag} />
          ))}
        </p>
        <Heading className={styles.title} dir="auto">
          {title}
        </Heading>
        {text !== undefined && text !== '' && (
          <p className={styles.text} dir="auto">
            {text}
          </p>
        )}
        {price !== undefined && (
          <p className={styles.price}>
            {price.before !== undefined && <StruckPrice {...price.before} />}{' '}
            <span className={styles.now}>
              <span className={styles.amount}>{price.amount}</span>{' '}
              {price.per !== undefined && <span className={styles.per}>{price.per}</span>}
            </span>
            {price.note !== undefined && <span className={styles.note}>{price.note}</span>}
          </p>
        )}
        {layout !== 'OfferDiscover' && features.length > 0 && (
          <ul className={styles.features}>
            {features.map((feature) => (
              <li key={feature} className={styles.feature}>
                <CheckIcon />
                <span>{feature}</span>
              </li>
            ))}
          </ul>
        )}
        <div className={styles.foot}>{children}</div>
      </div>
    </article>
  )
}
