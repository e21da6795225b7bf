import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import type { StageLayout } from './layouts.ts'
import { Picture } from './picture.tsx'
import styles from './stage.module.css'

/** How wide the wide picture of a stage is shown: in an upright window it is as high as the stage, and its sides are cut. */
export const STAGE_SIZES = '(max-aspect-ratio: 1 / 1) 140vh, 100vw'

/**
 * The top of a page: a picture that bleeds into the surface, and what it is about (V3-53). `Hero` lets what comes next
 * look in from below, `FullScreen` fills the window, and without a layout it leaves the room that a detail page needs.
 */
export function Stage({
  image,
  upright = null,
  eyebrow,
  tone = 'accent',
  title,
  logo,
  layout,
  heading = 'h1',
  aside,
  children,
}: {
  image: Image | null
  /** The picture on a phone, and on a tablet that is held upright; by default a part of `image`. */
  upright?: Image | null
  eyebrow: string
  tone?: 'accent' | 'live'
  title: string
  logo: Image | null
  heading?: 'h1' | 'h2'
  layout?: StageLayout | undefined
  /** Stands opposite to the words. */
  aside?: ReactNode
  children: ReactNode
}) {
  const Heading = heading
  return (
    <div
      className={styles.stage}
      data-behind-bar
      data-layout={layout}
      data-upright={upright !== null || undefined}
    >
      <div className={styles.picture}>
        {image !== null && (
          <Picture key={image.url} image={image} upright={upright} sizes={STAGE_SIZES} first />
        )}
      </div>
      <div className={styles.content}>
        {eyebrow !== '' && (
          <p className={styles.eyebrow} data-tone={tone}>
            {eyebrow}
          </p>
        )}
        <Heading
          className={styles.title}
          style={logo === null ? undefined : { '--ratio': logo.width / logo.height }}
        >
          {logo === null ? (
            <span dir="auto">{title}</span>
          ) : (
            <Picture image={logo} sizes="520px" first alt={title} className={styles.logo} />
          )}
        </Heading>
        {children}
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
