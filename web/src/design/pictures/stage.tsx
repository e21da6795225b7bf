import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import type { StageLayout } from '../tokens/layouts.ts'
import { Picture } from './picture.tsx'
import styles from './stage.module.css'

/**
 * Displayed width of a stage's wide picture. In an upright window, the picture has the height of the stage,
 * and its sides are cut off.
 */
export const STAGE_SIZES = '(max-aspect-ratio: 1 / 1) 140vh, 100vw'

/** Titles with more characters than this are smaller on a phone, where they would be cut otherwise. */
const LONG_TITLE = 60

/**
 * The head of a page: a picture that fades into the page, and its subject (V3-53). With `Hero`, the next section is
 * visible at the bottom. `FullScreen` fills the window. Without a layout, the stage has the height for a detail page.
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
  /** The picture on phones and on tablets held upright. Defaults to a part of `image`. */
  upright?: Image | null
  eyebrow: string
  tone?: 'accent' | 'live'
  title: string
  logo: Image | null
  heading?: 'h1' | 'h2'
  layout?: StageLayout | undefined
  /** Shown opposite to the text. */
  aside?: ReactNode
  children: ReactNode
}) {
  const Heading = heading
  return (
    <div
      className={styles.stage}
      data-behind-bar="shaded"
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
          data-long={title.length > LONG_TITLE || undefined}
          style={logo === null ? undefined : { '--ratio': logo.width / logo.height }}
        >
          {logo === null ? (
            <span dir="auto">{title}</span>
          ) : (
            // The key removes the art of the title before, which the browser would show until the next one has loaded.
            <Picture key={logo.url} image={logo} sizes="520px" first alt={title} className={styles.logo} />
          )}
        </Heading>
        {children}
      </div>
      {aside !== undefined && <div className={styles.aside}>{aside}</div>}
    </div>
  )
}
