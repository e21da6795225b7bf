import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Logo, type LogoVariant } from '../../design/logo.tsx'
import { useConfiguration } from '../../features/configuration/use-configuration.ts'
import styles from './logo.module.css'

/** The name that the word mark writes. */
const OWN_NAME = 'Ondine'

/** The logo as the way home, one for wide windows and one for narrow ones (V3-55). */
export function HomeLogo() {
  const { t } = useTranslation()
  const { brand } = useConfiguration()
  return (
    <Link to="/" className={styles.home} aria-label={t('shell.homeLink', { name: brand.name })}>
      <span className={styles.wide}>
        <Mark variant={brand.barLogo} />
      </span>
      <span className={styles.narrow}>
        <Mark variant={brand.narrowLogo} />
      </span>
    </Link>
  )
}

/** The logo where there is room and nothing to press: below the page, and on a television. */
export function FullLogo() {
  return <Mark variant={useConfiguration().brand.footerLogo} />
}

/** The operator's logo, or the name of the service where there is none: our word mark is nobody else's name. */
function Mark({ variant }: { variant: LogoVariant }) {
  const { brand } = useConfiguration()
  const isNamed = brand.logos[variant] === '' && variant !== 'logo' && brand.name !== OWN_NAME
  return isNamed ? (
    <span className={styles.name}>{brand.name}</span>
  ) : (
    <Logo variant={variant} logos={brand.logos} />
  )
}
