import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Grid } from '../../../design/lists/grid.tsx'
import { ScreenHead } from '../../../design/page/screen-head.tsx'
import { areFew } from '../../../design/tokens/layouts.ts'
import styles from './category-screen.module.css'
import { ItemCard } from './item-card.tsx'
import { hierarchyQuery } from './queries.ts'

/** All categories, each with a picture of its content. */
export function CategoriesScreen() {
  const { t } = useTranslation()
  const { data: tree } = useSuspenseQuery(hierarchyQuery)
  const shown = tree.filter(({ isSerie }) => !isSerie)
  return (
    <div className={styles.screen}>
      <ScreenHead
        title={t('category.title')}
        lead={t(shown.length === 0 ? 'category.empty' : 'category.intro')}
      />
      {shown.length > 0 && (
        <Grid layout="Cover" few={areFew(shown.length)}>
          {shown.map((payload) => (
            <ItemCard key={payload.idCatalog} item={{ type: 'category', payload }} layout="Cover" />
          ))}
        </Grid>
      )}
    </div>
  )
}
