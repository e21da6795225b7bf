import { useSelector } from '@xstate/react'
import { type ReactNode, use, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { PlayIcon } from '../../design/icons/icons.tsx'
import { ImageHeights, Picture } from '../../design/pictures/picture.tsx'
import { playerTime } from '../../design/time/time-display.ts'
import { serviceNow } from '../../features/ground/clock/browser-clock.ts'
import { useSession } from '../../features/ground/session/session.ts'
import { timeText } from '../../words/format.ts'
import { usePlace } from '../../words/place.tsx'
import type { LiveProgramme, PlayerTarget } from '../content/playable.ts'
import type { PlayerError } from '../engine/player-error.ts'
import { keyCommand, keySituation } from '../keyboard/keys.ts'
import type { PlayerActor } from '../machine/player-machine.ts'
import { broadcastTime } from '../machine/player-steps.ts'
import { usePlayer } from '../machine/use-player.ts'
import { programmeAfter } from '../opening/programmes.ts'
import { AdOverlay } from '../overlays/ad-overlay.tsx'
import { BingeOverlay } from '../overlays/binge-overlay.tsx'
import { Watermark } from '../overlays/watermark.tsx'
import { ErrorPanel } from '../panels/error-panel.tsx'
import playerStyles from '../screen/player.module.css'
import { callAs } from './call-as.ts'
import { eventOf, isReady, type PlayerCommand } from './carry-out.ts'
import {
  isGoogleReceiver,
  loadReceiver,
  type ReceiverContext,
  receiverAccount,
  serveGoogleCast,
} from './google-receiver.ts'
import { type Assignment, createReceiver, type Receiver } from './receiver.ts'
import styles from './receiver-screen.module.css'
import { isBlocked, receiverState, subtitleOf } from './receiver-state.ts'
import { isWorthReporting } from './report.ts'

/**
 * The receiver of casting. Plays the content that phones of the account cast. While there is no content, shows
 * `idle` (V2.1-17).
 */
export default function ReceiverScreen({ idle }: { idle: ReactNode }) {
  const [receiver] = useState(createReceiver)
  const assignment = useSyncExternalStore(receiver.subscribe, receiver.assignment)
  const { account, profile } = useSession()
  const idAccount = account?.id
  const isScreen = profile !== null
  useEffect(() => {
    if (idAccount !== undefined && isScreen) return receiver.connect(idAccount)
    return undefined
  }, [receiver, idAccount, isScreen])
  useEffect(() => {
    if (!isGoogleReceiver(navigator.userAgent)) return undefined
    let isEnded = false
    let end = () => {
      isEnded = true
    }
    const serve = (context: ReceiverContext) => {
      if (!isEnded) end = serveGoogleCast(context, receiverAccount(idAccount, receiver.opened), receiver)
    }
    // Without Google's script the receiver is an ordinary screen (V8-03).
    loadReceiver().then(serve, (error: unknown) => console.warn(error))
    return () => end()
  }, [receiver, idAccount])
  if (assignment === null) return idle
  return <ReceiverPlayer key={assignment.number} assignment={assignment} receiver={receiver} />
}

function ReceiverPlayer({ assignment, receiver }: { assignment: Assignment; receiver: Receiver }) {
  const { t } = useTranslation('player')
  const stage = useRef<HTMLDivElement>(null)
  const [target, setTarget] = useState<PlayerTarget>(assignment.target)
  const call = useMemo(() => callAs(assignment.lent), [assignment])
  const running = usePlayer(target, stage, {
    go: (end, next) => {
      if (end.kind === 'next' && next !== undefined) setTarget(next)
      else receiver.end()
    },
    call,
    languages: assignment.languages,
  })
  useRemoteKeys(running?.actor, receiver)
  return (
    <main className={playerStyles.player} data-cinema data-layout="receiver" aria-label={t('player')}>
      <div ref={stage} className={playerStyles.stage} />
      {running !== undefined && <Watermark {...running} />}
      {running !== undefined && <ReceiverInterface actor={running.actor} receiver={receiver} />}
    </main>
  )
}

/** Title, progress and next title. Shown while the content is not playing, and for a moment after a command. */
function ReceiverInterface({ actor, receiver }: { actor: PlayerActor; receiver: Receiver }) {
  useReports(actor, receiver)
  useCommands(actor, receiver)
  const isShown = useSelector(
    actor,
    (state) => !state.matches({ controls: 'hidden' }) || state.value.playback !== 'playing',
  )
  const title = useSelector(
    actor,
    ({ context }) => context.liveEpgProgram?.title ?? context.playable?.title ?? '',
  )
  const subtitle = useSelector(actor, ({ context }) => subtitleOf(context))
  const idProgramme = useSelector(actor, ({ context }) => context.liveEpgProgram?.id)
  useEffect(() => {
    // Shows the title for a moment, so that people in front of the screen see that another programme has begun.
    if (idProgramme !== undefined) actor.send({ type: 'activity' })
  }, [actor, idProgramme])
  const artwork = useSelector(actor, ({ context, value }) =>
    // Until the content is ready, `playback` is an object: the state `notReady` with its substate.
    typeof value.playback === 'object' || value.playback === 'ready'
      ? context.playable?.backgroundImage
      : undefined,
  )
  const isOnTheWay = useSelector(actor, ({ context }) => context.isOnTheWay)
  const isPaused = useSelector(actor, ({ value }) => value.playback === 'paused')
  const isAd = useSelector(actor, ({ context }) => context.reading.ad !== undefined)
  const error = useSelector(actor, ({ context }) => context.error)
  if (error !== null) return <Failure error={error} />
  return (
    <>
      {isOnTheWay && <div className={playerStyles.cover} />}
      {artwork != null && <Picture image={artwork} sizes="100vw" className={styles.artwork} />}
      {isPaused && <PlayButton actor={actor} />}
      {isAd ? <AdOverlay actor={actor} screen /> : <BingeOverlay actor={actor} screen />}
      <div className={styles.foot} data-shown={(isShown && !isAd) || undefined}>
        <h1 className={styles.title}>{title}</h1>
        {subtitle !== '' && <p className={styles.next}>{subtitle}</p>}
        <Progress actor={actor} />
        <UpNext actor={actor} />
      </div>
    </>
  )
}

/**
 * Shows the error that stopped the screen. It has no actions and refers to the phone. The back key of the remote
 * closes it.
 */
function Failure({ error }: { error: PlayerError }) {
  const { t } = useTranslation()
  return (
    <ErrorPanel
      title={t('player.errorTitle')}
      text={t(isBlocked(error) ? 'guide.coded' : 'receiver.text')}
      code={t('player.errorCode', { code: error.code })}
      actions={[]}
    />
  )
}

/** A button for OK on the remote control, shown where the browser blocks autoplay with sound. */
function PlayButton({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const button = useRef<HTMLButtonElement>(null)
  // The button takes the focus, so that OK on the remote control presses it.
  useEffect(() => button.current?.focus(), [])
  return (
    <button
      ref={button}
      type="button"
      className={styles.play}
      aria-label={t('play')}
      onClick={() => actor.send({ type: 'togglePlay' })}
    >
      <PlayIcon />
    </button>
  )
}

/** The progress of the content. It has no controls, because phones control the screen. */
function Progress({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('player')
  const isLive = useSelector(actor, ({ context }) => context.playable?.live === true)
  const programme = useSelector(actor, ({ context }) => context.liveEpgProgram)
  const position = useSelector(actor, ({ context }) => Math.floor(context.reading.position))
  const duration = useSelector(actor, ({ context }) => Math.round(context.reading.duration))
  if (programme !== null) return <ProgrammeProgress actor={actor} programme={programme} />
  if (isLive) return <p className={styles.time}>{t('live')}</p>
  if (duration <= 0) return null
  return (
    <div className={styles.time}>
      <span>{playerTime(position, duration)}</span>
      <progress className={styles.bar} aria-label={t('position')} value={position} max={duration} />
      <span>{playerTime(duration, duration)}</span>
    </div>
  )
}

/** The times of the current programme on a channel, and how much of it has been shown. */
function ProgrammeProgress({ actor, programme }: { actor: PlayerActor; programme: LiveProgramme }) {
  const { t } = useTranslation('player')
  const place = usePlace()
  const seconds = useSelector(actor, ({ context }) =>
    Math.floor(broadcastTime(context.reading, context.parts)),
  )
  const { startutc, endutc } = programme
  return (
    <div className={styles.time}>
      <span>{timeText(startutc, place)}</span>
      <progress
        className={styles.bar}
        aria-label={t('position')}
        value={Math.max(0, seconds - startutc)}
        max={endutc - startutc}
      />
      <span>{timeText(endutc, place)}</span>
    </div>
  )
}

/** The next episode, or the next programme on a channel with its time. */
function UpNext({ actor }: { actor: PlayerActor }) {
  const { t } = useTranslation('cast')
  const place = usePlace()
  const nextTitle = useSelector(actor, ({ context }) => context.nextAsset?.title)
  const programme = useSelector(actor, ({ context: { liveEpgProgram, programmes } }) =>
    liveEpgProgram === null ? undefined : programmeAfter(programmes, liveEpgProgram),
  )
  if (programme !== undefined) {
    const { title, startutc } = programme
    return <p className={styles.next}>{t('upNextAt', { title, time: timeText(startutc, place) })}</p>
  }
  if (nextTitle === undefined) return null
  return <p className={styles.next}>{t('upNext', { title: nextTitle })}</p>
}

/** Reports the state of the player to the service. */
function useReports(actor: PlayerActor, { report }: Receiver): void {
  const imageHeights = use(ImageHeights)
  useEffect(() => {
    let last: ReturnType<typeof receiverState>
    const tell = () => {
      const state = receiverState(actor.getSnapshot(), serviceNow(), imageHeights)
      if (state === undefined || !isWorthReporting(last, state)) return
      last = state
      report(state)
    }
    tell()
    const subscription = actor.subscribe(tell)
    return () => subscription.unsubscribe()
  }, [actor, report, imageHeights])
}

/**
 * Handles the keys of the television's remote, which arrive as keys of a keyboard. Back and stop end the cast, even if
 * the content has failed or an advertisement plays. During the countdown to the next content, they only end the
 * countdown (V4-38).
 */
function useRemoteKeys(actor: PlayerActor | undefined, { stop }: Receiver): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        if (actor?.getSnapshot().matches({ binge: 'counting' })) actor.send({ type: 'binge.dismiss' })
        else stop()
      } else if (actor !== undefined && !(event.target instanceof HTMLButtonElement)) {
        // The button to play handles its own keys.
        const { context, value } = actor.getSnapshot()
        const situation = keySituation(context, { marks: false, paused: value.playback === 'paused' })
        const command = keyCommand(event, situation)
        if (command?.type !== 'togglePlay' && command?.type !== 'seekBy') return
        actor.send({ type: 'activity' })
        actor.send(command)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [actor, stop])
}

/** Executes the commands of phones in order, once the content has loaded. */
function useCommands(actor: PlayerActor, { follow }: Receiver): void {
  useEffect(() => {
    const waiting: PlayerCommand[] = []
    const carryOut = () => {
      while (waiting.length > 0 && isReady(actor.getSnapshot())) {
        const [command] = waiting.splice(0, 1)
        const event = command && eventOf(command, actor.getSnapshot())
        if (event !== undefined) actor.send(event)
      }
    }
    const unfollow = follow((command) => {
      const { context } = actor.getSnapshot()
      // Shows the controls for a moment, so that people in front of the screen see the effect of the command.
      actor.send({ type: 'activity' })
      if (command.type !== 'next') waiting.push(command)
      else if (context.nextAsset !== null) context.parts.go({ kind: 'next' })
      carryOut()
    })
    const subscription = actor.subscribe(carryOut)
    return () => {
      unfollow()
      subscription.unsubscribe()
    }
  }, [actor, follow])
}
