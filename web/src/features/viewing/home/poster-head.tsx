import type { Rail } from '@ondine/contract/catalogue'
import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { Waves } from '../../../design/icons/waves.tsx'
import { Picture } from '../../../design/pictures/picture.tsx'
import styles from './poster-head.module.css'

/** Number of posters in the wall. They fill a window of any size. Upright tablets need the largest number. */
const WALL = 64
/** Minimum number of different posters for a wall. With fewer, the wall would repeat each poster too often. */
const FEWEST = 4

/**
 * The head of a page that promotes the service: title, text and actions, in front of a wall of posters from
 * `rails`.
 */
export function PosterHead({
  title,
  text,
  rails,
  isWholePage = false,
  children,
}: {
  title: string
  text: string
  rails: readonly Rail[]
  /** Whether the page has no other content. The head then fills the window. */
  isWholePage?: boolean
  children: ReactNode
}) {
  const posters = postersOf(rails)
  return (
    <header className={styles.head} data-behind-bar data-whole={isWholePage || undefined}>
      {posters.length < FEWEST ? (
        <Waves />
      ) : (
        <div className={styles.wall} aria-hidden="true">
          {Array.from({ length: WALL }, (_, index) => posters[index % posters.length]).map(
            (poster, place) =>
              // The place is part of the key, because the wall may contain a poster more than once.
              poster !== undefined && <Picture key={`${place} ${poster.url}`} image={poster} sizes="200px" />,
          )}
        </div>
      )}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>{children}</div>
    </header>
  )
}

/** Returns the posters of all titles of the rails, each poster once. Blurred posters are left out (A6-08). */
function postersOf(rails: readonly Rail[]): Image[] {
  const posters = rails
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.type === 'asset' && !item.payload.isBlurred ? [item.payload.posterImage] : []))
  return [...new Map(posters.flatMap((each) => (each === null ? [] : [[each.url, each] as const]))).values()]
}
