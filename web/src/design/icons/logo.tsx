import type { Configuration } from '@ondine/contract/configuration'
import { useEffect, useRef, useState } from 'react'
import { atService } from '../../api/at-service.ts'
import styles from './logo.module.css'
import { WordMark } from './word-mark.tsx'

/** `full` is for wide places, `compact` for narrow bars. `logo` shows only the emblem without the name (V3-55). */
export type LogoVariant = Configuration['brand']['barLogo']

/** The service's name that the word mark spells. */
const OWN_NAME = 'Ondine'

/**
 * The logo of the service, with the height of one line. Shows the operator's image for the variant. Without an image,
 * shows Ondine's wave for the variant `logo`, and Ondine's word mark for the other variants. In place of the word
 * mark, a service with another name shows its name as text. The logo has no accessible name, so the enclosing element
 * must have one.
 */
export function Logo({
  variant,
  brand: { logos, name },
}: {
  variant: LogoVariant
  brand: Pick<Configuration['brand'], 'logos' | 'name'>
}) {
  const source = atService(logos[variant])
  const image = useRef<HTMLImageElement>(null)
  const [missing, setMissing] = useState('')
  useEffect(() => {
    let isShown = true
    const isMissing = () => image.current?.complete === true && image.current.naturalWidth === 0
    // The image's error event may have fired before hydration. `decode` detects the failure later. An aborted load
    // does not count as a failure.
    image.current?.decode().catch(() => isShown && isMissing() && setMissing(source))
    return () => {
      isShown = false
    }
  }, [source])
  if (source !== '' && source !== missing)
    return (
      <img ref={image} className={styles.logo} data-variant={variant} src={source} alt="" draggable={false} />
    )
  if (source === '' && variant === 'logo') return <Sign />
  // The word mark spells Ondine, so a service with another name cannot use it.
  return name === OWN_NAME ? <WordMark /> : <span className={styles.name}>{name}</span>
}

function Sign() {
  return (
    <svg className={styles.sign} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <rect className={styles.ground} width="64" height="64" rx="16" />
      <path className={styles.wave} d="M10 38c9-13.5 18-14.8 26-7.4s14 5.4 18-4.6" />
    </svg>
  )
}
