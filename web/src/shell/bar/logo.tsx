import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { WordMark } from '../../design/word-mark.tsx'
import { useSession } from '../../features/accounts/session.ts'
import { useConfiguration } from '../../features/configuration/use-configuration.ts'
import styles from './logo.module.css'

/** The name that the word mark writes. */
const OWN_NAME = 'Ondine'

type Variant = 'full' | 'compact' | 'logo'

/** The operator's logo, or its name where there is none; one for wide windows and one for narrow ones (V3-55). */
export function Logo({ place }: { place: 'bar' | 'footer' }) {
  const { brand } = useConfiguration()
  if (place === 'footer') return <Mark variant={brand.footerLogo} />
  return (
    <>
      <span className={styles.wide}>
        <Mark variant={brand.barLogo} />
      </span>
      <span className={styles.narrow}>
        <Mark variant={brand.narrowLogo} />
      </span>
    </>
  )
}

/** The logo as the way home. */
export function HomeLogo() {
  const { t } = useTranslation()
  const { storefront } = useSession()
  const { brand } = useConfiguration()
  return (
    <Link
      to="/"
      className={styles.home}
      aria-label={t('shell.homeLink', { name: brand.name || storefront.name })}
    >
      <Logo place="bar" />
    </Link>
  )
}

function Mark({ variant }: { variant: Variant }) {
  const { brand } = useConfiguration()
  const image = brand.logos[variant]
  if (image !== '') return <img className={styles.image} src={image} alt="" height={32} decoding="async" />
  if (variant === 'logo') return <Wave />
  // Our word mark is nobody else's name.
  return brand.name === OWN_NAME ? <WordMark /> : <span className={styles.name}>{brand.name}</span>
}

/** The sign alone: the wave of the word mark. */
function Wave() {
  return (
    <svg className={styles.wave} viewBox="0 0 64 32" aria-hidden="true" focusable="false">
      <path d="M4 22c13-18 26-20 39-10s16 9 17 0" />
    </svg>
  )
}
