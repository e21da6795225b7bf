import { useSelector } from '@xstate/react'
import { type CSSProperties, useCallback, useSyncExternalStore } from 'react'
import { useNow } from '../../design/time/clock.ts'
import { useConfiguration } from '../../features/ground/configuration/use-configuration.ts'
import { useSession } from '../../features/ground/session/session.ts'
import type { RunningPlayer } from '../machine/use-player.ts'
import styles from './watermark.module.css'

/** Time that the watermark stays at each position, in seconds. This includes the move to the position. */
const STAY_SECONDS = 30

/**
 * Successive positions of the watermark, as fractions of the free width and height. The player's top and bottom
 * bars cover none of them.
 */
const PLACES = [
  [0.06, 0.2],
  [0.9, 0.45],
  [0.3, 0.62],
  [0.75, 0.22],
  [0.05, 0.5],
  [0.5, 0.28],
] as const

/** Assumed aspect ratio until the first frame arrives. */
const USUAL_RATIO = 16 / 9

/**
 * The viewer's first name, last name and account id over the picture, if the operator enables the watermark (V3-41).
 * The watermark moves, so that cropping a fixed part of a copied video does not remove it. A viewer who is not signed
 * in sees no watermark, except on a download: without a connection, the page does not know who is signed in.
 */
export function Watermark({ actor, video }: Pick<RunningPlayer, 'actor' | 'video'>) {
  const { enabled, ...look } = useConfiguration().player.watermark
  const { account } = useSession()
  const holder = useSelector(actor, ({ context }) => context.holder)
  const shown = account ?? holder
  if (!enabled || shown === undefined) return null
  return <Name {...look} {...shown} video={video} />
}

function Name({
  video,
  fontSize,
  baseColor,
  highlightColor,
  firstName,
  lastName,
  id,
}: {
  video: HTMLVideoElement
  fontSize: number
  baseColor: string
  highlightColor: string
  firstName: string
  lastName: string
  id: number
}) {
  const ratio = usePictureRatio(video)
  const [x, y] = PLACES[Math.floor(useNow() / STAY_SECONDS) % PLACES.length] ?? PLACES[0]
  const properties = {
    '--ratio': ratio,
    '--x': x,
    '--y': y,
    '--size': `${fontSize}px`,
    '--base': baseColor,
    '--highlight': highlightColor,
  } as CSSProperties
  return (
    <div className={styles.picture} style={properties} aria-hidden="true">
      <p className={styles.name}>
        {`${firstName} ${lastName} `}
        <span className={styles.id}>{id}</span>
      </p>
    </div>
  )
}

/** Returns the aspect ratio of the picture. */
function usePictureRatio(video: HTMLVideoElement): number {
  const subscribe = useCallback(
    (changed: () => void) => {
      video.addEventListener('resize', changed)
      return () => video.removeEventListener('resize', changed)
    },
    [video],
  )
  return useSyncExternalStore(subscribe, () =>
    video.videoHeight === 0 ? USUAL_RATIO : video.videoWidth / video.videoHeight,
  )
}
