import { useTranslation } from 'react-i18next'
import { BareLink } from '../../design/buttons/link.tsx'
import { Logo } from '../../design/icons/logo.tsx'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import styles from './logo.module.css'

/** The logo as a link to home. Its variant depends on the width of the window (V3-55). */
export function HomeLogo() {
  const { t } = useTranslation()
  const { brand } = useConfiguration()
  return (
    <BareLink to="/" className={styles.home} aria-label={t('shell.homeLink', { name: brand.name })}>
      <span className={styles.wide}>
        <Logo variant={brand.barLogo} brand={brand} />
      </span>
      <span className={styles.narrow}>
        <Logo variant={brand.narrowLogo} brand={brand} />
      </span>
    </BareLink>
  )
}

/** The large logo without a link, for the bottom of the page and for televisions. */
export function FullLogo() {
  const { brand } = useConfiguration()
  return <Logo variant={brand.footerLogo} brand={brand} />
}
