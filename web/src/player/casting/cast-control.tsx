import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { CastIcon } from '../../design/icons/player-icons.tsx'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { mayCast } from '../../features/viewing/casting/google/sender-framework.ts'
import { screensQuery } from '../../features/viewing/casting/screens-query.ts'
import { ControlButton } from '../buttons/control-button.tsx'

const ScreensPanel = lazy(() => import('./screens-panel.tsx'))

/**
 * The button that opens the list of the account's screens. Shown if the account has a screen, and casting is
 * enabled (V1-06).
 */
export function CastControl({
  open,
  toggle,
  close,
}: {
  open: boolean
  toggle: () => void
  close: () => void
}) {
  const { t } = useTranslation('cast')
  const { player, settings } = useConfiguration()
  const { isCastEnabled } = player
  const { account, profile } = useSession()
  const { data = [] } = useQuery({
    ...screensQuery(profile?.id),
    enabled: isCastEnabled && profile !== null,
  })
  const hasGoogle = settings.receiver !== '' && mayCast(navigator.userAgent)
  if (!isCastEnabled || account === null || profile === null) return null
  if (!hasGoogle && data.every(({ current }) => current)) return null
  return (
    <>
      <ControlButton name={t('choose')} expanded={open} controls="player-screens" onPress={toggle}>
        <CastIcon />
      </ControlButton>
      {open && (
        <Suspense>
          <ScreensPanel
            idAccount={account.id}
            idProfile={profile.id}
            application={hasGoogle ? settings.receiver : undefined}
            close={close}
          />
        </Suspense>
      )}
    </>
  )
}
