import type { Configuration } from '@ondine/contract/configuration'
import styles from './logo.module.css'
import { WordMark } from './word-mark.tsx'

/** `full` where there is room, `compact` in narrow bars, `logo` the sign alone (V3-55). */
export type LogoVariant = Configuration['brand']['barLogo']

/**
 * The logo of the service, one line high: what the operator set for the variant, and else the own word mark, or its wave
 * as the sign. Its name is said by what it stands in.
 */
export function Logo({ variant, logos }: { variant: LogoVariant; logos: Configuration['brand']['logos'] }) {
  const source = logos[variant]
  if (source !== '') return <img className={styles.logo} src={source} alt="" draggable={false} />
  return variant === 'logo' ? <Sign /> : <WordMark />
}

function Sign() {
  return (
    <svg className={styles.sign} viewBox="0 0 64 64" aria-hidden="true" focusable="false">
      <rect className={styles.ground} width="64" height="64" rx="16" />
      <path className={styles.wave} d="M10 38c9-13.5 18-14.8 26-7.4s14 5.4 18-4.6" />
    </svg>
  )
}
