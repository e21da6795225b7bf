import type { Image } from '@ondine/contract/entities'
import { CheckIcon, ChevronRightIcon } from './icons.tsx'
import type { OfferLayout } from './layouts.ts'
import { BareLink } from './link.tsx'
import styles from './offer-card.module.css'
import { Picture } from './picture.tsx'
import { Tag, type TagContent } from './tag.tsx'

export interface OfferContent {
  to: string
  title: string
  /** One or two sentences. */
  text?: string | undefined
  image: Image | null
  /** As it is written: `8,99 €`, with what it is for, such as `par mois`. */
  price?: { amount: string; per?: string } | undefined
  /** What it holds, in a few words each. */
  features?: string[]
  tags?: TagContent[]
  /** What can be done with it: subscribe, discover. */
  action: string
  /** The one that most people take. */
  recommended?: boolean
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
  const { to, title, text, image, price, features = [], tags = [], action, recommended } = offer
  return (
    <BareLink
      to={to}
      className={`${styles.offer} ${styles[layout]}`}
      draggable={false}
      data-recommended={recommended || undefined}
    >
      <span className={styles.picture}>
        {image !== null && <Picture image={image} sizes={SIZES[layout]} />}
      </span>
      <span className={styles.words}>
        {tags.length > 0 && (
          <span className={styles.tags}>
            {tags.map((tag) => (
              <Tag key={tag.tone} {...tag} />
            ))}
          </span>
        )}
        <span className={styles.title} dir="auto">
          {title}
        </span>
        {text !== undefined && text !== '' && (
          <span className={styles.text} dir="auto">
            {text}
          </span>
        )}
        {layout !== 'OfferDiscover' && features.length > 0 && (
          <span className={styles.features}>
            {features.map((feature) => (
              <span key={feature} className={styles.feature}>
                <CheckIcon />
                <span>{feature}</span>
              </span>
            ))}
          </span>
        )}
        <span className={styles.foot}>
          {price !== undefined && (
            <span className={styles.price}>
              <span className={styles.amount}>{price.amount}</span>{' '}
              {price.per !== undefined && <span className={styles.per}>{price.per}</span>}
            </span>
          )}
          <span className={styles.action}>
            {action}
            <ChevronRightIcon />
          </span>
        </span>
      </span>
    </BareLink>
  )
}
