import type { CastContent } from '@ondine/contract/casting'
import { useRouter } from '@tanstack/react-router'
import { type ComponentType, lazy, Suspense, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { isScreen } from '../../features/people/devices/paired-screen.ts'
import { currentCast } from '../../features/viewing/casting/cast-session.ts'
import { MessagePage } from '../../shell/message-page.tsx'
import { PageSearch } from '../../shell/page-search.tsx'
import { castContentOf, isPlayed } from '../casting/cast-media.ts'
import { useContinuedTarget } from '../casting/use-continued-target.ts'
import type { PlayerTarget } from '../content/playable.ts'
import { type PlayerAddress, playerPath, playerTarget } from '../content/player-target.ts'
import { replaceAddress } from '../content/replace-address.ts'
import { usePlayer } from '../machine/use-player.ts'
import { Watermark } from '../overlays/watermark.tsx'
import styles from './player.module.css'
import { PlayerInterface } from './player-interface.tsx'

const RemoteOverPlayer = lazy(() => import('./remote-over-player.tsx'))
const RemotePlayer = lazy(() => import('../casting/remote-player.tsx'))
const ScreenOfAccount = lazy(() => import('../../shell/screen-of-account.tsx'))

/**
 * The player, in the whole window. Rendered only in the browser, because the server cannot play anything. With
 * `offline`, plays the download of `asset` (V2.1-16), or shows the offline page if there is no `asset`.
 */
export function PlayerScreen(address: PlayerAddress) {
  const target = playerTarget(address)
  if (target === undefined && address.offline === true) return <Offline />
  if (target === undefined) return <NothingToPlay />
  return <PlayerOrRemote target={target} />
}

/** The player of this browser. If the browser is connected to another screen, that screen plays the content. */
function PlayerOrRemote({ target }: { target: PlayerTarget }) {
  const { t } = useTranslation('player')
  const router = useRouter()
  const { account, profile } = useSession()
  const [isRemote, setRemote] = useState(
    () => castContentOf(target) !== undefined && currentCast(profile?.id) !== null,
  )
  const [isPairedScreen] = useState(isScreen)
  const { continued, leave } = useContinuedTarget(target)
  /**
   * The content with which the connected screen has continued. The screen plays it already, so no player opens for
   * it here.
   */
  const [ahead, setAhead] = useState<CastContent>()
  const goOn = (content: CastContent) => {
    setAhead(content)
    replaceAddress(router, playerPath(content.kind, content.id))
  }
  const isAhead = ahead !== undefined && isPlayed({ content: ahead }, target)
  if (!isRemote && !isAhead) {
    return (
      <>
        <Player target={continued} goOn={goOn} />
        {isPairedScreen && account !== null && (
          <Suspense>
            <ScreenOfAccount accountId={account.id} />
          </Suspense>
        )}
      </>
    )
  }
  return (
    <main className={styles.player} data-cinema aria-label={t('player')}>
      <Suspense>
        <RemotePlayer
          target={target}
          goOn={(content) => {
            // Until the address changes, the target is still the previous content, for which no player must open.
            setRemote(true)
            goOn(content)
          }}
          onDisconnected={(position) => {
            leave(position)
            setRemote(false)
            setAhead(undefined)
          }}
        />
      </Suspense>
    </main>
  )
}

/** Loads the page of the downloads without `lazy`, which would show its fallback for at least 300 ms. */
function Offline() {
  const [Screen, setScreen] = useState<ComponentType>()
  useEffect(() => {
    const load = async () => {
      const { OfflineScreen } = await import('./offline-screen.tsx')
      setScreen(() => OfflineScreen)
    }
    void load()
  }, [])
  return Screen === undefined ? null : <Screen />
}

function Player({ target, goOn }: { target: PlayerTarget; goOn: (content: CastContent) => void }) {
  const { t } = useTranslation('player')
  const root = useRef<HTMLElement>(null)
  const stage = useRef<HTMLDivElement>(null)
  const running = usePlayer(target, stage)
  const { virtualRemote } = useConfiguration().navigation
  return (
    <main ref={root} className={styles.player} data-cinema aria-label={t('player')}>
      <div ref={stage} className={styles.stage} />
      {running !== undefined && <Watermark {...running} />}
      {running !== undefined && <PlayerInterface {...running} root={root} goOn={goOn} />}
      {virtualRemote && (
        <Suspense>
          <RemoteOverPlayer />
        </Suspense>
      )}
    </main>
  )
}

function NothingToPlay() {
  const { t } = useTranslation('player')
  return (
    <main>
      <MessagePage title={t('nothingTitle')} text={t('nothingText')} back={t('backHome')}>
        <PageSearch />
      </MessagePage>
    </main>
  )
}
