import type { Image } from '@ondine/contract/entities'
import type { ReactNode } from 'react'
import { Picture } from './picture.tsx'
import styles from './stage.module.css'

/**
 * The top of a page: a picture that bleeds into the surface, and what it is about. `tall` fills the first screen of
 * home; the other height leaves room for what a detail page is looked at for.
 */
export function Stage({
  image,
  eyebrow,
  tone = 'accent',
  title,
  logo,
  heading = 'h1',
  tall = false,
  aside,
  children,
}: {
  image: Image | null
  eyebrow: string
  tone?: 'accent' | 'live'
  title: string
  logo: Image | null
  heading?: 'h1' | 'h2'
  tall?: boolean
  /** Stands opposite to the words. */
  aside?: ReactNode
  children: ReactNode
}) {
  const Heading = heading
  return (
    <div className={styles.stage} data-tall={tall || undefined}>
      <div className={styles.picture}>
        {image !== null && <Picture key={image.url} image={image} sizes="100vw" first />}
      </div>
      <div className={styles.content}>
        {eyebrow !== '' && (
          <p className={styles.eyebrow} data-tone={tone}>
            {eyebrow}
          </p>
        )}
        <Heading className={styles.title}>
          {logo === null ? (
            title
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
