import { useTranslation } from 'react-i18next'
import { FilmIcon } from '../../design/icons.tsx'
import { AssetsScreen } from '../favourites/assets-screen.tsx'
import { pathOf } from '../links/content-link.ts'
import { rentalsQuery } from './library-query.ts'

/** What the account has rented and may watch (A2.1-27). Each card says how long. */
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
