import { useTranslation } from 'react-i18next'
import { FilmIcon } from '../../../design/icons/icons.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { AssetsScreen } from './assets-screen.tsx'
import { pastRentalsQuery } from './library-query.ts'

/** The account's ended rentals (A2.1-28). Each title's page offers to rent it again. */
export function PastRentalsScreen() {
  const { t } = useTranslation()
  return (
    <AssetsScreen
      title={t('library.library-past')}
      empty={{
        icon: <FilmIcon />,
        text: t('library.pastEmpty'),
        to: pathOf('library-rentals'),
        go: t('library.goRentals'),
      }}
      query={pastRentalsQuery}
    />
  )
}
