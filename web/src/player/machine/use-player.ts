import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createActor } from 'xstate'
import { pathOf } from '../../features/ground/links/content-link.ts'
import { deviceStorage } from '../../features/ground/platform/device-storage.ts'
import type { Languages, PlayerTarget } from '../content/playable.ts'
import { playerPath } from '../content/player-target.ts'
import { replaceAddress } from '../content/replace-address.ts'
import { withAds } from '../engine/ad-engine.ts'
import { positionOf } from '../engine/engine.ts'
import { playerError } from '../engine/player-error.ts'
import { createShakaEngine } from '../engine/shaka-engine.ts'
import { keepVolume, readVolume } from '../engine/volume.ts'
import type { OpeningService } from '../opening/opening.ts'
import type { EndTarget } from './end-target.ts'
import { type PlayerActor, playerMachine } from './player-machine.ts'
import { type BrowserParts, browserParts } from './player-parts.ts'

/** The running player of a page. */
export interface RunningPlayer {
  actor: PlayerActor
  parts: BrowserParts
  video: HTMLVideoElement
}

/** Actions that a page with a player handles itself. By default, the player navigates to other pages. */
export interface PlayerHost {
  /** Leaves the content, or continues with `next`. */
  go(end: EndTarget, next: PlayerTarget | undefined): void
  /** Sends a call for playback. */
  call?: OpeningService['call'] | undefined
  /** Languages for all content; by default, the languages that the profile chose last. */
  languages?: Partial<Languages> | undefined
}

/**
 * Runs the player in `stage` while the page is mounted. A new target opens in the same player and the same video
 * element, so the volume does not change.
 */
export function usePlayer(
  target: PlayerTarget,
  stage: RefObject<HTMLElement | null>,
  host?: PlayerHost,
): RunningPlayer | undefined {
  const queryClient = useQueryClient()
  const router = useRouter()
  const { t } = useTranslation('player')
  const [running, setRunning] = useState<RunningPlayer>()
  const from = useOrigin()
  const latest = useRef(target)
  const latestHost = useRef(host)
  useEffect(() => {
    latestHost.current = host
  })

  useEffect(() => {
    if (stage.current === null) return undefined
    const video = document.createElement('video')
    video.playsInline = true
    stage.current.append(video)
    const engine = withAds(createShakaEngine(video, stage.current))
    const leave = (path: string | undefined, back: boolean) => {
      if (back) router.history.back()
      else replaceAddress(router, path ?? '/')
    }
    const go = (end: EndTarget) => {
      const { playable, nextAsset } = actor.getSnapshot().context
      if (latestHost.current !== undefined) latestHost.current.go(end, nextAsset?.target)
      else if (end.kind === 'next' && nextAsset !== null) {
        const { kind, id } = nextAsset.target
        replaceAddress(router, playerPath(kind, id, nextAsset.target))
      } else if (end.kind === 'page') leave(end.path, from.current === end.path)
      else leave(playable?.detailRoute || undefined, from.current !== undefined)
    }
    const parts = browserParts({
      queryClient,
      engine,
      go,
      signIn: () => {
        const { current } = latest
        const path = playerPath(current.kind, current.id, current.kind === 'trailer' ? {} : current)
        replaceAddress(router, `${pathOf('auth-login')}?back=${encodeURIComponent(path)}`)
      },
      from: () => from.current,
      refused: (error, session) => actor.send({ type: 'refused', error: playerError(error), session }),
      expired: (session) => actor.send({ type: 'expired', session }),
      trailerTitle: t('trailer'),
      call: latestHost.current?.call,
      languages: latestHost.current?.languages,
    })
    const volumePercent = readVolume(deviceStorage)
    const actor = createActor(playerMachine, { input: { parts, target: latest.current, volumePercent } })
    engine.setVolume(volumePercent)
    const unlisten = engine.listen((event) => {
      if (event.type === 'engine.volume') keepVolume(deviceStorage, event.percent)
      actor.send(event)
    })
    const reportClose = () => {
      parts.reporter.report({ type: 'close', position: positionOf(engine.read()) }, parts.now())
    }
    window.addEventListener('pagehide', reportClose)
    actor.start()
    setRunning({ actor, parts, video })
    return () => {
      window.removeEventListener('pagehide', reportClose)
      reportClose()
      unlisten()
      actor.stop()
      engine.destroy()
      video.remove()
    }
  }, [queryClient, router, from, t, stage])

  const { kind, id } = target
  const offline = isOffline(target)
  const start = kind === 'trailer' ? undefined : target.start
  useEffect(() => {
    const { current } = latest
    const same = current.kind === kind && current.id === id && isOffline(current) === offline
    if (same) return
    latest.current =
      kind === 'trailer'
        ? { kind, id }
        : kind === 'asset'
          ? { kind, id, start, offline }
          : { kind, id, start }
    running?.actor.send({ type: 'open', target: latest.current })
  }, [running, kind, id, start, offline])

  return running
}

function isOffline(target: PlayerTarget): boolean {
  return target.kind === 'asset' && target.offline === true
}

/**
 * Returns the path from which the player was opened; undefined if the viewer opened the player directly, with or
 * without a sign-in.
 */
function useOrigin(): RefObject<string | undefined> {
  const router = useRouter()
  // During the first render of the player's page, `resolvedLocation` is still the previous page.
  const [origin] = useState(() => {
    const before = router.state.resolvedLocation?.pathname
    return before === undefined || before === pathOf('player') || isSignIn(before) ? undefined : before
  })
  return useRef(origin)
}

/**
 * Returns whether a path is a screen for signing in or registering. Such a screen is no place to go back to: the player
 * has replaced it in the history, and it redirects a signed-in viewer.
 */
function isSignIn(path: string): boolean {
  return /^\/(auth|register)(\/|$)/.test(path)
}
