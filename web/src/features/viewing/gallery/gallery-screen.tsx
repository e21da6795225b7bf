import { type CSSProperties, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Select } from '../../../design/fields/select.tsx'
import { colorScheme, themeProperties } from '../../../design/tokens/theme.ts'
import { useConfiguration } from '../../ground/configuration/use-configuration.ts'
import { GalleryCards } from './gallery-cards.tsx'
import { GalleryControls } from './gallery-controls.tsx'
import { GalleryForm } from './gallery-form.tsx'
import { GalleryFoundations } from './gallery-foundations.tsx'
import { GalleryModals } from './gallery-modals.tsx'
import styles from './gallery-screen.module.css'
import { changedTheme, THEMES } from './gallery-themes.ts'
import { addGalleryWords } from './gallery-words.ts'

/** Every component of the design system in every state, for developers and reviewers. */
export function GalleryScreen() {
  const { i18n } = useTranslation()
  addGalleryWords(i18n)
  const { t } = useTranslation('gallery')
  const configuration = useConfiguration()
  const [chosen, setChosen] = useState(0)
  const theme = changedTheme(configuration, THEMES[chosen] ?? 'own')
  const properties = themeProperties(theme)
  const style: CSSProperties = { ...properties, colorScheme: colorScheme(theme.colors) }
  return (
    <main className={styles.gallery} style={style}>
      <header className={styles.head}>
        <div>
          <h1 className={styles.title}>{t('title')}</h1>
          <p className={styles.note}>{t('description')}</p>
        </div>
        <Select
          label={t('theme')}
          options={THEMES.map((name, id) => ({ id, title: t(`themes.${name}`) }))}
          value={chosen}
          onChange={setChosen}
        />
      </header>
      <GalleryFoundations properties={properties} />
      <GalleryControls />
      <GalleryForm />
      <GalleryModals />
      <GalleryCards />
    </main>
  )
}
