import { useTranslation } from 'react-i18next'
import { useConfiguration } from '../features/ground/configuration/use-configuration.ts'
import { type Device, useDevice } from '../features/ground/platform/use-platform.ts'
import styles from './store-badges.module.css'

const STORES = {
  ios: { name: 'App Store', drawing: 'M7 3h10v18H7zM11 18h2' },
  android: { name: 'Google Play', drawing: 'M5 3.500v17l14-8.500z' },
} as const

/**
 * Links to the app stores: on a phone or a tablet to the device's store, on a desktop to both stores (V2.4-11).
 */
export function StoreBadges() {
  const { t } = useTranslation()
  const { navigation } = useConfiguration()
  const device = useDevice()
  const stores = storesFor(device).filter((store) => navigation.storeLinks[store] !== '')
  if (stores.length === 0) return null
  return (
    <ul className={styles.badges} aria-label={t('shell.apps')}>
      {stores.map((store) => (
        <li key={store}>
          <a className={styles.badge} href={navigation.storeLinks[store]} rel="noreferrer">
            <svg viewBox="0 0 24 24" aria-hidden="true" focusable="false">
              <path d={STORES[store].drawing} />
            </svg>
            <span>
              <small>{t('shell.availableOn')}</small>
              {STORES[store].name}
            </span>
          </a>
        </li>
      ))}
    </ul>
  )
}

/** Returns the stores from which a device can install apps. */
function storesFor(device: Device): readonly (keyof typeof STORES)[] {
  return device === 'desktop' ? ['ios', 'android'] : [device]
}
