import { useTranslation } from 'react-i18next'
import { LiveIcon } from '../../../design/icons/icons.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { livesQuery } from '../favourites/favourites-query.ts'
import { AssetsScreen } from './assets-screen.tsx'

/** The live events that the account may watch: current events first, then future events (A2.1-16). */
export function LivesScreen() {
  const { t } = useTranslation()
  return (
    <AssetsScreen
      title={t('favourites.livesTitle')}
      empty={{
        icon: <LiveIcon />,
        text: t('favourites.livesEmpty'),
        to: pathOf('live'),
        go: t('favourites.goLive'),
      }}
      query={livesQuery}
    />
  )
}
