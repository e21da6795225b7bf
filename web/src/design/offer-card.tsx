import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { CheckIcon } from './icons.tsx'
import type { OfferLayout } from './layouts.ts'
import styles from './offer-card.module.css'
import { Picture } from './picture.tsx'
import { StruckPrice, type StruckPriceContent } from './struck-price.tsx'
import { Tag, type TagContent } from './tag.tsx'

/** As it is written: `8,99 €`, with what it is for, such as `par mois`, and what is to be known of it. */
interface OfferPrice {
  amount: string
  per?: string | undefined
  note?: string | undefined
  /** The price that it is lower than. */
  before?: StruckPriceContent | undefined
}

export interface OfferContent {
  title: string
  /** One or two sentences. */
  text?: string | undefined
  image: Image | null
  price?: OfferPrice | undefined
  /** What it holds, in a few words each. */
  features?: readonly string[]
  tags?: TagContent[]
  /** The one that most people take. */
  recommended?: boolean
  /** The viewer has it already: it steps back. */
  dimmed?: boolean
  /** Level of its heading: below the one that it stands under. */
  heading?: 'h2' | 'h3'
  /** What can be done with it, as buttons: subscribe, know more. */
  children: ReactNode
}

const SIZES: Record<OfferLayout, string> = {
  OfferWide: '(min-width: 821px) 640px, 90vw',
  OfferSquare: '320px',
  OfferDiscover: '(min-width: 821px) 360px, 80vw',
}

/**
 * An offer, in one of the offer layouts of V3-53. `OfferWide` says all, over a picture; `OfferSquare` stands beside others to
 * compare; `OfferDiscover` makes curious, with a picture and a few words.
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
            <span className={styles.amount}>{price.amount}</span>{' '}
            {price.before !== undefined && <StruckPrice {...price.before} />}
            {price.per !== undefined && <span className={styles.per}>{price.per}</span>}
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
