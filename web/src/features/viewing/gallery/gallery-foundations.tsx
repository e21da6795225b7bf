import { languageTag } from '@ondine/contract/languages'
import { useTranslation } from 'react-i18next'
import { Logo } from '../../../design/icons/logo.tsx'
import { contrast, parseColor } from '../../../design/tokens/color.ts'
import type { ThemeProperties } from '../../../design/tokens/theme.ts'
import { usePlace } from '../../../words/place.tsx'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import styles from './gallery-foundations.module.css'
import { GallerySection } from './gallery-section.tsx'

const STEPS = [0, 1, 2, 3] as const
const TEXTS = [1, 2, 3] as const
const SIGNALS = [
  { name: 'accent', ground: '--accent', ink: '--on-accent' },
  { name: 'live', ground: '--live-ground', ink: '--on-live' },
  { name: 'warning', ground: '--amber', ink: '--on-amber' },
] as const
const TITLES = ['hero', 'fullscreen', 'rail', 'poster', 'poster-detail', 'cover', 'totem'] as const
/** The class of each typeface of titles, by the place of the title. */
const FACES = {
  hero: 'narrow',
  fullscreen: 'narrow',
  rail: 'display',
  poster: 'card',
  'poster-detail': 'card',
  cover: 'card',
  totem: 'card',
} as const satisfies Record<(typeof TITLES)[number], string>
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 }
const LOGOS = ['full', 'compact', 'logo'] as const

/** The colours with their contrast, the typefaces, and the logos. */
export function GalleryFoundations({ properties }: { properties: ThemeProperties }) {
  const { t } = useTranslation('gallery')
  const { language } = usePlace()
  const { brand } = useConfiguration()
  const ratio = (ink: `--${string}`, ground: `--${string}`) =>
    t('ratio', {
      ratio: contrast(parseColor(properties[ink] ?? ''), parseColor(properties[ground] ?? '')).toLocaleString(
        languageTag(language),
        ONE_DECIMAL,
      ),
    })
  return (
    <>
      <GallerySection title={t('sections.colors')}>
        <div className={styles.swatches}>
          {STEPS.map((step) => (
            <div key={step} className={styles.swatch} style={{ background: `var(--surface-${step})` }}>
              <span>{t('surface', { step })}</span>
              {TEXTS.map((text) => (
                <span key={text} style={{ color: `var(--text-${text})` }}>
                  {t('text', { step: text })} · {ratio(`--text-${text}`, `--surface-${step}`)}
                </span>
              ))}
              <span style={{ color: 'var(--accent-text)' }}>
                {t('accent')} · {ratio('--accent-text', `--surface-${step}`)}
              </span>
            </div>
          ))}
          {SIGNALS.map(({ name, ground, ink }) => (
            <div
              key={name}
              className={styles.swatch}
              style={{ background: `var(${ground})`, color: `var(${ink})` }}
            >
              <span>{t(name)}</span>
              <span>{ratio(ink, ground)}</span>
            </div>
          ))}
        </div>
      </GallerySection>
      <GallerySection title={t('sections.type')}>
        <div className={styles.type}>
          {TITLES.map((name) => (
            <div key={name}>
              <p className={styles.label}>
                {t('titleSize', { name, size: properties[`--title-${name}-wide`] })}
              </p>
              <p className={styles[FACES[name]]} style={{ fontSize: `var(--title-${name})` }}>
                {t('sample')}
              </p>
            </div>
          ))}
          <p className={styles.body}>{t('body')}</p>
        </div>
      </GallerySection>
      <GallerySection title={t('sections.brand')}>
        <div className={styles.logos}>
          {LOGOS.map((variant) => (
            <span key={variant} className={styles.logo}>
              <Logo variant={variant} brand={brand} />
            </span>
          ))}
        </div>
      </GallerySection>
    </>
  )
}
