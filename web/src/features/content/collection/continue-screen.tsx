import { useTranslation } from 'react-i18next'
import { PlayIcon } from '../../../design/icons/icons.tsx'
import { pathOf } from '../../ground/links/content-link.ts'
import { ContinueCard } from '../catalogue/continue-card.tsx'
import { begunQuery } from '../favourites/favourites-query.ts'
import { AssetsScreen } from './assets-screen.tsx'
import type { OtherCards } from './card-section.tsx'

/**
 * The titles that the profile has in progress, the most recently watched first (V4-49), and below them the recordings.
 */
export function ContinueScreen({ recordings }: { recordings: OtherCards }) {
  const { t } = useTranslation()
  return (
    <AssetsScreen
      title={t('favourites.continueTitle')}
      empty={{
        icon: <PlayIcon />,
        text: t('favourites.continueEmpty'),
        to: pathOf('home'),
        go: t('favourites.goHome'),
      }}
      query={begunQuery}
      renderCard={(asset) => <ContinueCard asset={asset} layout="Cover" />}
      others={recordings}
    />
  )
}
