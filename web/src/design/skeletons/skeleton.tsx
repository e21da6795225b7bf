import { type ReactNode, useLayoutEffect } from 'react'
import styles from './skeleton.module.css'

/**
 * Placeholder of a page with a large picture at its top. `children` is the placeholder of the content below. `isHero`
 * is for home, where the picture fills the screen and other slides are beside the text. `isProgramme` is for a
 * channel, whose title is text. `isForVisitor` is for a viewer who is not signed in, and so sees offers above the
 * other actions. The placeholder scrolls to the top, because the router scrolls only when the page itself is
 * rendered.
 */
export function StageSkeleton({
  isHero = false,
  isProgramme = false,
  isForVisitor = false,
  children,
}: {
  isHero?: boolean
  isProgramme?: boolean
  isForVisitor?: boolean
  children: ReactNode
}) {
  // The braces discard the result of `scrollTo`. In newer browsers `scrollTo` returns a promise, and React would
  // treat a returned value as a clean-up function.
  useLayoutEffect(() => {
    scrollTo(0, 0)
  }, [])
  return (
    <div className={styles.page} aria-busy="true">
      <div className={styles.stage} data-hero={isHero || undefined} data-programme={isProgramme || undefined}>
        <span className={`${styles.bone} ${styles.eyebrow}`} />
        <span className={`${styles.bone} ${styles.title}`} />
        <span className={`${styles.bone} ${styles.facts}`} />
        <span className={`${styles.bone} ${styles.text}`} />
        {isForVisitor && (
          <div className={`${styles.buttons} ${styles.offers}`}>
            <span className={`${styles.bone} ${styles.button}`} />
            <span className={`${styles.bone} ${styles.button}`} />
          </div>
        )}
        <div className={styles.buttons}>
          <span className={`${styles.bone} ${styles.button}`} />
          <span className={`${styles.bone} ${styles.button}`} />
          {!isHero && <span className={`${styles.bone} ${styles.round}`} />}
        </div>
        {isHero && <span className={`${styles.bone} ${styles.choices}`} />}
      </div>
      {children}
    </div>
  )
}

/**
 * Placeholder of home with its final size: a hero, then wide cards. Shown if home takes more than a moment to
 * load.
 */
export function PageSkeleton() {
  return (
    <StageSkeleton isHero>
      <RowSkeleton />
    </StageSkeleton>
  )
}

/** Placeholder of a row of cards: wide cards with text below, or posters. */
export function RowSkeleton({ posters = false }: { posters?: boolean }) {
  return (
    <>
      <span className={`${styles.bone} ${styles.heading}`} />
      <div className={styles.rail} data-posters={posters || undefined}>
        {CARDS.map((card) => (
          <span key={card} className={`${styles.bone} ${styles.card}`} />
        ))}
      </div>
    </>
  )
}

/** Keys of the placeholders in a row. Eight placeholders reach the edge of the widest window. */
const CARDS = [1, 2, 3, 4, 5, 6, 7, 8]
