import { useTranslation } from 'react-i18next'
import { FilmIcon } from '../../../design/icons/icons.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { AssetsScreen } from './assets-screen.tsx'
import { rentalsQuery } from './library-query.ts'

/** The account's current rentals (A2.1-27). Each card shows the remaining time. */
export function RentalsScreen() {
  const { t } = useTranslation()
  return (
    <AssetsScreen
      title={t('library.library-rentals')}
      empty={{
        icon: <FilmIcon />,
        text: t('library.rentalsEmpty'),
        to: pathOf('category'),
        go: t('library.goCatalogue'),
      }}
      query={rentalsQuery}
    />
  )
}
