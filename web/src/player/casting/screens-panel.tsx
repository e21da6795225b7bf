import { addMaterialByPairing } from '@ondine/contract/pairing'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../api/call.ts'
import { reportFault } from '../../features/ground/errors/report-fault.ts'
import { withParentalCode } from '../../features/people/parental/ask-code.ts'
import {
  connectCast,
  disconnectCast,
  joinCast,
  useCastSession,
} from '../../features/viewing/casting/cast-session.ts'
import { googleScreen, startReceiver } from '../../features/viewing/casting/google/google-screen.ts'
import { loadSender, type SenderFramework } from '../../features/viewing/casting/google/sender-framework.ts'
import { followScreens, ownScreen } from '../../features/viewing/casting/own-screens.ts'
import { isPlaying, type PlayingScreen } from '../../features/viewing/casting/running-cast.ts'
import { screensQuery } from '../../features/viewing/casting/screens-query.ts'
import { OptionsPanel, PressList } from '../panels/options-panel.tsx'

/** Value of the option to play on this device. */
const HERE = 'here'
/** Value of the option that opens the browser's list of Google Cast devices. */
const GOOGLE = 'google'

/** The panel for choosing the screen that plays the content. */
export default function ScreensPanel({
  idAccount,
  idProfile,
  application,
  close,
}: {
  idAccount: number
  idProfile: number
  /** Id under which the receiver is registered at Google; undefined if Google Cast is not offered. */
  application: string | undefined
  close: () => void
}) {
  const { t } = useTranslation('cast')
  const session = useCastSession()
  const { data } = useQuery(screensQuery(idProfile))
  const [screens, setScreens] = useState(data ?? [])
  const [google, setGoogle] = useState<SenderFramework>()
  useEffect(() => followScreens((next) => setScreens([...next])), [])
  useEffect(() => {
    // Google's script loads only when a viewer opens this panel.
    if (application !== undefined) void loadSender(application).then(setGoogle)
  }, [application])
  /** Shows what a screen plays, with a button that joins without replacing it. */
  const playing = ({ casDeviceId, name, state: { title } }: PlayingScreen) => ({
    text: title,
    action: t('control'),
    spoken: t('controlOf', { title, device: name }),
    act: () => {
      joinCast(ownScreen(casDeviceId), idProfile)
      close()
    },
  })
  const choices = screens
    .filter(({ current }) => !current)
    .map((screen) => {
      const { casDeviceId, name, isConnected } = screen
      const id = String(casDeviceId)
      return {
        id,
        text: isConnected ? name : t('notConnected', { device: name }),
        isDisabled: !isConnected,
        ...(isPlaying(screen) && id !== session?.target.id && { detail: playing(screen) }),
      }
    })
  return (
    <OptionsPanel id="player-screens" label={t('choose')} close={close}>
      <PressList
        legend={t('screens')}
        choices={[
          { id: HERE, text: t('here') },
          ...choices,
          ...(google === undefined ? [] : [{ id: GOOGLE, text: t('google') }]),
        ]}
        chosen={session?.target.id ?? HERE}
        choose={(id) => {
          if (id === HERE) void disconnectCast().catch(reportFault)
          else if (id === GOOGLE && google !== undefined)
            void castWithGoogle(google, idAccount, idProfile).catch(reportFault)
          else connectCast(ownScreen(Number(id)), idProfile)
          close()
        }}
      />
    </OptionsPanel>
  )
}

/**
 * Starts the receiver by Google Cast. Connects to the receiver once it is registered as a screen of the account.
 */
async function castWithGoogle(
  framework: SenderFramework,
  idAccount: number,
  idProfile: number,
): Promise<void> {
  const casDeviceId = await startReceiver(framework, idAccount, async (code) => {
    let isPaired = false
    await withParentalCode(async (parentalProof) => {
      isPaired = (await call(addMaterialByPairing, { code, parentalProof })) === null
    })
    return isPaired
  })
  if (casDeviceId !== undefined) connectCast(googleScreen(ownScreen(casDeviceId), framework), idProfile)
}
