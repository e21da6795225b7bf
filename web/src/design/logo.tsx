import type { Configuration } from '@ondine/contract/configuration'
import { useEffect, useRef, useState } from 'react'
import styles from './logo.module.css'
import { WordMark } from './word-mark.tsx'

/** `full` where there is room, `compact` in narrow bars, `logo` the sign alone (V3-55). */
export type LogoVariant = Configuration['brand']['barLogo']

/** The name that the word mark writes. */
const OWN_NAME = 'Ondine'

/**
 * The logo of the service, one line high: what the operator set for the variant, and else the own word mark, or its wave
 * as the sign; the name where neither can be shown. It is said by what it stands in.
 */
export function Logo({
  variant,
  brand: { logos, name },
}: {
  variant: LogoVariant
  brand: Pick<Configuration['brand'], 'logos' | 'name'>
}) {
  const source = logos[variant]
  const image = useRef<HTMLImageElement>(null)
  const [missing, setMissing] = useState('')
  useEffect(() => {
    let isShown = true
    const isMissing = () => image.current?.complete === true && image.current.naturalWidth === 0
    // Not its error event: that is gone by when the page comes alive. A load that was only cut off is not the end of it.
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
  // Our word mark is nobody else's name.
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
