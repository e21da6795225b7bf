import type { Rail } from '@ondine/contract/catalogue'
import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { Picture } from '../../design/picture.tsx'
import { Waves } from '../../design/waves.tsx'
import styles from './poster-head.module.css'

/** As many posters as the wall behind the words takes on the widest screen. */
const WALL = 40
/** Fewer different ones make no wall: they would stand there again and again. */
const FEWEST = 4

/** The top of a page that invites: what for, before a wall of the posters that `rails` show, and the ways on. */
export function PosterHead({
  title,
  text,
  rails,
  children,
}: {
  title: string
  text: string
  rails: readonly Rail[]
  children: ReactNode
}) {
  const posters = postersOf(rails)
  return (
    <header className={styles.head} data-behind-bar>
      {posters.length < FEWEST ? (
        <Waves />
      ) : (
        <div className={styles.wall} aria-hidden="true">
          {Array.from({ length: WALL }, (_, index) => posters[index % posters.length]).map(
            (poster, place) =>
              // One poster may stand at several places.
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

/** The posters of all titles in the rails, each once. */
function postersOf(rails: readonly Rail[]): Image[] {
  const posters = rails
    .flatMap(({ items }) => items)
    .flatMap((item) => (item.type === 'asset' ? [item.payload.posterImage] : []))
  return [...new Map(posters.flatMap((each) => (each === null ? [] : [[each.url, each] as const]))).values()]
}
