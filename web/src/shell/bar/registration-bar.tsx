import { useTranslation } from 'react-i18next'
import { useShop } from '../../features/rights/offers/use-shop.ts'
import type { RouteName } from '../../routes.ts'
import { useRenderedScreen } from '../use-screen.ts'
import { HomeLogo } from './logo.tsx'
import styles from './plain-bar.module.css'

const STEPS = [
  'register-informations',
  'register-offers',
  'register-summary',
  'register-confirmation',
] as const

/** The bar of the registration, with its steps (V2.4-08). Without offers, the registration has two steps. */
export function RegistrationBar() {
  const { t } = useTranslation()
  const { sellsSubscriptions } = useShop()
  const screen = useRenderedScreen()
  const steps = STEPS.filter((step) => sellsSubscriptions || !BUYING.has(step))
  const current = steps.findIndex((step) => step === screen)
  return (
    <header className={styles.bar} data-bar="registration">
      <HomeLogo />
      <ol className={styles.steps} aria-label={t('shell.registrationSteps')}>
        {steps.map((step, index) => (
          <li
            key={step}
            className={styles.step}
            data-done={index < current || undefined}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={styles.number} aria-hidden="true">
              {index + 1}
            </span>
            <span className={styles.name}>{t(`registrationSteps.${step}`)}</span>
          </li>
        ))}
      </ol>
    </header>
  )
}

const BUYING: ReadonlySet<RouteName> = new Set(['register-offers', 'register-summary'])
